import type MarkdownIt from 'markdown-it';
import { emojiTokens } from './emoji-syntax';
import { findLinks } from './link-matches';
import { RenderState } from './render-state';
import { completeUrl, isImageUrl, isSafeUrl, uploadPath } from './urls';

type Token = MarkdownIt.Token;

/**
 * Plugin: goes through the finished inline tokens. Turns what linkifiers match, addresses without a scheme and emoji
 * typed as characters into elements, and records what the message links to.
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

class InlineText {
  private readonly result: Token[] = [];

  constructor(
    private readonly state: RenderState,
    private readonly newToken: (type: string, tag: string, nesting: MarkdownIt.Token.Nesting) => Token,
  ) {}

  rewrite(tokens: readonly Token[]): Token[] {
    let insideLink = false;
    for (const token of tokens) {
      if (token.type === 'text' && !insideLink) this.addText(token.content);
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
      this.addPlainText(text.slice(end, link.start));
      const open = this.newToken('link_open', 'a', 1);
      open.attrs = [['href', link.url]];
      open.info = 'auto';
      this.openLink(open);
      this.result.push(open);
      this.addPlainText(link.text);
      this.result.push(this.newToken('link_close', 'a', -1));
      end = link.end;
    }
    this.addPlainText(text.slice(end));
  }

  private addPlainText(text: string): void {
    if (text !== '') this.result.push(...emojiTokens(text, () => this.newToken('text', '', 0)));
  }

  /** Notes where the link leads. */
  private openLink(token: Token): void {
    if (token.info !== 'auto') this.dropImageMark();
    const href = completeUrl(token.attrGet('href') ?? '', this.state.context.siteUrl);
    token.attrSet('href', href);
    this.state.hasLink = true;
    if (isImageUrl(href)) this.state.hasImage = true;
    const path = uploadPath(href);
    if (path !== undefined) this.state.attachmentPaths.add(path);
  }

  /** The `!` that asks for an image goes: images are links, and previews stand below their paragraph. */
  private dropImageMark(): void {
    const previous = this.result.at(-1);
    if (previous?.type !== 'text' || !previous.content.endsWith('!')) return;
    previous.content = previous.content.slice(0, -1);
    if (previous.content === '') this.result.pop();
  }

  /** A link without a text shows its target. */
  private nameEmptyLink(): void {
    const last = this.result.at(-1);
    if (last?.type === 'link_open') this.addPlainText(last.attrGet('href') ?? '');
  }
}
