import fc from 'fast-check';
import { MARKDOWN_PIECES } from '../../../../test/support/markdown-pieces';
import { everyUpload, linkifier, renderContext } from '../../../../test/support/render-context';
import { renderMarkdown } from './render-markdown';
import { sanitize } from './sanitize';

const hostileContext = renderContext({
  customEmoji: (name: string) => (name === 'x' ? { id: 1, name, url: 'javascript:alert(1)' } : undefined),
  linkifiers: () => [linkifier(1, /L(\S)/g, 'https://l.example/?"><script>')],
  uploaded: everyUpload,
});
const render = (markdown: string) => renderMarkdown(markdown, hostileContext);

const SAFE_TARGET = /^(?:(?:https?|ftp|mailto|tel|sip|xmpp|irc|zulip):|(?!\/\/)[^:/?#]*(?:[/?#]|$))/i;

/** Fails unless every tag is one of the renderer's, with well-formed attributes that run no code. */
function expectSafe(html: string): void {
  for (const tag of html.match(/<[^>]*>?/g) ?? []) {
    expect(tag).toMatch(
      /^<\/?(?:p|br|hr|h[1-6]|strong|em|del|code|pre|blockquote|ul|ol|li|t(?:able|head|body|r|h|d)|math|semantics|annotation|m[a-z]+|svg|path|line|a|span|div|img|audio|video|time)(?: controls)?(?: [A-Za-z\d-]+="[^"<>]*")*\/?>$/,
    );
    for (const [, attribute, value] of tag.matchAll(/ ([A-Za-z\d-]+)="([^"]*)"/g)) {
      expect(attribute).not.toMatch(/^on/);
      if (attribute === 'href' || attribute === 'src') expect(value).toMatch(SAFE_TARGET);
    }
  }
  expect(sanitize(html)).toBe(html);
}

describe('attempts to run code', () => {
  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<svg/onload=alert(1)>',
    '<a href="javascript:alert(1)">x</a>',
    '<iframe src=javascript:alert(1)>',
    '<!--<img src="--><img src=x onerror=alert(1)//">',
    '<time:"><script>alert(1)</script>>',
    '<time:2026-01-01T10:00:00Z" onclick="alert(1)>',
    '[a](<javascript:alert(1)>)',
    '[a](https://x.org" onclick="alert(1))',
    '[a](https://x.org "\\" onclick=\\"alert(1)")',
    '[a](https://x.org/"><script>)',
    '[a](java\tscript:alert(1))',
    '[a](&#1;javascript:alert(1))',
    '![" onerror="alert(1)](/user_uploads/1/a.png)',
    '[<img src=x onerror=alert(1)>](/user_uploads/1/a.png)',
    '[a](/user_uploads/1/"onerror="alert(1).png)',
    '![" onerror="alert(1)](/user_uploads/1/a.mp3)',
    '![a](/user_uploads/1/"onerror="alert(1).mp3)',
    '![a](/user_uploads/1/a.png?"><script>alert(1)</script>)',
    '![a](/user_uploads/1/a.png#" onload="alert(1))',
    '[" onplay="alert(1)](/user_uploads/1/a.mp4)',
    '/user_uploads/1/a.png/../../"><script>',
    'https://x.org/"onmouseover="alert(1)',
    'https://x.org/<script>',
    '```"><script>alert(1)</script>\nx\n```',
    '```js\n"</code><script>alert(1)</script>"\n```',
    '```html\n<script>alert(1)</script><img src=x onerror=alert(1)>\n```',
    '```py"><script>\nx=1\n```',
    '```spoiler <script>alert(1)</script>\n<script>\n```',
    '$$<script>alert(1)</script>$$',
    '$$\\text{<script>alert(1)</script>}$$',
    '$$\\href{javascript:alert(1)}{x}$$ $$\\url{javascript:alert(1)}$$',
    '$$\\htmlStyle{position:fixed}{x}$$ $$\\htmlClass{modal}{x}$$ $$\\htmlData{onclick=alert(1)}{x}$$',
    '$$\\includegraphics{https://x.org/a.png}$$',
    '$$\\color{red;position:fixed}x$$ $$\\colorbox{"onclick=}{x}$$',
    '```math\n</annotation><script>alert(1)</script>\n```',
    '$$\\text{</annotation></semantics></math><img src=x onerror=alert(1)>}$$',
    '#**Denmark>"><script>alert(1)</script>**',
    '#**Denmark>x" onclick="alert(1)**',
    '@**<script>**',
    ':x: Ly L"',
    '| <script> |\n|:-|\n| <img onerror=x> |',
    '&lt;script&gt;alert(1)&lt;/script&gt;',
    '\u0000<scr\u0000ipt>alert(1)</script>',
    '<a href="&#x6A;avascript:alert(1)">',
    '~~~\n</code></pre><script>alert(1)</script>',
    '\\<script>',
  ])('%s', (markdown) => {
    const { html } = render(markdown);
    expectSafe(html);
    expect(html).not.toMatch(/<(?:script|svg|iframe|!--)/i);
  });

  it('drops what only a bug in the renderer could let through', () => {
    expect(sanitize('<p onclick="x()">a<script>b</script><a href="javascript:c">d</a></p>')).toBe(
      '<p>a<a>d</a></p>',
    );
    expect(sanitize('<span class="emoji evil" style="color:red">a</span><iframe></iframe>')).toBe(
      '<span class="emoji">a</span>',
    );
    expect(sanitize('<td style="background:url(x)">a</td>')).not.toContain('url');
    expect(sanitize('<img src="data:image/png,x">')).toBe('<img>');
    expect(sanitize('<audio controls autoplay src="https://x.org/a.mp3"></audio>')).toBe(
      '<audio controls></audio>',
    );
    expect(sanitize('<video preload="auto" src="//x.org/a.mp4" onplay="x()"></video>')).toBe(
      '<video preload="auto"></video>',
    );
    expect(sanitize('<img data-original-src="javascript:a" onload="b()" srcset="c" class="d">')).toBe(
      '<img data-original-src="javascript:a">',
    );
  });

  it('drops malformed formulas', () => {
    const { html } = render('a $$\\sqrt{x}^2$$ b');
    expect(html).toMatch(/^<p>a <span class="katex">.*<svg .*<\/span> b<\/p>$/s);
    expect(sanitize(html)).toBe(html);
    for (const [from, to] of [
      ['<mi>', '<mi onclick="x">'],
      ['<mi>', '<mi href="javascript:x">'],
      ['<mi>', '<mi><script>x</script>'],
      ['<mi>', '<mi><span>'],
      ['<annotation encoding="application/x-tex">', '<annotation encoding="text/html">'],
      ['<annotation encoding="application/x-tex">', '<annotation encoding="application/x-tex"><svg>'],
      ['class="base"', 'class="base" style="position:fixed"'],
      ['class="base"', 'class="base" style="background:url(x)"'],
      ['<path ', '<path onload="x" '],
    ] as const) {
      expect(html).toContain(from);
      const changed = sanitize(html.replace(from, to));
      expect(changed).not.toMatch(/<(?:math|mi|svg|script)|onclick|href|style|katex/);
    }
  });

  it('drops elements that are not tokens from code', () => {
    const block = (code: string) =>
      `<div class="codehilite"><pre><span></span><code>${code}</code></pre></div>`;
    const bare = block('<span>if</span>');
    expect(sanitize(block('<span class="k">if</span>'))).toBe(block('<span class="k">if</span>'));
    expect(sanitize(block('<span class="k" onclick="x">if</span>'))).toBe(bare);
    expect(sanitize(block('<span class="k evil">if</span>'))).toBe(bare);
    expect(sanitize(block('<span class="k"><span class="n">if</span></span>'))).toBe(
      block('<span><span>if</span></span>'),
    );
    expect(sanitize(block('<script>if</script>'))).toBe(block(''));
    expect(sanitize(`<time></time>${block('<span class="k">if</span>')}`)).toBe(`<time></time>${bare}`);
  });
});

