import { renderContext } from '../../../../test/support/render-context';
import { renderMarkdown } from './render-markdown';
import type { UploadedMedia, UploadedPicture } from './render-context';

const cat = '/user_uploads/1/ab/cat.png';
const dog = '/user_uploads/1/cd/dog.jpg';
const film = '/user_uploads/1/ef/film.mp4';
const song = '/user_uploads/1/01/song.mp3';

const size: UploadedPicture = {
  width: 1920,
  height: 1080,
  isAnimated: false,
  transcoded: null,
  thumbnails: 'made',
};
const picture = (more: Partial<UploadedPicture> = {}, contentType = 'image/png'): UploadedMedia => ({
  contentType,
  picture: { ...size, ...more },
});
const uploads: Record<string, UploadedMedia> = {
  '1/ab/cat.png': picture(),
  '1/cd/dog.jpg': picture({}, 'image/jpeg'),
  '1/ef/film.mp4': { contentType: 'video/mp4', picture: null },
  '1/01/song.mp3': { contentType: 'audio/mpeg', picture: null },
  '1/23/notes.pdf': { contentType: 'application/pdf', picture: null },
};
const html = (markdown: string, more: Record<string, UploadedMedia> = {}) =>
  renderMarkdown(markdown, renderContext({ uploaded: (path: string) => ({ ...uploads, ...more })[path] }))
    .html;

const link = (href: string, text = href) => `<a href="${href}">${text}</a>`;
const measures = (type = 'image/png') =>
  `data-original-content-type="${type}" data-original-dimensions="1920x1080"`;
const thumbnail = (href: string) =>
  href.replace('/user_uploads/', '/user_uploads/thumbnail/').concat('/840x560.webp');
const typeOf = (href: string) => (href.endsWith('jpg') ? 'image/jpeg' : 'image/png');
const preview = (href: string, title = '') =>
  `<div class="message_inline_image"><a href="${href}"${title ? ` title="${title}"` : ''}>` +
  `<img ${measures(typeOf(href))} src="${thumbnail(href)}"></a></div>`;
const player = (href: string, title = '') =>
  `<div class="message_inline_image message_inline_video"><a href="${href}"${title ? ` title="${title}"` : ''}>` +
  `<video preload="metadata" src="${href}"></video></a></div>`;
const inline = (href: string, alt: string) =>
  `<img alt="${alt}" class="inline-image" ${measures(typeOf(href))} data-original-src="${href}" src="${thumbnail(href)}">`;

describe('previews of uploaded pictures and videos', () => {
  it.each([
    [
      'below the paragraph',
      `see [cat.png](${cat})`,
      `<p>see ${link(cat, 'cat.png')}</p>\n${preview(cat, 'cat.png')}`,
    ],
    [
      'below a paragraph that is a link with a text',
      `[cat.png](${cat})`,
      `<p>${link(cat, 'cat.png')}</p>\n${preview(cat, 'cat.png')}`,
    ],
    ['instead of a paragraph that is the address', `[](${cat})`, preview(cat)],
    ['instead of the whole address of this site', `https://chat.example.com${cat}`, preview(cat)],
    ['instead of an address without a slash', `[](${cat.slice(1)})`, preview(cat)],
    [
      'below an address among words',
      `see https://chat.example.com${cat}`,
      `<p>see ${link(cat.slice(1), `https://chat.example.com${cat}`)}</p>\n${preview(cat)}`,
    ],
    [
      'one after the other',
      `[a](${cat}) [b](${dog})\n\nc`,
      `<p>${link(cat, 'a')} ${link(dog, 'b')}</p>\n${preview(cat, 'a')}${preview(dog, 'b')}<p>c</p>`,
    ],
    [
      'once for each file',
      `[](${cat})\n\n[a](${cat}) [b](${cat})`,
      `${preview(cat)}<p>${link(cat, 'a')} ${link(cat, 'b')}</p>`,
    ],
    [
      'at the end of a list item',
      `- [a](${cat}) b\n  - c\n- d`,
      `<ul>\n<li>${link(cat, 'a')} b\n<ul>\n<li>c</li>\n</ul>\n${preview(cat, 'a')}</li>\n<li>d</li>\n</ul>`,
    ],
    ['in a list item of their own', `- [](${cat})`, `<ul>\n<li>\n${preview(cat)}</li>\n</ul>`],
    [
      'at the end of the message for a heading',
      `# [a](${cat})\nb`,
      `<h1>${link(cat, 'a')}</h1>\n<p>b</p>\n${preview(cat, 'a')}`,
    ],
    ['of videos', `[a](${film})`, `<p>${link(film, 'a')}</p>\n${player(film, 'a')}`],
    ['of videos instead of the address', `[](${film})`, player(film)],
    [
      'of videos that are asked for as images',
      `![a](${film})`,
      `<p>${link(film, 'a')}</p>\n${player(film, 'a')}`,
    ],
    ['not in quotations', `> [a](${cat})`, `<blockquote>\n<p>${link(cat, 'a')}</p>\n</blockquote>`],
    ['not from elsewhere', 'https://x.org/a.png', `<p>${link('https://x.org/a.png')}</p>`],
    [
      'not of other files',
      `[f](/user_uploads/1/23/notes.pdf)`,
      `<p>${link('/user_uploads/1/23/notes.pdf', 'f')}</p>`,
    ],
    [
      'not of files that nobody knows',
      `[f](/user_uploads/1/a.png)`,
      `<p>${link('/user_uploads/1/a.png', 'f')}</p>`,
    ],
    ['not of sound', `[s](${song})`, `<p>${link(song, 's')}</p>`],
  ])('%s', (_name, markdown, expected) => {
    expect(html(markdown)).toBe(expected);
  });

  it('follow at the end of the message for a table', () => {
    const rendered = html(`| a |\n|---|\n| [b](${cat}) |\n\nc`);
    expect(rendered.endsWith(`<p>c</p>\n${preview(cat, 'b')}`)).toBe(true);
  });

  it('are shown for messages with up to two dozen different links', () => {
    const links = (count: number) =>
      Array.from({ length: count }, (_, at) => `[${at}](${at === 0 ? cat : `https://x.org/${at}`})`).join(
        ' ',
      );
    expect(html(links(24))).toContain('<img');
    expect(html(links(25))).not.toContain('<img');
    expect(html(`[a](${cat}) `.repeat(100)).match(/<img/g)).toHaveLength(1);
  });
});

