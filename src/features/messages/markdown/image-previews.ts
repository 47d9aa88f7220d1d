import type MarkdownIt from 'markdown-it';
import { isImageUrl, uploadPath } from './urls';

type Token = MarkdownIt.Token;

/** More images than this show as links only. */
const MAX_PREVIEWS = 24;
const PREVIEW_PLACES = new Set(['paragraph_close', 'heading_close', 'table_close']);

interface ImageLink {
  readonly href: string;
  readonly title: string;
}

/**
 * Plugin: uploaded images that a message links to are shown below the block with the link, or in its place if it
 * holds nothing else. Images elsewhere are not: loading them would tell their hosts who reads. Nor are quoted ones.
 */
export function imagePreviews(md: MarkdownIt): void {
  md.core.ruler.push('image_previews', (core) => {
    core.tokens = withPreviews(core.tokens, () => new core.Token('image_preview', 'div', 0));
  });
  md.renderer.rules.image_preview = (tokens, index) => {
    const { href, title } = tokens[index]!.meta as ImageLink;
    const target = md.utils.escapeHtml(href);
    const label = title === href ? '' : ` title="${md.utils.escapeHtml(title)}"`;
    return `<div class="message_inline_image"><a href="${target}"${label}><img src="${target}"></a></div>`;
  };
}

function withPreviews(tokens: readonly Token[], newPreview: () => Token): Token[] {
  const result: Token[] = [];
  let waiting: ImageLink[] = [];
  let shown = 0;
  let quotations = 0;
  for (const token of tokens) {
    result.push(token);
    if (token.type === 'blockquote_open') quotations += 1;
    if (token.type === 'blockquote_close') quotations -= 1;
    if (token.children && quotations === 0) waiting.push(...imageLinks(token.children));
    if (waiting.length === 0 || !PREVIEW_PLACES.has(token.type)) continue;

    const images = waiting.slice(0, MAX_PREVIEWS - shown);
    const isInPlace = images.length === 1 && isNothingButLink(result);
    if (isInPlace) result.splice(-3);
    for (const image of images) {
      const preview = newPreview();
      preview.meta = image;
      if (isInPlace) preview.content = image.title;
      result.push(preview);
    }
    shown += images.length;
    waiting = [];
  }
  return result;
}

function imageLinks(inline: readonly Token[]): ImageLink[] {
  const links: ImageLink[] = [];
  inline.forEach((token, index) => {
    const href = token.type === 'link_open' ? token.attrGet('href') : null;
    if (href === null || uploadPath(href) === undefined || !isImageUrl(href)) return;
    const end = inline.findIndex((other, position) => position > index && other.type === 'link_close');
    const title = inline
      .slice(index + 1, end)
      .map(({ content }) => content)
      .join('');
    links.push({ href, title });
  });
  return links;
}

/** True if the tokens end with a paragraph that is one link. */
function isNothingButLink(tokens: readonly Token[]): boolean {
  const [open, inline] = tokens.slice(-3);
  const children = inline?.children ?? [];
  return (
    open?.type === 'paragraph_open' &&
    children[0]?.type === 'link_open' &&
    children.filter(({ type }) => type === 'link_close').length === 1 &&
    children.at(-1)?.type === 'link_close'
  );
}
