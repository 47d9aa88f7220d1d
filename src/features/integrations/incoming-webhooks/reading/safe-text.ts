import { escapedMarkdown, linkableAddress } from '../../../../platform/markdown';

/** Markdown that says only what we mean by it, whatever others wrote that is shown in it. */
export class SafeText {
  constructor(readonly source: string) {}

  get isEmpty(): boolean {
    return this.source === '';
  }
}

/** What a template shows: texts of others, which are escaped, and Markdown that is safe already. */
type Shown = SafeText | string | number;

/** Longest line of others that is shown, and longest text that is quoted: a message has 10,000 characters. */
const MAX_LINE = 300;
const MAX_QUOTE = 4_000;
export const MAX_CODE = 9_000;

/** Longest text that is looked at to be shown as several lines. */
const MAX_TEXT = 20_000;

/** What may stand between the beginning of a line and a mark that is taken for it. */
const BEFORE_BEGINNING = /[\s>*+-]/;

/** What moves other text about or is no character: controls, marks that turn the direction of writing, and what topics refuse. */
const UNSEEN = /[\p{Cc}\p{Noncharacter_Code_Point}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/**
 * Markdown with texts of others in it, each as one line that shows what it says and does nothing else:
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

/** Whether a mark behind the text would be taken for it. */
function endsAtBeginning(source: string): boolean {
  let at = source.length - 1;
  while (at >= 0 && source[at] !== '\n' && BEFORE_BEGINNING.test(source[at]!)) at -= 1;
  return at < 0 || source[at] === '\n';
}

/** A text as one line, cut to some length. */
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

/** As it stands within a line. */
function inline(shown: Shown): string {
  return shown instanceof SafeText ? shown.source.trim() : escapedMarkdown(lineOf(String(shown)), false);
}

/** Cuts by code points, so that no character is split. */
function cut(text: string, limit: number): string {
  if (text.length <= limit) return text.toWellFormed();
  // A character has two units at most, so that no more of a long text needs to be looked at.
  const characters = Array.from(text.slice(0, 2 * (limit + 1)).toWellFormed());
  return characters.length <= limit ? characters.join('') : `${characters.slice(0, limit - 1).join('')}…`;
}

/** Joins what is not empty. */
export function joined(parts: readonly SafeText[], separator: string): SafeText {
  return new SafeText(
    parts
      .filter((part) => !part.isEmpty)
      .map(({ source }) => source)
      .join(separator),
  );
}

/** Joins what is not empty of the first items. Once there is more than a message shows, the rest is not looked at. */
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

/** What stands where there is nothing to say. */
export const NOTHING = new SafeText('');

/** Text of others that leads to a page; without an address that can be opened, the text alone. */
export function link(text: Shown, url: string): SafeText {
  const shown = inline(text);
  const address = linkableAddress(url);
  if (address === null || shown === '') return new SafeText(shown);
  return new SafeText(`[${shown}](${address})`);
}

/** Text of others in bold; nothing for an empty one. */
export function bold(text: Shown): SafeText {
  const shown = inline(text);
  return shown === '' ? NOTHING : new SafeText(`**${shown}**`);
}

/** Text of others as code within a line; nothing for an empty one. */
export function code(text: string): SafeText {
  const line = lineOf(text);
  if (line === '') return NOTHING;
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const ticks = '`'.repeat(longest + 1);
  const pad = longest > 0 ? ' ' : '';
  return new SafeText(`${ticks}${pad}${line}${pad}${ticks}`);
}

/** A moment, which each client shows in its own time zone; the text itself where it is none. */
export function moment(text: string): SafeText {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? safe`${text}` : new SafeText(`<time:${time.toISOString()}>`);
}

/** A block of code, which nothing in it can end. */
export function codeBlock(text: string, language = ''): SafeText {
  const content = cut(linesOf(text.slice(0, MAX_TEXT)).replace(/^(?:[ \t]*\n)+/, ''), MAX_CODE);
  const longest = Math.max(2, ...[...content.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return new SafeText(`${fence}${/^[a-z0-9]+$/.test(language) ? language : ''}\n${content}\n${fence}`);
}

/** Quotes foreign Markdown. Every line is marked, so nothing in it can end the quotation. Empty for an empty text. */
export function quoted(text: string): SafeText {
  const content = cut(linesOf(text.slice(0, MAX_TEXT)).trim(), MAX_QUOTE);
  return new SafeText(content === '' ? '' : content.replace(/^/gm, '> '));
}

/** Markdown that the organization composed itself, in what it set up at the service. */
export function composed(text: string): SafeText {
  return new SafeText(linesOf(text.slice(0, MAX_TEXT)).trim());
}

function linesOf(text: string): string {
  const lines = text.replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n').replaceAll('\0', '');
  return lines.replace(/[\u202a-\u202e\u2066-\u2069]/g, '').trimEnd();
}

/** At most so many lines of a list are shown. */
const MAX_ITEMS = 20;

/** A list; what does not fit is counted. */
export function bullets(items: readonly SafeText[], limit = MAX_ITEMS): SafeText {
  return bulletsOf(items, (item) => item, limit);
}

/** A list of what each item is shown as. Those that do not fit are only counted. */
export function bulletsOf<Item>(
  items: readonly Item[],
  shown: (item: Item) => SafeText,
  limit = MAX_ITEMS,
): SafeText {
  const lines = items.slice(0, limit).map((item) => `* ${shown(item).source}`);
  const left = items.length - lines.length;
  return new SafeText([...lines, ...(left > 0 ? [`* and ${left} more`] : [])].join('\n'));
}
