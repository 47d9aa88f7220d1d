import { escapedMarkdown, linkableAddress } from '../../../../platform/markdown';

/** Markdown in which all untrusted text is escaped. */
export class SafeText {
  constructor(readonly source: string) {}

  get isEmpty(): boolean {
    return this.source === '';
  }
}

/** A template value: untrusted text, which is escaped, or Markdown that is safe already. */
type Shown = SafeText | string | number;

/** Longest untrusted line and longest quotation; a message has at most 10,000 characters. */
const MAX_LINE = 300;
const MAX_QUOTE = 4_000;
export const MAX_CODE = 9_000;

/** Longest multi-line text to process. */
const MAX_TEXT = 20_000;

/** Characters that may precede a Markdown block marker at the beginning of a line. */
const BEFORE_BEGINNING = /[\s>*+-]/;

/** Control characters, noncharacters, and characters that change the writing direction. */
const UNSEEN = /[\p{Cc}\p{Noncharacter_Code_Point}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/**
 * Template tag that escapes untrusted texts and puts each on one line:
 * `` safe`${user} opened ${link(title, url)}` ``.
 */
export function safe(template: TemplateStringsArray, ...shown: readonly Shown[]): SafeText {
  let source = template[0] ?? '';
  shown.forEach((each, index) => {
    const isAtBeginning = endsAtBeginning(source);
    source += each instanceof SafeText ? each.source : escapedMarkdown(lineOf(String(each)), isAtBeginning);
    source += template[index + 1] ?? '';
  });
  return new SafeText(source);
}

/** Whether a marker after the text would start a Markdown block. */
function endsAtBeginning(source: string): boolean {
  let at = source.length - 1;
  while (at >= 0 && source[at] !== '\n' && BEFORE_BEGINNING.test(source[at]!)) at -= 1;
  return at < 0 || source[at] === '\n';
}

/** Puts a text on one line and truncates it. */
export function lineOf(text: string, limit = MAX_LINE): string {
  return cut(
    text
      .slice(0, limit * 4)
      .replace(UNSEEN, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
    limit,
  );
}

/** Escapes a value for the middle of a line. */
function inline(shown: Shown): string {
  return shown instanceof SafeText ? shown.source.trim() : escapedMarkdown(lineOf(String(shown)), false);
}

/** Truncates to a number of code points, so that no character is split. */
function cut(text: string, limit: number): string {
  if (text.length <= limit) return text.toWellFormed();
  // A character has at most two UTF-16 units, so the rest of a long text is irrelevant.
  const characters = Array.from(text.slice(0, 2 * (limit + 1)).toWellFormed());
  return characters.length <= limit ? characters.join('') : `${characters.slice(0, limit - 1).join('')}…`;
}

/** Joins the parts that are not empty. */
export function joined(parts: readonly SafeText[], separator: string): SafeText {
  return new SafeText(
    parts
      .filter((part) => !part.isEmpty)
      .map(({ source }) => source)
      .join(separator),
  );
}

/** Joins the parts that are not empty. Skips the remaining items once the text exceeds a message. */
export function joinedOf<Item>(
  items: readonly Item[],
  shown: (item: Item) => SafeText,
  separator: string,
): SafeText {
  const parts: SafeText[] = [];
  let length = 0;
  for (const item of items) {
    if (length > MAX_TEXT) break;
    const part = shown(item);
    parts.push(part);
    length += part.source.length;
  }
  return joined(parts, separator);
}

/** Empty text. */
export const NOTHING = new SafeText('');

/** Untrusted text with a link; only the text if the URL is not linkable. */
export function link(text: Shown, url: string): SafeText {
  const shown = inline(text);
  const address = linkableAddress(url);
  if (address === null || shown === '') return new SafeText(shown);
  return new SafeText(`[${shown}](${address})`);
}

/** Untrusted text in bold; empty for an empty text. */
export function bold(text: Shown): SafeText {
  const shown = inline(text);
  return shown === '' ? NOTHING : new SafeText(`**${shown}**`);
}

/** Untrusted text as inline code; empty for an empty text. */
export function code(text: string): SafeText {
  const line = lineOf(text);
  if (line === '') return NOTHING;
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const ticks = '`'.repeat(longest + 1);
  const pad = longest > 0 ? ' ' : '';
  return new SafeText(`${ticks}${pad}${line}${pad}${ticks}`);
}

/** A time, which clients show in their own time zone; the escaped text if it is not a time. */
export function moment(text: string): SafeText {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? safe`${text}` : new SafeText(`<time:${time.toISOString()}>`);
}

/** A code block with a fence that its text cannot close. */
export function codeBlock(text: string, language = ''): SafeText {
  const content = cut(linesOf(text.slice(0, MAX_TEXT)).replace(/^(?:[ \t]*\n)+/, ''), MAX_CODE);
  const longest = Math.max(2, ...[...content.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return new SafeText(`${fence}${/^[a-z0-9]+$/.test(language) ? language : ''}\n${content}\n${fence}`);
}

/** Quotes untrusted Markdown. Marks every line, so that the text cannot end the quotation. Empty for an empty text. */
export function quoted(text: string): SafeText {
  const content = cut(linesOf(text.slice(0, MAX_TEXT)).trim(), MAX_QUOTE);
  return new SafeText(content === '' ? '' : content.replace(/^/gm, '> '));
}

/** Trusted Markdown that the organization configured at the service. */
export function composed(text: string): SafeText {
  return new SafeText(linesOf(text.slice(0, MAX_TEXT)).trim());
}

function linesOf(text: string): string {
  const lines = text.replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n').replaceAll('\0', '');
  return lines.replace(/[\u202a-\u202e\u2066-\u2069]/g, '').trimEnd();
}

/** Maximum lines of a list. */
const MAX_ITEMS = 20;

/** A bullet list; ends with the number of omitted items. */
export function bullets(items: readonly SafeText[], limit = MAX_ITEMS): SafeText {
  return bulletsOf(items, (item) => item, limit);
}

/** A bullet list of converted items; ends with the number of omitted ones. */
export function bulletsOf<Item>(
  items: readonly Item[],
  shown: (item: Item) => SafeText,
  limit = MAX_ITEMS,
): SafeText {
  const lines = items.slice(0, limit).map((item) => `* ${shown(item).source}`);
  const left = items.length - lines.length;
  return new SafeText([...lines, ...(left > 0 ? [`* and ${left} more`] : [])].join('\n'));
}
