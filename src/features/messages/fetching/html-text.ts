import { FORMULA, formulaEnd, formulaSource } from '../typesetting/formula-text';

/** A piece of HTML as the renderer writes it: a tag, text between tags, or a formula. */
export interface HtmlPiece {
  readonly html: string;
  /** Null for a tag; the source of a formula. */
  readonly text: DecodedText | null;
  /** Whether nothing may be put inside it. */
  readonly isWhole?: boolean;
}

/** What a reader sees of a piece. */
export interface DecodedText {
  readonly text: string;
  /** Where it begins in the text of the whole. */
  readonly start: number;
  /** For each character, and for the end, where in the HTML of the piece it is written; null when that is its place. */
  readonly places: readonly number[] | null;
}

/** HTML taken apart. */
export interface ReadHtml {
  readonly pieces: readonly HtmlPiece[];
  /** What a reader sees, with a line break where words would else run together. */
  readonly text: string;
}

/** Text never holds a bare `<`, and tags hold no bare `>` but their own. */
const TAG_OR_TEXT = /<[^>]*>?|[^<]+/g;

/** Tags that stand within a line of text, and within a word. */
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

/** Takes the HTML of a message apart. */
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
