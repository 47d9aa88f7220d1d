import type MarkdownIt from 'markdown-it';
import { previewHtml } from './media-html';
import { RenderState, type UploadedMedia } from './render-context';
import { fromRoot, uploadPath } from './urls';

type Token = MarkdownIt.Token;

/** A message with more distinct links than this shows no previews. */
const MAX_LINKS = 24;

/** The file that a link leads to; undefined if it has no preview. */
type MediaOf = (href: string) => UploadedMedia | undefined;

/**
 * Plugin: shows uploaded images and videos that a message links to below the paragraph with the link, or instead of the
 * paragraph if it contains nothing but the address. Files on other hosts get no preview, since loading them would
 * reveal readers to those hosts. Nor do files linked in quotations.
 */
export function mediaPreviews(md: MarkdownIt): void {
  md.core.ruler.push('media_previews', (core) => {
    const { context, attachmentPaths } = RenderState.of(core);
    if (attachmentPaths.size === 0 || !context.uploaded || countLinks(core.tokens) > MAX_LINKS) return;
    const mediaOf: MediaOf = (href) => {
      const path = uploadPath(href);
      return path === undefined ? undefined : context.uploaded?.(path);
    };
    core.tokens = new Previews(mediaOf, () => new core.Token('media', 'div', 0)).placeIn(core.tokens);
  });
  md.renderer.rules.media = (tokens, index) => tokens[index]!.meta as string;
}

/** Places previews. */
class Previews {
  private readonly result: Token[] = [];
  /** Previews waiting for the end of the message, and for the end of each open list item. */
  private readonly waiting: Token[][] = [[]];
  private readonly shown = new Set<string>();

  constructor(
    private readonly mediaOf: MediaOf,
    private readonly newPreview: () => Token,
  ) {}

  placeIn(tokens: readonly Token[]): Token[] {
    let below: Token[] = [];
    let isReplaced = false;
    for (const { token, isQuoted } of withQuotations(tokens)) {
      if (token.type === 'list_item_open') this.waiting.push([]);
      if (token.type === 'list_item_close') this.result.push(...this.waiting.pop()!);
      const isEnd = token.type === 'paragraph_close';
      if (!isEnd || !isReplaced) this.result.push(token);
      if (isEnd) {
        this.result.push(...below);
        [below, isReplaced] = [[], false];
      }
      const previews = isQuoted || !token.children ? [] : this.previewsOf(token.children);
      if (previews.length === 0) continue;
      if (this.result.at(-2)?.type !== 'paragraph_open') this.waiting[0]!.push(...previews);
      else {
        if (this.waiting.length > 1) this.waiting.at(-1)!.push(...previews);
        else below = previews;
        isReplaced = isNothingButAddress(token.children!);
        if (isReplaced) this.result.splice(-2);
      }
    }
    return [...this.result, ...this.waiting[0]!];
  }

  /** Previews of the files that the inline tokens link to, each file once per message. */
  private previewsOf(inline: readonly Token[]): Token[] {
    const previews: Token[] = [];
    for (const { href, text, isAddress } of linksOf(inline)) {
      const media = this.shown.has(href) ? undefined : this.mediaOf(href);
      const html = media && previewHtml({ href, text, media }, isAddress ? '' : text);
      if (!html) continue;
      this.shown.add(href);
      const preview = this.newPreview();
      preview.meta = html;
      // The preview replaces the paragraph but keeps its words.
      if (isNothingButAddress(inline)) preview.content = text;
      previews.push(preview);
    }
    return previews;
  }
}

function* withQuotations(tokens: readonly Token[]): Generator<{ token: Token; isQuoted: boolean }> {
  let quotations = 0;
  for (const token of tokens) {
    if (token.type === 'blockquote_open') quotations += 1;
    if (token.type === 'blockquote_close') quotations -= 1;
    yield { token, isQuoted: quotations > 0 };
  }
}

/** The number of distinct addresses linked outside of quotations. */
function countLinks(tokens: readonly Token[]): number {
  const found = new Set<string>();
  for (const { token, isQuoted } of withQuotations(tokens)) {
    if (isQuoted) continue;
    for (const { type, attrs } of token.children ?? []) {
      if (type === 'link_open') found.add(attrs?.find(([name]) => name === 'href')?.[1] ?? '');
    }
  }
  return found.size;
}

/** A link in a paragraph. */
interface TextLink {
  readonly href: string;
  readonly text: string;
  /** Whether the link shows its address rather than a text. */
  readonly isAddress: boolean;
}

function linksOf(inline: readonly Token[]): TextLink[] {
  const links: TextLink[] = [];
  let open: Token | null = null;
  let texts: string[] = [];
  for (const token of inline) {
    if (token.type === 'link_open') [open, texts] = [token, []];
    else if (token.type === 'link_close' && open) {
      const [href, text] = [open.attrGet('href') ?? '', texts.join('')];
      links.push({ href: fromRoot(href), text, isAddress: open.info === 'auto' || text === href });
      open = null;
    } else if (open) texts.push(token.content);
  }
  return links;
}

/** Whether the paragraph is a single link that shows its address. */
function isNothingButAddress(inline: readonly Token[]): boolean {
  if (inline[0]?.type !== 'link_open' || inline.at(-1)?.type !== 'link_close') return false;
  const links = linksOf(inline);
  return links.length === 1 && links[0]!.isAddress;
}
