import fc from 'fast-check';
import { MARKDOWN_PIECES } from '../../../../test/support/markdown-pieces';
import { renderContext } from '../../../../test/support/render-context';
import { awaitedPaths, fillPictures } from './media-html';
import { renderMarkdown } from './render-markdown';
import type { UploadedMedia, UploadedPicture } from './render-context';

const media = (thumbnails: UploadedPicture['thumbnails'], isAnimated = false): UploadedMedia => ({
  contentType: 'image/tiff',
  picture: { width: 30, height: 20, isAnimated, transcoded: '30x20.webp', thumbnails },
});
const render = (markdown: string, each: UploadedMedia) =>
  renderMarkdown(markdown, renderContext({ uploaded: (path: string) => (path === '' ? undefined : each) }))
    .html;

const text = fc
  .array(
    fc.constantFrom(...MARKDOWN_PIECES, '![a](/user_uploads/1/x.png?a&b)', '[](/user_uploads/1/a.png)\n\n'),
    {
      maxLength: 40,
    },
  )
  .map((parts) => parts.join(''));

describe('Filling pictures into a message', () => {
  it.each(['made', 'none'] as const)(
    'gives the same HTML as rendering it later, if they are %s',
    (thumbnails) => {
      for (const isAnimated of [true, false]) {
        const ready = media(thumbnails, isAnimated);
        fc.assert(
          fc.property(text, (markdown) => {
            const early = render(markdown, media('waiting', isAnimated));
            expect(fillPictures(early, () => ready)).toBe(render(markdown, ready));
          }),
          { numRuns: 1000, examples: [['![]()']] },
        );
      }
    },
  );

  it('ignores HTML that only resembles a placeholder', () => {
    const html = render(
      '`<img class="image-loading-placeholder" src="a">` <div class="message_inline_image"><a href="/user_uploads/1/a">',
      media('waiting'),
    );
    expect(awaitedPaths(html)).toEqual([]);
    expect(fillPictures(html, () => media('made'))).toBe(html);
  });

  it('leaves pending ones alone, and shows the original if the file is gone', () => {
    const html = render('![a](/user_uploads/1/a.png)\n\n[](/user_uploads/1/b%C3%A4.png)', media('waiting'));
    expect(awaitedPaths(html)).toEqual(['1/bä.png', '1/a.png']);
    expect(fillPictures(html, () => media('waiting'))).toBe(html);
    expect(fillPictures(html, () => undefined)).toBe(
      '<p><img alt="a" class="inline-image" data-original-src="/user_uploads/1/a.png" src="/user_uploads/1/a.png"></p>\n' +
        '<div class="message_inline_image"><a href="/user_uploads/1/b%C3%A4.png"><img src="/user_uploads/1/b%C3%A4.png"></a></div>',
    );
  });
});
