import { readHtml } from './html-text';

/**
 * What a word is, for everything that is searched and for what it is searched for. Both engines are given these
 * words, so they find the same.
 */

/** A word, and where in the text it stands. */
export interface Word {
  /** Folded: in lower case, without diacritics. Letters and digits only. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** More words of one text are left out; PostgreSQL counts no further. */
const MAX_WORDS = 16_383;

/** Longer words are cut, which makes them their beginnings. */
const MAX_LENGTH = 64;

const ASCII = /^[\0-\x7f]*$/;

/** Scripts that are written without spaces between words. Each character is a word, and words in a row a phrase. */
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\u30fc\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
const UNSPACED_WORD = new RegExp(`^[${UNSPACED}]\\p{M}*$`, 'u');
const WORD = new RegExp(`[${UNSPACED}]\\p{M}*|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`, 'gu');
/** Of what was folded. The scripts above have signs too, which are no words, and some that stand for letters. */
const FOLDED_WORD = new RegExp(`(?=[\\p{L}\\p{N}\\p{M}])(?:${WORD.source})`, 'gu');
const ASCII_WORD = /[a-z0-9]+/gi;

/** Accents and the like, which one writes or leaves out. Vowel signs of Indic scripts are no such thing. */
const DIACRITICS = /[\p{Script=Inherited}\u0591-\u05c7]/gu;

/** Letters that Unicode does not take for a letter with a mark, but people do. */
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

/** The words of a text, in its order. */
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

/** The words that a message is found by: those a reader sees. */
export function messageWords(html: string): string[] {
  return wordsOf(readHtml(html).text).map((word) => word.text);
}

/** The words that a topic is found by. */
export function nameWords(name: string): string[] {
  return wordsOf(name).map((word) => word.text);
}

/** Whether a word is one character of a script that is written without spaces. */
export function isUnspaced(word: string): boolean {
  return UNSPACED_WORD.test(word);
}

/** Mostly one word. Some characters stand for several. */
function fold(written: string): string[] {
  const letters = written.normalize('NFKD').replace(DIACRITICS, '');
  // By way of upper case, so that ß is ss; and ẞ is ß before.
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