describe('a picture', () => {
  const shown = (more: Partial<UploadedPicture>, type?: string) =>
    html(`[](${cat})`, { '1/ab/cat.png': picture(more, type) });
  const around = (image: string) => `<div class="message_inline_image"><a href="${cat}">${image}</a></div>`;

  it('has a placeholder until it is ready', () => {
    expect(shown({ thumbnails: 'waiting' })).toBe(
      around(
        `<img class="image-loading-placeholder" ${measures()} src="/static/images/loading/loader-black.svg">`,
      ),
    );
  });

  it('is animated if the upload is', () => {
    expect(shown({ isAnimated: true }, 'image/gif')).toBe(
      around(
        `<img data-animated="true" ${measures('image/gif')} src="/user_uploads/thumbnail/1/ab/cat.png/840x560-anim.webp">`,
      ),
    );
  });

  it('names a large version if browsers cannot show the file', () => {
    expect(shown({ transcoded: '1920x1080.webp' }, 'image/tiff')).toBe(
      around(
        `<img ${measures('image/tiff')} data-transcoded-image="1920x1080.webp" src="${thumbnail(cat)}">`,
      ),
    );
  });

  it('is shown as uploaded if it has no thumbnail', () => {
    expect(shown({ thumbnails: 'none' })).toBe(around(`<img src="${cat}">`));
    expect(html(`![a](${cat})`, { '1/ab/cat.png': picture({ thumbnails: 'none' }) })).toBe(
      `<p><img alt="a" class="inline-image" data-original-src="${cat}" src="${cat}"></p>`,
    );
  });

  it('drops query and fragment from the address of a thumbnail', () => {
    expect(html(`[](${cat}?a=1&b=2#c)`)).toContain(` src="${thumbnail(cat)}"`);
  });
});

describe('files in the text', () => {
  it.each([
    ['pictures', `a ![b](${cat}) c`, `<p>a ${inline(cat, 'b')} c</p>`],
    ['pictures without a description', `![](${cat})`, `<p>${inline(cat, '')}</p>`],
    ['pictures right after a word', `wow![b](${cat})`, `<p>wow${inline(cat, 'b')}</p>`],
    ['several of them', `![a](${cat}) ![b](${dog})`, `<p>${inline(cat, 'a')} ${inline(dog, 'b')}</p>`],
    ['in headings', `# ![a](${cat})`, `<h1>${inline(cat, 'a')}</h1>`],
    ['in list items', `- ![a](${cat})`, `<ul>\n<li>${inline(cat, 'a')}</li>\n</ul>`],
    ['in quotations', `> ![a](${cat})`, `<blockquote>\n<p>${inline(cat, 'a')}</p>\n</blockquote>`],
    ['described without markup', `![a **b** "c"](${cat})`, `<p>${inline(cat, 'a b &quot;c&quot;')}</p>`],
    [
      'pictures that are not ready',
      `![a](/user_uploads/1/x.png)`,
      `<p><img alt="a" class="inline-image image-loading-placeholder" ${measures()} ` +
        `data-original-src="/user_uploads/1/x.png" src="/static/images/loading/loader-black.svg"></p>`,
    ],
    [
      'sound',
      `a ![b.mp3](${song})`,
      `<p>a <audio controls preload="metadata" src="${song}" title="b.mp3"></audio></p>`,
    ],
    [
      'sound without a name',
      `![](${song})`,
      `<p><audio controls preload="metadata" src="${song}"></audio></p>`,
    ],
    ['not what is elsewhere', `![a](https://x.org/a.png)`, `<p>${link('https://x.org/a.png', 'a')}</p>`],
    ['not what nobody knows', `![a](/user_uploads/1/a.png)`, `<p>${link('/user_uploads/1/a.png', 'a')}</p>`],
  ])('%s', (_name, markdown, expected) => {
    expect(html(markdown, { '1/x.png': picture({ thumbnails: 'waiting' }) })).toBe(expected);
  });

  it('count as links to files, and their descriptions as words', () => {
    const context = renderContext({ uploaded: (path: string) => uploads[path] });
    expect(renderMarkdown(`![soup](${cat}) ![](${song})`, context)).toMatchObject({
      attachmentPaths: ['1/ab/cat.png', '1/01/song.mp3'],
      hasAttachment: true,
      hasImage: true,
      hasLink: true,
      prose: 'soup ',
    });
  });
});
