import { type HtmlPiece, readHtml } from '../../messages/messages.module';
import { markup } from '../../../platform/pages/web-page';
import { withoutSpoilers } from '../choice/spoilers';

/** The content of a message in a mail. */
interface MailedText {
  readonly text: string;
  readonly html: string;
}

const TAG = /^<(\/?)([a-z][a-z0-9]*)\b([^>]*)>$/;
const ATTRIBUTE = /([a-z-]+)="([^"]*)"/g;

/** Elements that mail clients support well. Only the attributes `href` and `start` are kept. */
const KEPT = new Set(
  'a p strong em del code pre blockquote ul ol li h1 h2 h3 h4 h5 h6 table thead tbody tr th td'.split(' '),
);

/** Previews repeat the target of a link above them, and mail clients cannot sign in to load them. */
const PREVIEW = '<div class="message_inline_image';
const EMOJI = /\bemoji-([0-9a-f]+(?:-[0-9a-f]+)*)/;

/** Maximum length of one message's HTML, in characters; longer ones are replaced with the start of their plain text. */
const MAX_HTML = 20_000;
const MAX_TEXT = 10_000;

/**
 * The rendered content of a message for a mail: without spoilers, scripts and images, with absolute links, emoji as
 * characters and formulas as source.
 * @param origin URL of the server, without a trailing slash
 * @param spoilerNote plain text in place of hidden content
 */
export function mailedText(rendered: string, origin: string, spoilerNote: string): MailedText {
  const writer = new MailTextWriter(origin);
  for (const piece of readHtml(withoutSpoilers(rendered, spoilerNote)).pieces) writer.write(piece);
  const { html, text } = writer.end();
  const isLong = text.length > MAX_TEXT;
  const shown = isLong ? `${text.slice(0, MAX_TEXT).toWellFormed()}…` : text;
  return { text: shown, html: isLong || html.length > MAX_HTML ? markup`<p>${shown}</p>`.text : html };
}

/** Writes HTML and plain text, piece by piece. */
class MailTextWriter {
  private html = '';
  private text = '';
  /** The skipped element that the writer is in, and the nesting depth of elements with the same name. */
  private skipped: { readonly name: string; depth: number } | null = null;
  private link: { readonly href: string; readonly start: number } | null = null;
  private readonly open: string[] = [];

  constructor(private readonly origin: string) {}

  write(piece: HtmlPiece): void {
    const [, slash, name = '', attributes = ''] = TAG.exec(piece.html) ?? [];
    if (this.skipped) {
      if (piece.text !== null || name !== this.skipped.name) return;
      this.skipped.depth += slash === '/' ? -1 : 1;
      if (this.skipped.depth === 0) this.skipped = null;
    } else if (piece.text !== null) {
      const { text } = piece.text;
      this.text += text;
      this.html += piece.isWhole ? markup`<code>${text}</code>`.text : piece.html;
    } else if (slash === '/') this.close(name);
    else this.begin(name, piece.html, attributesOf(attributes));
  }

  end(): MailedText {
    while (this.open.length > 0) this.close(this.open.at(-1)!);
    return { html: this.html.trim(), text: this.text.replace(/\n{3,}/g, '\n\n').trim() };
  }

  private begin(name: string, tag: string, attributes: ReadonlyMap<string, string>): void {
    if (tag.startsWith(PREVIEW)) this.skipped = { name, depth: 1 };
    else if (name === 'span') this.beginSpan(attributes);
    else if (name === 'img') this.showPicture(attributes);
    else if (name === 'audio') this.showFile(attributes.get('src'), attributes.get('title'));
    else if (name === 'br' || name === 'hr') {
      this.html += `<${name}>`;
      this.text += '\n';
    } else if (KEPT.has(name)) this.beginKept(name, attributes);
  }

  private beginSpan(attributes: ReadonlyMap<string, string>): void {
    const code = EMOJI.exec(attributes.get('class') ?? '')?.[1];
    if (code === undefined) return;
    const points = code.split('-').map((point) => parseInt(point, 16));
    if (points.some((point) => point > 0x10_ff_ff)) return;
    this.show(String.fromCodePoint(...points));
    this.skipped = { name: 'span', depth: 1 };
  }

  private beginKept(name: string, attributes: ReadonlyMap<string, string>): void {
    const href = name === 'a' ? this.absolute(attributes.get('href')) : null;
    if (name === 'a' && href === null) return;
    const start = attributes.get('start');
    const attribute = href !== null ? ` href="${href}"` : start !== undefined ? ` start="${start}"` : '';
    this.html += `<${name}${attribute}>`;
    this.open.push(name);
    if (href !== null) this.link = { href: decoded(href), start: this.text.length };
    else if (name === 'li') this.startLine('- ');
    else if (!isInline(name)) this.startLine('');
  }

  private close(name: string): void {
    const at = this.open.lastIndexOf(name);
    if (at < 0) return;
    this.open.splice(at, 1);
    this.html += `</${name}>`;
    if (name === 'a' && this.link) {
      const { href, start } = this.link;
      if (this.text.slice(start) !== href) this.text += ` (${href})`;
      this.link = null;
    } else if (!isInline(name)) this.startLine('');
  }

  private showPicture(attributes: ReadonlyMap<string, string>): void {
    const label = attributes.get('alt') ?? '';
    if (/\bemoji\b/.test(attributes.get('class') ?? '')) this.show(decoded(label));
    else this.showFile(attributes.get('data-original-src') ?? attributes.get('src'), label);
  }

  private showFile(address: string | undefined, label = ''): void {
    const href = this.absolute(address);
    if (href === null) return;
    this.html += `<a href="${href}">${label || href}</a>`;
    this.text += label ? `${decoded(label)} (${decoded(href)})` : decoded(href);
  }

  private show(text: string): void {
    this.html += markup`${text}`.text;
    this.text += text;
  }

  private startLine(mark: string): void {
    if (this.text !== '' && !this.text.endsWith('\n')) this.text += '\n';
    this.text += mark;
  }

  /** Makes a URL from an attribute absolute. */
  private absolute(address: string | undefined): string | null {
    if (address === undefined) return null;
    if (/^(?:https?|mailto):/i.test(address)) return address;
    if (address.startsWith('#')) return `${this.origin}/${address}`;
    return address.startsWith('/') && !address.startsWith('//') ? this.origin + address : null;
  }
}

function attributesOf(text: string): ReadonlyMap<string, string> {
  return new Map(Array.from(text.matchAll(ATTRIBUTE), ([, name, value]) => [name!, value!]));
}

function isInline(name: string): boolean {
  return name === 'a' || name === 'strong' || name === 'em' || name === 'del' || name === 'code';
}

/** Decodes the text of an attribute. */
function decoded(attribute: string): string {
  return readHtml(attribute).text;
}
