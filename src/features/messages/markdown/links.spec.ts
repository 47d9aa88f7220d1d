import { linkifier, renderContext } from '../../../../test/support/render-context';
import { renderMarkdown, topicLinks } from './render-markdown';
import { endOfUrl } from './urls';

const render = (markdown: string) => renderMarkdown(markdown, renderContext());
const link = (href: string, text = href) => `<a href="${href}">${text}</a>`;

describe('addresses in text', () => {
  it.each([
    ['https://x.org', link('https://x.org')],
    ['see http://localhost:9991/a?b=1&c=2#d.', `see ${link('http://localhost:9991/a?b=1&amp;c=2#d')}.`],
    ['https://x.org/a_b*c*_d', link('https://x.org/a_b*c*_d')],
    ['https://x.org/:smile:/@**Iago**', link('https://x.org/:smile:/@**Iago') + '**'],
    ['(https://x.org/wiki/A_(b))', `(${link('https://x.org/wiki/A_(b)')})`],
    ['**https://x.org**', `<strong>${link('https://x.org')}</strong>`],
    ['"https://x.org"', `"${link('https://x.org')}"`],
    ['<https://x.org>', link('https://x.org')],
    ['www.x.org/y, ok', `${link('http://www.x.org/y', 'www.x.org/y')}, ok`],
    ['me@x.org', link('mailto:me@x.org', 'me@x.org')],
    ['mailto:me@x.org', link('mailto:me@x.org')],
    ['ftp://x.org/file', link('ftp://x.org/file')],
    ['https://x.org/ü', link('https://x.org/%C3%BC', 'https://x.org/ü')],
    ['https://x.org/a。', `${link('https://x.org/a')}。`],
    ['https://', 'https://'],
    ['xhttps://x.org', 'xhttps://x.org'],
    ['readme.md setup.py a.zip http:x', 'readme.md setup.py a.zip http:x'],
    ['x.org', link('http://x.org', 'x.org')],
    ['t.co, (zulip.com).', `${link('http://t.co', 't.co')}, (${link('http://zulip.com', 'zulip.com')}).`],
    ['x.org/a_(b)?c=d.', `${link('http://x.org/a_(b)?c=d', 'x.org/a_(b)?c=d')}.`],
    ['<x.org>', `&lt;${link('http://x.org', 'x.org')}&gt;`],
    [
      '1.5 v2.0.1 a.b.invalid @x.org =x.org x.org=1 x.org:80',
      '1.5 v2.0.1 a.b.invalid @x.org =x.org x.org=1 x.org:80',
    ],
    ['`x.org`', '<code>x.org</code>'],
    ['javascript:alert(1)', 'javascript:alert(1)'],
  ])('%s', (markdown, html) => {
    expect(render(markdown).html).toBe(`<p>${html}</p>`);
  });
});

describe('links with a text', () => {
  it.each([
    ['[a *b*](https://x.org)', '<a href="https://x.org">a <em>b</em></a>'],
    ['[a](https://x.org "Title")', '<a href="https://x.org" title="Title">a</a>'],
    ['[](https://x.org)', link('https://x.org')],
    ['[ \u200b](https://x.org)', link('https://x.org')],
    ['[https://y.org www.z.org](https://x.org)', link('https://x.org', 'https://y.org www.z.org')],
    ['[a](x.org/y)', link('http://x.org/y', 'a')],
    ['[a](/help)', link('/help', 'a')],
    ['[a](#narrow/is/starred)', link('#narrow/is/starred', 'a')],
    ['[a](https://chat.example.com/#narrow/channel/1)', link('#narrow/channel/1', 'a')],
    ['[a](https://chat.example.com/user_uploads/1/ab/f.pdf)', link('user_uploads/1/ab/f.pdf', 'a')],
    ['[a](user_uploads/1/ab/f.pdf)', link('user_uploads/1/ab/f.pdf', 'a')],
    ['[a](/user_uploads/1/ab/f.pdf)', link('/user_uploads/1/ab/f.pdf', 'a')],
    ['[a](mailto:me@x.org)', link('mailto:me@x.org', 'a')],
    ['![a](https://x.org/a.png) b', `${link('https://x.org/a.png', 'a')} b`],
    ['Look! [a](https://x.org)', `Look! ${link('https://x.org', 'a')}`],
  ])('%s', (markdown, html) => {
    expect(render(markdown)).toMatchObject({ html: `<p>${html}</p>`, hasLink: true });
  });

  it.each([
    '[a](javascript:alert(1))',
    '[a](JaVaScRiPt:alert(1))',
    '[a](&#106;avascript:alert(1))',
    '[a](java&#10;script:alert(1))',
    '[a](vbscript:x)',
    '[a](data:text/html;base64,PHNjcmlwdD4=)',
    '[a](file:///etc/passwd)',
    '[a](//evil.example)',
    '<javascript:alert(1)>',
    '![a](javascript:alert(1))',
  ])('stay text where the target is not safe: %s', (markdown) => {
    const { html, hasLink } = render(markdown);
    expect(html).not.toContain('<a');
    expect(hasLink).toBe(false);
  });
});