describe('any text', () => {
  const markdown = fc.oneof(
    fc.array(fc.constantFrom(...MARKDOWN_PIECES), { maxLength: 60 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary', maxLength: 200 }),
  );

  it('renders to safe HTML', () => {
    fc.assert(
      fc.property(markdown, (text) => {
        expectSafe(render(text).html);
      }),
      { numRuns: 3000 },
    );
  });

  it('renders the same twice', () => {
    fc.assert(
      fc.property(markdown, (text) => {
        expect(render(text)).toEqual(render(text));
      }),
      { numRuns: 200 },
    );
  });
});

describe('text crafted to be slow', () => {
  const repeat = (text: string) => text.repeat(Math.ceil(10_000 / text.length)).slice(0, 10_000);

  it.each([
    ...[
      '[',
      ']',
      '(',
      '[]',
      '[a](',
      '![',
      '![a',
      '](x)',
      '[a](<b',
      '[a](b "',
      '*',
      '**',
      '*a **b ',
      'a**b',
      '*a_ ',
    ],
    ...[
      '_',
      '~~a',
      '`',
      '` ``',
      '>',
      '> ',
      '- ',
      '1. ',
      '#',
      '# ',
      '\\',
      '&',
      '&lt;',
      '<',
      '<!--',
      '<time:',
      '$$',
      '$$a',
    ],
    ...[
      '@',
      '@**',
      '@**a|',
      '@*',
      '#**',
      ':',
      ':a',
      ':smile:',
      '👍',
      '👩‍',
      '🇦',
      'http:',
      'http://(',
      'http://a[',
      'www.',
    ],
    ...[
      'www.a[',
      'a@',
      'a.',
      '|',
      '|-',
      '\n',
      'a\n',
      ' ',
      '\t',
      '```quote\n',
      '```spoiler a\n',
      '~~~quote\n',
      '> - ',
    ],
    ...['- a\n  ', '[*`<@', '*[_`>', '"', "'"],
  ])('%p over and over', (text) => {
    expectSafe(render(repeat(text)).html);
  });

  it.each([
    ['brackets', `${'['.repeat(5000)}${']'.repeat(5000)}`],
    ['links', `${'[a'.repeat(2500)}${'](b)'.repeat(1250)}`],
    ['backticks', Array.from({ length: 140 }, (_, length) => '`'.repeat(length)).join(' ')],
    ['list levels', Array.from({ length: 140 }, (_, depth) => `${' '.repeat(depth)}- a`).join('\n')],
    ['address', `http://a${'('.repeat(9990)}`],
    ['fence with blanks', `\`\`\`${' '.repeat(9990)}x\``],
    ['fence with a word', `~~~${'a'.repeat(9990)} \``],
    ['fence with tabs', `\`\`\`a${'\t '.repeat(4990)}b~`],
  ])('nested %s', (_name, text) => {
    expectSafe(render(text).html);
  });

  it('nests blocks to a limit and keeps the rest as text', () => {
    const { html } = render(`${'> '.repeat(50)}deep`);
    expect(html.match(/<blockquote>/g)!.length).toBeLessThanOrEqual(20);
    expect(html).toContain('&gt; deep');
  });

  it('nests inline markup to a limit and keeps the text', () => {
    const { html } = render('*a **b '.repeat(700) + '** *'.repeat(700));
    const depths = (html.match(/<\/?(?:em|strong)>/g) ?? []).map((tag) => (tag.startsWith('</') ? -1 : 1));
    let depth = 0;
    expect(Math.max(0, ...depths.map((step) => (depth += step)))).toBeLessThanOrEqual(100);
    expect(html.match(/[ab]/g)!.length).toBeGreaterThanOrEqual(1400);
  });

  it('shows the source of text whose markup would be out of proportion', () => {
    const columns = 100;
    const table = `${'|'.repeat(columns)}\n${'|-'.repeat(columns - 1)}|\n${'|<\n'.repeat(3000)}`;
    const { html } = render(table);
    expect(html).not.toContain('<table');
    expect(html.length).toBeLessThan(100_000);
    expectSafe(html);
  });
});
