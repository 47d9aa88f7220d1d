import { levelChange } from '../level-change';

export const change437PicturesInPlace = levelChange(
  437,
  'Zulip 12.0, feature level 437: Pictures that are written as images stand where they are written; before, they were links with previews.',
  { html: picturesAsPreviews },
);

const PICTURE = /<img [^>]*class="inline-image"[^>]*>/g;

function attribute(tag: string, name: string): string {
  return new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
}

/** A link in the text, and the preview that follows the paragraph. */
function linkAndPreview(tag: string): { link: string; preview: string } {
  const [alt, original] = [attribute(tag, 'alt'), attribute(tag, 'data-original-src')];
  const picture = tag.replace(/ (alt|class|data-original-src)="[^"]*"/g, '');
  const preview = `<div class="message_inline_image"><a href="${original}" title="${alt}">${picture}</a></div>`;
  return { link: `<a href="${original}">${alt}</a>`, preview };
}

function picturesAsPreviews(html: string): string {
  const inParagraphs = html.replace(/<p>(?:(?!<\/p>).)*<\/p>/gs, (paragraph) => {
    const previews = [...paragraph.matchAll(PICTURE)].map(([tag]) => linkAndPreview(tag).preview);
    return paragraph.replace(PICTURE, (tag) => linkAndPreview(tag).link) + previews.join('');
  });
  return inParagraphs.replace(PICTURE, (tag) => linkAndPreview(tag).link + linkAndPreview(tag).preview);
}
