import { FORMULA, formulaEnd, formulaSource } from '../typesetting/formulas';

/** A piece of HTML from the renderer: a tag, text between tags, or a formula. */
export interface HtmlPiece {
  readonly html: string;
  /** Null for a tag; the source of a formula. */
  readonly text: DecodedText | null;
  /** Whether nothing may be inserted inside the piece. */
  readonly isWhole?: boolean;
}

/** The visible text of a piece. */
interface DecodedText {
  readonly text: string;
  /** Its offset in the text of the whole message. */
  readonly start: number;
  /** For each character, and for the end, its offset in the HTML of the piece; null if the offsets are equal. */
  readonly places: readonly number[] | null;
}

/** Parsed HTML. */
interface ReadHtml {
  readonly pieces: readonly HtmlPiece[];
  /** The visible text, with a line break where words would otherwise run together. */
  readonly text: string;
}

/** Text contains no bare `<`, and tags no bare `>` other than their own. */
const TAG_OR_TEXT = /<[^>]*>?|[^<]+/g;

/** Tags that occur within a line of text, and even within a word. */
const INLINE_TAG = /^<\/?(?:a|code|del|em|span|strong|time)\b/;

const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi;
const NAMED_ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  gt: '>',
  lt: '<',
  nbsp: '\u00a0',
  quot: '"',
};

/** Splits the HTML of a message into pieces. */
export function readHtml(html: string): ReadHtml {
  const pieces: HtmlPiece[] = [];
  const texts: string[] = [];
  let length = 0;
  for (TAG_OR_TEXT.lastIndex = 0; ;) {
    const match = TAG_OR_TEXT.exec(html);
    if (!match) break;
    const [piece] = match;
    let read: string;
    if (piece === FORMULA) {
      const end = formulaEnd(html, match.index);
      const whole = html.slice(match.index, end);
      const decoded = decode(formulaSource(whole));
      read = decoded.text;
      pieces.push({ html: whole, text: { ...decoded, start: length }, isWhole: true });
      TAG_OR_TEXT.lastIndex = end;
    } else if (piece.startsWith('<')) {
      read = INLINE_TAG.test(piece) ? '' : '\n';
      pieces.push({ html: piece, text: null });
    } else {
      const decoded = decode(piece);
      read = decoded.text;
      pieces.push({ html: piece, text: { ...decoded, start: length } });
    }
    texts.push(read);
    length += read.length;
  }
  return { pieces, text: texts.join('') };
}

function decode(html: string): Pick<DecodedText, 'text' | 'places'> {
  if (!html.includes('&')) return { text: html, places: null };
  const places: number[] = [];
  let text = '';
  const take = (read: string, place: number, step: number) => {
    for (let at = 0; at < read.length; at++) places.push(place + at * step);
    text += read;
  };
  let end = 0;
  for (const match of html.matchAll(ENTITY)) {
    const character = characterOf(match);
    if (character === null) continue;
    take(html.slice(end, match.index), end, 1);
    take(character, match.index, 0);
    end = match.index + match[0].length;
  }
  take(html.slice(end), end, 1);
  places.push(html.length);
  return { text, places };
}

function characterOf([, decimal, hexadecimal, name]: RegExpMatchArray): string | null {
  if (name !== undefined) return NAMED_ENTITIES[name] ?? null;
  const code = decimal === undefined ? parseInt(hexadecimal ?? '', 16) : Number(decimal);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : null;
}

/**
 * Defines words, for indexed text and for searches. Both engines receive these words, so they find the same messages.
 */

/** A word and its position in the text. */
export interface Word {
  /** Normalized: lower case, without diacritics, letters and digits only. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Further words of a text are ignored; PostgreSQL counts positions no further. */
const MAX_WORDS = 16_383;

/** Longer words are truncated to a prefix. */
const MAX_LENGTH = 64;

const ASCII = /^[\0-\x7f]*$/;

/** Scripts written without spaces between words. Each character counts as a word, and a run of them as a phrase. */
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u30fc\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
const UNSPACED_WORD = new RegExp(`^[${UNSPACED}]\\p{M}*$`, 'u');
const WORD = new RegExp(`[${UNSPACED}]\\p{M}*|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`, 'gu');
/**
 * Matches words in normalized text. The scripts above also contain signs that are no words, and some that represent
 * letters.
 */
const FOLDED_WORD = new RegExp(`(?=[\\p{L}\\p{N}\\p{M}])(?:${WORD.source})`, 'gu');
const ASCII_WORD = /[a-z0-9]+/gi;

/** Accents and similar marks, which are optional in searches. Vowel signs of Indic scripts are not. */
const DIACRITICS = /[\p{Script=Inherited}\u0591-\u05c7]/gu;

/** Letters that Unicode does not decompose, but that people type without the mark. */
const SPELLINGS: Readonly<Record<string, string>> = {
  æ: 'ae',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ł: 'l',
  œ: 'oe',
  ø: 'o',
  ς: 'σ',
  þ: 'th',
};
const RESPELLED = new RegExp(`[${Object.keys(SPELLINGS).join('')}]`, 'g');

/** The words of a text, in order. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  const isAscii = ASCII.test(text);
  for (const { 0: written, index: start } of text.matchAll(isAscii ? ASCII_WORD : WORD)) {
    const end = start + written.length;
    if (isAscii) words.push({ text: cut(written.toLowerCase()), start, end });
    else for (const folded of fold(written)) words.push({ text: folded, start, end });
    if (words.length >= MAX_WORDS) break;
  }
  return words;
}

/** The words to index for a message: the visible ones. */
export function messageWords(html: string): string[] {
  return wordsOf(readHtml(html).text).map((word) => word.text);
}

/** The words to index for a topic. */
export function nameWords(name: string): string[] {
  return wordsOf(name).map((word) => word.text);
}

/** Whether a word is one character of a script written without spaces. */
export function isUnspaced(word: string): boolean {
  return UNSPACED_WORD.test(word);
}

/** Usually one word; some characters expand to several. */
function fold(written: string): string[] {
  const letters = written.normalize('NFKD').replace(DIACRITICS, '');
  // Via upper case, so that ß becomes ss; ẞ first becomes ß.
  const folded = letters
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replace(RESPELLED, (letter) => SPELLINGS[letter] ?? letter);
  return Array.from(folded.matchAll(FOLDED_WORD), ([word]) => cut(word));
}

function cut(word: string): string {
  if (word.length <= MAX_LENGTH) return word;
  const isSplit = /[\ud800-\udbff]/.test(word.charAt(MAX_LENGTH - 1));
  return word.slice(0, isSplit ? MAX_LENGTH - 1 : MAX_LENGTH);
}
