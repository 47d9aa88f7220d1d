import { Parser } from 'htmlparser2';
import { escapedMarkdown, linkableAddress } from '../../platform/markdown';

/** Input and output limits; a message has at most 10,000 characters. */
const MAX_HTML = 1024 * 1024;
const MAX_OUTPUT = 100_000;
const MAX_DEPTH = 100;
/** The limits are checked after each chunk of this size. */
const PIECE = 4_096;

/** Elements whose content is not shown. */
const HIDDEN = new Set(['script', 'style', 'head', 'title', 'template', 'noscript', 'object', 'svg', 'math']);

/** Elements on a line of their own, and elements with empty lines around them. */
const LINES = new Set(['div', 'tr', 'section', 'article', 'header', 'footer', 'li', 'dt', 'dd', 'center']);
const BLOCKS = new Set([
  'p',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'blockquote',
  'pre',
  'ul',
  'ol',
  'table',
  'hr',
]);

interface Frame {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly isHidden: boolean;
  /** Number of the next list item. */
  item: number;
  text: string;
}

/** Options of the conversion. */
export interface HtmlChoice {
  readonly withQuotes: boolean;
}

/**
 * Converts the HTML of a mail to Markdown, with its text escaped. Time and memory are proportional to the part of the
 * HTML within the limits.
 */
export function htmlToMarkdown(html: string, choice: HtmlChoice): string {
  const writer = new MarkdownWriter(choice);
  const parser = new Parser(writer, { decodeEntities: true, lowerCaseTags: true });
  for (let at = 0; at < Math.min(html.length, MAX_HTML) && !writer.isDone; at += PIECE) {
    parser.write(html.slice(at, at + PIECE));
  }
  return writer.finish();
}

class MarkdownWriter {
  private readonly frames: Frame[] = [{ name: '', attributes: {}, isHidden: false, item: 0, text: '' }];
  private depth = 0;
  private length = 0;
  /** Whether the rest is a quotation: Outlook puts the quoted mail after a marker element, up to the end. */
  private isOver = false;

  constructor(private readonly choice: HtmlChoice) {}

  get isDone(): boolean {
    return this.isOver || this.depth > MAX_DEPTH || this.length > MAX_OUTPUT;
  }

  onopentag(name: string, attributes: Record<string, string>): void {
    this.depth += 1;
    if (this.isDone) return;
    if (!this.choice.withQuotes && isEndOfOwnText(attributes)) this.isOver = true;
    const isHidden = this.top.isHidden || HIDDEN.has(name) || this.isQuote(name, attributes) || this.isOver;
    if (name === 'br') this.append('\n');
    if (name === 'img' && !isHidden)
      this.append(escapedMarkdown(collapsed(attributes.alt ?? '').slice(0, 200), false));
    this.frames.push({ name, attributes, isHidden, item: Number(attributes.start) || 1, text: '' });
  }

  ontext(text: string): void {
    if (this.isDone || this.top.isHidden) return;
    const isPreformatted = this.frames.some(({ name }) => name === 'pre');
    const isAtBeginning = this.top.text === '' || this.top.text.endsWith('\n');
    this.append(isPreformatted ? text : escapedMarkdown(collapsed(text), isAtBeginning));
  }

  onclosetag(name: string): void {
    this.depth -= 1;
    if (this.frames.length > 1 && this.top.name === name) this.close();
  }

  finish(): string {
    while (this.frames.length > 1) this.close();
    return tidied(this.top.text);
  }

  private get top(): Frame {
    return this.frames.at(-1)!;
  }

  private append(text: string): void {
    this.length += text.length + 1;
    join(this.top, text);
  }

  private close(): void {
    const frame = this.frames.pop()!;
    if (!frame.isHidden) join(this.top, this.written(frame));
  }

  private written(frame: Frame): string {
    const { name, text } = frame;
    if (name === 'pre') return fenced(text);
    if (name === 'hr') return '\n\n---\n\n';
    if (name === 'strong' || name === 'b') return wrapped(text, '**');
    if (name === 'em' || name === 'i') return wrapped(text, '*');
    if (name === 'a') return link(text, frame.attributes.href ?? '');
    if (name === 'td' || name === 'th') return `${text} `;
    if (name === 'li') return this.listItem(text);
    if (name === 'blockquote') return `\n\n${tidied(text).replace(/^/gm, '> ')}\n\n`;
    if (/^h[1-6]$/.test(name)) return `\n\n${wrapped(tidied(text).replace(/\n+/g, ' '), '**')}\n\n`;
    if (BLOCKS.has(name)) return `\n\n${text}\n\n`;
    return LINES.has(name) ? `\n${text}\n` : text;
  }

  private listItem(text: string): string {
    const list = this.top;
    const mark = list.name === 'ol' ? `${list.item++}. ` : '* ';
    const [first = '', ...more] = tidied(text).split('\n');
    const indent = ' '.repeat(mark.length);
    return `\n${[`${mark}${first}`, ...more.map((line) => (line === '' ? '' : indent + line))].join('\n')}\n`;
  }

  private isQuote(name: string, { class: names = '', type = '' }: Record<string, string>): boolean {
    if (this.choice.withQuotes) return false;
    if (name === 'blockquote' && type.toLowerCase() === 'cite') return true;
    return names.split(/\s+/, 20).some((each) => QUOTE_CLASSES.has(each));
  }
}

const QUOTE_CLASSES = new Set([
  'gmail_quote',
  'gmail_quote_container',
  'moz-cite-prefix',
  'yahoo_quoted',
  'protonmail_quote',
]);

/** Appends text without doubling the whitespace between. */
function join(frame: Frame, text: string): void {
  const isSpaced = frame.name !== 'pre' && /\s$/.test(frame.text.slice(-1));
  frame.text += isSpaced && text.startsWith(' ') ? text.slice(1) : text;
}

function isEndOfOwnText({ id = '' }: Record<string, string>): boolean {
  return id === 'divRplyFwdMsg' || id === 'OLK_SRC_BODY_SECTION' || id === 'appendonsend';
}

function collapsed(text: string): string {
  return text.replace(/[\s\0]+/g, ' ');
}

/** Wraps text in Markdown markers, which have no effect next to whitespace or across lines. */
function wrapped(text: string, mark: string): string {
  const inner = text.trim();
  if (inner === '' || inner.includes('\n') || inner.startsWith('*')) return text;
  return `${/^\s/.test(text) ? ' ' : ''}${mark}${inner}${mark}${/\s$/.test(text) ? ' ' : ''}`;
}

function fenced(text: string): string {
  const content = text.replaceAll('\0', '').replace(/^\n/, '').trimEnd();
  if (content === '') return '';
  const longest = Math.max(2, ...[...content.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `\n\n${fence}\n${content}\n${fence}\n\n`;
}

function link(text: string, url: string): string {
  const shown = tidied(text).replace(/\n+/g, ' ');
  const address = linkableAddress(url.trim());
  return shown === '' || address === null ? text : `[${shown}](${address})`;
}

/** Removes trailing whitespace, and collapses consecutive empty lines. */
function tidied(text: string): string {
  const lines: string[] = [];
  for (const line of text.split('\n').map((each) => each.trimEnd())) {
    if (line !== '' || (lines.length > 0 && lines.at(-1) !== '')) lines.push(line);
  }
  return lines.join('\n').trim();
}
