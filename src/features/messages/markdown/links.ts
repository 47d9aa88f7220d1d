import { completeUrl, endOfUrl, findLinks, fromRoot, isImageUrl, isSafeUrl, uploadPath } from './urls';
import type MarkdownIt from 'markdown-it';
import { embeddedHtml } from './media-html';
import { isInsideLink, RenderState } from './render-context';
import { emojiTokens, emoticonTokens } from './emoji-syntax';

const SCHEME_BEFORE = /(?<![\p{L}\p{N}_])(?:https?|ftp|mailto)$/iu;
const LONGEST_SCHEME = 'mailto'.length;
const LOCAL_PART_BEFORE = /[a-z0-9][a-z0-9_.+-]{0,63}$/i;
const DOMAIN = /(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,8}[a-z]{2,63}(?![a-z0-9])/iy;
const ADDRESS = /[a-z0-9][a-z0-9_.+-]{0,63}@/iy;
const HOST_START = /[\p{L}\p{N}[]/u;

/**
 * Plugin: turns typed addresses into links. They are matched while parsing, since `*`, `_` or `:` within an address
 * have no special meaning.
 */
export function autolinks(md: MarkdownIt): void {
  md.inline.ruler.before('emphasis', 'url', url);
  md.inline.ruler.before('emphasis', 'email', email);
}

function url(inline: MarkdownIt.StateInline, silent: boolean): boolean {
  const { src, pos } = inline;
  if (src[pos] !== ':' || isInsideLink(inline)) return false;
  const scheme = SCHEME_BEFORE.exec(src.slice(Math.max(0, pos - LONGEST_SCHEME - 1), pos))?.[0];
  // After a backslash, the parser has already consumed part of the scheme; the end of the address does not matter then.
  if (scheme === undefined || !(silent || inline.pending.endsWith(scheme))) return false;
  const end = scheme.toLowerCase() === 'mailto' ? endOfMailto(inline) : endOfHierarchy(inline);
  if (end === undefined) return false;
  const start = pos - scheme.length;
  const text = src.slice(start, end);
  return pushLink(inline, silent, { begun: scheme, end, href: text, text });
}

/** `ftp://` links and web addresses need a host. */
function endOfHierarchy({ src, pos, posMax }: MarkdownIt.StateInline): number | undefined {
  if (!src.startsWith('://', pos) || !HOST_START.test(src[pos + 3] ?? '')) return undefined;
  const end = endOfUrl(src, pos + 3, posMax);
  return end > pos + 3 ? end : undefined;
}

function endOfMailto({ src, pos, posMax }: MarkdownIt.StateInline): number | undefined {
  ADDRESS.lastIndex = pos + 1;
  if (!ADDRESS.test(src)) return undefined;
  return endOfDomain(src, ADDRESS.lastIndex, posMax);
}

function email(inline: MarkdownIt.StateInline, silent: boolean): boolean {
  const { src, pos } = inline;
  if (src[pos] !== '@' || isInsideLink(inline)) return false;
  const local = LOCAL_PART_BEFORE.exec(src.slice(Math.max(0, pos - 64), pos))?.[0];
  const end = endOfDomain(src, pos + 1, inline.posMax);
  if (local === undefined || end === undefined) return false;
  const address = src.slice(pos - local.length, end);
  return pushLink(inline, silent, { begun: local, end, href: `mailto:${address}`, text: address });
}

function endOfDomain(src: string, start: number, limit: number): number | undefined {
  DOMAIN.lastIndex = start;
  return DOMAIN.test(src) && DOMAIN.lastIndex <= limit ? DOMAIN.lastIndex : undefined;
}

/** An address found in the text. */
interface TypedAddress {
  /** The part that the parser has already consumed as text. */
  readonly begun: string;
  /** The position of its end. */
  readonly end: number;
  readonly href: string;
  readonly text: string;
}

/** Adds the link, unless the parser is only testing for one. */
function pushLink(
  inline: MarkdownIt.StateInline,
  silent: boolean,
  { begun, end, href, text }: TypedAddress,
): boolean {
  if (!silent) {
    if (!inline.pending.endsWith(begun)) return false;
    inline.pending = inline.pending.slice(0, -begun.length);
    const open = inline.push('link_open', 'a', 1);
    open.attrs = [['href', inline.md.normalizeLink(href)]];
    open.info = 'auto';
    inline.push('text', '', 0).content = text;
    inline.push('link_close', 'a', -1);
  }
  inline.pos = end;
  return true;
}

type Token = MarkdownIt.Token;

/**
 * Plugin: post-processes the inline tokens. Turns matches of linkifiers, addresses without a scheme and emoji
 * characters into elements, and records what the message links to.
 */
export function textLinks(md: MarkdownIt): void {
  md.validateLink = isSafeUrl;
  md.core.ruler.push('text_links', (core) => {
    const state = RenderState.of(core);
    const newToken = (type: string, tag: string, nesting: MarkdownIt.Token.Nesting) =>
      new core.Token(type, tag, nesting);
    for (const token of core.tokens) {
      if (token.children) token.children = new InlineText(state, newToken).rewrite(token.children);
    }
  });
}

/** White space, and characters that only modify others. */
const INVISIBLE = /^[\s\p{Cf}]+$/u;

class InlineText {
  private readonly result: Token[] = [];

  constructor(
    private readonly state: RenderState,
    private readonly newToken: (type: string, tag: string, nesting: MarkdownIt.Token.Nesting) => Token,
  ) {}

  rewrite(tokens: readonly Token[]): Token[] {
    let insideLink = false;
    for (let at = 0; at < tokens.length; at++) {
      const token = tokens[at]!;
      if (token.type === 'link_open' && this.embed(tokens, at)) at = endOfLink(tokens, at);
      else if (token.type === 'text' && !insideLink) this.addText(token.content);
      else if (token.type === 'text') this.addPlainText(token.content);
      else {
        if (token.type === 'link_open') this.openLink(token);
        if (token.type === 'link_close') this.nameEmptyLink();
        this.result.push(token);
        if (token.type === 'link_open' || token.type === 'link_close') insideLink = token.nesting > 0;
      }
    }
    return this.result;
  }

  private addText(text: string): void {
    let end = 0;
    for (const link of findLinks(text, (part) => this.state.context.linkifiers(part), 'http://')) {
      this.addProse(text.slice(end, link.start));
      const open = this.newToken('link_open', 'a', 1);
      open.attrs = [['href', link.url]];
      open.info = 'auto';
      this.openLink(open);
      this.result.push(open);
      this.addPlainText(link.text);
      this.result.push(this.newToken('link_close', 'a', -1));
      end = link.end;
    }
    this.addProse(text.slice(end));
  }

  private addPlainText(text: string): void {
    if (text !== '') this.result.push(...emojiTokens(text, () => this.newToken('text', '', 0)));
  }

  /** Text outside of links, the only place where emoticons are translated. */
  private addProse(text: string): void {
    if (!this.state.context.translatesEmoticons) this.addPlainText(text);
    else if (text !== '') this.result.push(...emoticonTokens(text, () => this.newToken('text', '', 0)));
  }

  /** Replaces a link that begins with `!` with its file, if the file can be embedded. */
  private embed(tokens: readonly Token[], at: number): boolean {
    const open = tokens[at]!;
    if (!this.state.context.uploaded || !this.hasImageMark(open)) return false;
    const href = fromRoot(completeUrl(open.attrGet('href') ?? '', this.state.context.siteUrl));
    const media = this.state.context.uploaded(uploadPath(href) ?? '');
    const inside = tokens.slice(at + 1, endOfLink(tokens, at));
    const text = inside.map(({ content }) => content).join('');
    const html = media && embeddedHtml({ href, text, media });
    if (!html) return false;
    this.openLink(open);
    const element = this.newToken('media', 'img', 0);
    element.meta = html;
    element.content = text;
    this.result.push(element);
    return true;
  }

  private hasImageMark(open: Token): boolean {
    const previous = this.result.at(-1);
    return open.info !== 'auto' && previous?.type === 'text' && previous.content.endsWith('!');
  }

  /** Records the target of the link. */
  private openLink(token: Token): void {
    if (this.hasImageMark(token)) this.dropImageMark();
    const href = completeUrl(token.attrGet('href') ?? '', this.state.context.siteUrl);
    token.attrSet('href', href);
    this.state.hasLink = true;
    if (isImageUrl(href)) this.state.hasImage = true;
    const path = uploadPath(href);
    if (path !== undefined) this.state.attachmentPaths.add(path);
  }

  /** Removes the `!` of an image, even if there is no image to show. */
  private dropImageMark(): void {
    const previous = this.result.at(-1)!;
    previous.content = previous.content.slice(0, -1);
    if (previous.content === '') this.result.pop();
  }

  /** Shows the target of a link that has no visible text. */
  private nameEmptyLink(): void {
    const last = this.result.at(-1);
    const isBlank = last?.type === 'text' && INVISIBLE.test(last.content);
    const open = isBlank ? this.result.at(-2) : last;
    if (open?.type !== 'link_open') return;
    if (isBlank) this.result.pop();
    this.addPlainText(open.attrGet('href') ?? '');
  }
}

/** The end of the link that starts at this token. */
function endOfLink(tokens: readonly Token[], at: number): number {
  let end = at + 1;
  while (end < tokens.length && tokens[end]!.type !== 'link_close') end += 1;
  return end;
}
