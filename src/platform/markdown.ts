/** Markdown built from texts of users. Processes that parse mail load this file, so it imports nothing. */

const MAX_ADDRESS = 2_000;

/** Characters with a meaning inside a line: code, emphasis, links, elements, formulas and entities. */
const MARKS = /[\\`*[\]<]|~(?=~)|(?<=~)~|\$(?=\$)|(?<=\$)\$|&(?=#?\w{1,31};)/g;

/**
 * Characters with a meaning at the start of a line: headings, quotations, lists, rules, tables, and commands such as
 * /me.
 */
const BEGINNINGS = /^\s?(?:[#>+\-=~/:|]|\d{1,9}(?=[.)]))/;

/** Escapes a line of text, so that Markdown shows it literally. */
export function escapedMarkdown(line: string, isAtBeginning: boolean): string {
  const quiet = line.replace(MARKS, '\\$&');
  if (!isAtBeginning) return quiet;
  return quiet.replace(BEGINNINGS, (begun) => (/\d/.test(begun) ? `${begun}\\` : `\\${begun.trim()}`));
}

/** The address of a page, without characters that would end a link; null if it is not one. */
export function linkableAddress(url: string): string | null {
  if (url.length > MAX_ADDRESS || !URL.canParse(url)) return null;
  const { protocol, href } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return null;
  const written = /^https?:\/\/[\x21-\x7e]+$/.test(url) ? url : href;
  return written.replace(
    /[\s()<>\\`"*[\]|{}^]/g,
    (each) => `%${each.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}