describe('what a message links to', () => {
  it.each([
    ['hello', { hasLink: false, hasImage: false, hasAttachment: false, attachmentPaths: [] }],
    ['https://x.org/a', { hasLink: true, hasImage: false, hasAttachment: false }],
    ['https://x.org/a.PNG?x=1', { hasLink: true, hasImage: true, hasAttachment: false }],
    [
      '[f](/user_uploads/1/ab/f.pdf) [f](/user_uploads/1/ab/f.pdf) [g](user_uploads/1/cd/g%20h.txt?x#y)',
      {
        hasLink: true,
        hasImage: false,
        hasAttachment: true,
        attachmentPaths: ['1/ab/f.pdf', '1/cd/g h.txt'],
      },
    ],
    ['https://chat.example.com/user_uploads/1/ab/f.pdf', { attachmentPaths: ['1/ab/f.pdf'] }],
    ['https://other.example.com/user_uploads/1/ab/f.pdf', { hasAttachment: false, attachmentPaths: [] }],
    ['`/user_uploads/1/ab/f.pdf`', { hasLink: false, hasAttachment: false }],
    ['[a](/user_uploads/%zz)', { attachmentPaths: ['%zz'] }],
  ])('%s', (markdown, facts) => {
    expect(render(markdown)).toMatchObject(facts);
  });
});

describe('linkifiers', () => {
  const ticket = linkifier(1, /#(\d+)/g, 'https://tickets.example/');
  const commit = linkifier(2, /commit (#?\w+)/g, 'https://commits.example/');
  const hostile = linkifier(3, /evil(\d*)/g, 'javascript:');
  const context = renderContext({ linkifiers: () => [ticket, commit, hostile] });

  it.each([
    [
      'fixes #12 and #13',
      `fixes ${link('https://tickets.example/12', '#12')} and ${link('https://tickets.example/13', '#13')}`,
    ],
    [
      'commit #12 commit abc',
      `commit ${link('https://tickets.example/12', '#12')} ${link('https://commits.example/abc', 'commit abc')}`,
    ],
    ['https://x.org/#12', link('https://x.org/#12')],
    ['[#12](https://x.org)', link('https://x.org', '#12')],
    ['`#12`', '<code>#12</code>'],
    ['evil1', 'evil1'],
  ])('%s', (markdown, html) => {
    expect(renderMarkdown(markdown, context).html).toBe(`<p>${html}</p>`);
  });

  it.each([
    ['plain topic', []],
    [
      '#12 at www.x.org and https://y.org/#13',
      [
        { text: '#12', url: 'https://tickets.example/12' },
        { text: 'www.x.org', url: 'https://www.x.org' },
        { text: '#13', url: 'https://tickets.example/13' },
      ],
    ],
    ['commit #5', [{ text: '#5', url: 'https://tickets.example/5' }]],
    ['✔ (https://y.org/a).', [{ text: 'https://y.org/a', url: 'https://y.org/a' }]],
  ])('in the topic %p', (topic, expected) => {
    expect(topicLinks(topic, () => context.linkifiers())).toEqual(expected);
  });
});

it('finds the end of an address with many dots in linear time', () => {
  const text = `http://a${'.,'.repeat(100_000)}x`;
  const began = process.cpuUsage();
  expect(endOfUrl(text, 7)).toBe(text.length);
  expect(endOfUrl(text.slice(0, -1), 7)).toBe('http://a'.length);
  // Restarting at each dot would take ten seconds or more.
  expect(process.cpuUsage(began).user).toBeLessThan(1_000_000);
});

it('addresses behind backslashes take linear time', () => {
  const began = process.cpuUsage();
  expect(render('\\https://a.b'.repeat(10_000))).toMatchObject({ hasLink: false });
  // Searching for the end of each would take ten seconds or more.
  expect(process.cpuUsage(began).user).toBeLessThan(3_000_000);
});
