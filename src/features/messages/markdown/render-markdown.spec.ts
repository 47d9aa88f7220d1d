import fc from 'fast-check';
import { linkifier, renderContext } from '../../../../test/support/render-context';
import { isFormula, splitAtFormulas } from '../typesetting/formulas';
import { renderDescription, renderMarkdown } from './render-markdown';

const render = (markdown: string) => renderMarkdown(markdown, renderContext());
const lines = (...each: string[]) => each.join('\n');
const code = (source: string, language?: string) =>
  `<div class="codehilite"${language ? ` data-code-language="${language}"` : ''}>` +
  `<pre><span></span><code>${source}</code></pre></div>`;
const emoji = (name: string, emojiCode: string) => {
  const title = name.replaceAll('_', ' ');
  return `<span aria-label="${title}" class="emoji emoji-${emojiCode}" role="img" title="${title}">:${name}:</span>`;
};

describe('a line of words and punctuation', () => {
  const pieces = [
    'a',
    'T1',
    'ä',
    'ß',
    'www',
    'com',
    '1',
    ' ',
    ' ',
    '.',
    ',',
    '-',
    "'",
    '"',
    '?',
    '!',
    ':D',
    '(',
    '@',
    '&',
    '_',
    '*',
  ];
  const context = renderContext({
    translatesEmoticons: true,
    linkifiers: (text: string) => (/T\d/.test(text) ? [linkifier(1, /T(\d)/g, 'https://t.example/')] : []),
  });

  it('bypasses the parser with the same result', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 12 }), (some) => {
        const text = some.join('').trim();
        // The line break is stripped again, but forces the text through the parser.
        expect(renderMarkdown(text, context)).toEqual(renderMarkdown(`${text}\n`, context));
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('inline markup', () => {
  it.each([
    ['plain', 'hello', 'hello'],
    ['bold', '**bold**', '<strong>bold</strong>'],
    ['italic', '*italic*', '<em>italic</em>'],
    ['bold and italic', '***both***', '<strong><em>both</em></strong>'],
    ['bold and italic in a link', '[***both***](/a)', '<a href="/a"><strong><em>both</em></strong></a>'],
    ['bold and italic, twice', '***a*** ***b***', '<strong><em>a</em></strong> <strong><em>b</em></strong>'],
    ['bold and italic, struck', '***~~a~~***', '<strong><em><del>a</del></em></strong>'],
    ['bold in italic', '*a **b***', '<em>a <strong>b</strong></em>'],
    ['italic after bold', '***a** b*', '<em><strong>a</strong> b</em>'],
    ['bold after italic', '***a* b**', '<strong><em>a</em> b</strong>'],
    ['more asterisks than markup', '****a****', '<strong><strong>a</strong></strong>'],
    ['no emphasis by underscores', '_a_ __b__ snake_case_name', '_a_ __b__ snake_case_name'],
    ['emphasis needs text beside the mark', '2 * 3 * 4', '2 * 3 * 4'],
    ['strikethrough', '~~gone~~', '<del>gone</del>'],
    ['strikethrough with blanks', 'a~~ b *c* ~~d', 'a<del> b <em>c</em> </del>d'],
    ['no strikethrough by three marks, or on two lines', '~~~a~~~ b ~~c\nd~~', '~~~a~~~ b ~~c<br>\nd~~'],
    ['code', '`a *b* <c>`', '<code>a *b* &lt;c&gt;</code>'],
    ['code with blanks', '` a ` ``  ` outer ` ``', '<code> a </code> <code>  ` outer ` </code>'],
    ['code of blanks', '`  `', '<code>  </code>'],
    ['code on two lines', '`a\nb`', '<code>a\nb</code>'],
    ['code between more marks', '```x``` ``a`b``', '<code>x</code> <code>a`b</code>'],
    ['code that nothing ends', '``a` b', '``a` b'],
    [
      'code in strong text',
      '**`a`** [`b`](/c)',
      '<strong><code>a</code></strong> <a href="/c"><code>b</code></a>',
    ],
    ['code after a backslash', '\\`a` `b', '`a<code> </code>b'],
    ['a line break', 'a\nb', 'a<br>\nb'],
    ['escaped marks', '\\*not italic\\*', '*not italic*'],
    ['raw HTML', '<b>x</b> & y', '&lt;b&gt;x&lt;/b&gt; &amp; y'],
    ['dollars', '$5 and $$', '$5 and $$'],
  ])('%s', (_name, markdown, html) => {
    expect(render(markdown).html).toBe(`<p>${html}</p>`);
  });
});

describe('blocks', () => {
  it.each([
    ['nothing', '', ''],
    ['white space', ' \n\n ', ''],
    ['paragraphs', 'a\n\nb', '<p>a</p>\n<p>b</p>'],
    ['headings', '# One\n### Three', '<h1>One</h1>\n<h3>Three</h3>'],
    ['a number sign without blank', '#tag', '<p>#tag</p>'],
    ['no heading by underlining', 'text\n---', '<p>text</p>\n<hr>'],
    ['link definitions stay', '[a]: https://x.org', '<p>[a]: <a href="https://x.org">https://x.org</a></p>'],
    ['a bullet list', '- a\n- b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
    ['an ordered list', '5. fifth\n6. sixth', '<ol start="5">\n<li>fifth</li>\n<li>sixth</li>\n</ol>'],
    ['a nested list', '- a\n  1. b', '<ul>\n<li>a\n<ol>\n<li>b</li>\n</ol>\n</li>\n</ul>'],
    [
      'a list nested by two blanks under numbers',
      '1. a\n  * b\n    c\n  * d\n2. e\n10. f\n  - g',
      '<ol>\n<li>a\n<ul>\n<li>b<br>\nc</li>\n<li>d</li>\n</ul>\n</li>\n<li>e</li>\n<li>f\n<ul>\n<li>g</li>\n</ul>\n</li>\n</ol>',
    ],
    [
      'one list with several marks',
      '* a\n- b\n  + c\n+ d',
      '<ul>\n<li>a</li>\n<li>b\n<ul>\n<li>c</li>\n</ul>\n</li>\n<li>d</li>\n</ul>',
    ],
    ['a list in code', '```\n1. a\n  * b\n  - c\n```', code('1. a\n  * b\n  - c\n')],
    ['a quotation of nothing', '>\n> ', '<p>&gt;<br>\n&gt;</p>'],
    ['a quotation with an empty line', '>\n> a', '<blockquote>\n<p>a</p>\n</blockquote>'],
    [
      'bars in the code of a table',
      '| `a|b` | c |\n|--|--|\n| ``d|`|e`` | `f` |',
      lines(
        '<table>',
        '<thead>',
        '<tr>',
        '<th><code>a|b</code></th>',
        '<th>c</th>',
        '</tr>',
        '</thead>',
        '<tbody>',
        '<tr>',
        '<td><code>d|`|e</code></td>',
        '<td><code>f</code></td>',
        '</tr>',
        '</tbody>',
        '</table>',
      ),
    ],
    [
      'bars in code that is in no table',
      '`a|b` | c\n- d',
      '<p><code>a|b</code> | c</p>\n<ul>\n<li>d</li>\n</ul>',
    ],
    ['a quotation', '> a\n> b', '<blockquote>\n<p>a<br>\nb</p>\n</blockquote>'],
    [
      'a table',
      '| a | b |\n|:-:|--:|\n| 1 | **2** |',
      lines(
        '<table>',
        '<thead>',
        '<tr>',
        '<th style="text-align: center;">a</th>',
        '<th style="text-align: right;">b</th>',
        '</tr>',
        '</thead>',
        '<tbody>',
        '<tr>',
        '<td style="text-align: center;">1</td>',
        '<td style="text-align: right;"><strong>2</strong></td>',
        '</tr>',
        '</tbody>',
        '</table>',
      ),
    ],
  ])('%s', (_name, markdown, html) => {
    expect(render(markdown).html).toBe(html);
  });
});

describe('code', () => {
  const print =
    '<span class="nb">print</span><span class="p">(</span><span class="s">"&lt;1&gt;"</span><span class="p">)</span>\n';

  it.each([
    ['without a language', '```\nverb\natim\n```', code('verb\natim\n')],
    ['with a language', '```python\nprint("<1>")\n```', code(print, 'Python')],
    ['with a short name', '``` js\nx\n```', code('<span class="n">x</span>\n', 'JavaScript')],
    ['in braces', '```{.rust}\nx\n```', code('<span class="n">x</span>\n', 'Rust')],
    ['with an unknown language', '```FooLang\nx\n```', code('x\n', 'foolang')],
    ['of the form of a property', '```constructor\nx\n```', code('x\n', 'constructor')],
    ['that is text', '```text\nif (x) { return 1 }\n```', code('if (x) { return 1 }\n', 'Text only')],
    ['between tildes', '~~~\n```\n~~~', code('```\n')],
    ['with longer marks in it', '```\nx\n````\ny\n```', code('x\n````\ny\n')],
    ['indented', '    code', code('code\n')],
    ['not closed', '```\nx', code('x\n')],
    ['without content', '```\n\n \n```', ''],
    ['with blanks around it', '```\n\n  a  \n\n\tb\t\n \n```', code('  a\n\n\tb\n')],
    ['in a list', '- a\n  ```\n  x\n  ```', `<ul>\n<li>a${code('x\n')}\n</li>\n</ul>`],
    ['not closed in a list', '- ```\n  x\n\nb', `<ul>\n<li>\n${code('x\n')}\n</li>\n</ul>\n<p>b</p>`],
    ['after text', 'a\n```\nx\n```\nb', `<p>a</p>\n${code('x\n')}\n<p>b</p>`],
  ])('%s', (_name, markdown, html) => {
    expect(render(markdown).html).toBe(html);
  });

  it.each(['#!python', '#!/usr/bin/python', '#!/usr/bin/env python', ':::python'])(
    'in the language that the first line names: %s',
    (line) => {
      const { html } = render('```\n' + line + '\nprint("<1>")\n```');
      expect(html).toMatch(/^<div class="codehilite"><pre>/);
      expect(html).toContain(`\n${print}`);
    },
  );

  it('keeps its tokens next to HTML that is sanitized tag by tag', () => {
    const { html } = render(
      '[a](https://x.org)\n```py\nprint("<1>")\n```\n- :smile:\n```py\nprint("<1>")\n```',
    );
    expect(html.split(code(print, 'Python'))).toHaveLength(3);
  });

  describe('without a language, if the organization has a default', () => {
    const inPython = (markdown: string) =>
      renderMarkdown(markdown, renderContext({ defaultCodeLanguage: 'py' })).html;

    it.each([
      ['takes it', '```\nprint("<1>")\n```', code(print, 'Python')],
      [
        'takes it in a quotation',
        '```quote\n~~~\nprint("<1>")\n~~~\n```',
        `<blockquote>\n${code(print, 'Python')}\n</blockquote>`,
      ],
      ['keeps its own', '```text\nx\n```', code('x\n', 'Text only')],
      ['has none where it is indented', '    x', code('x\n')],
      ['has none in a line', '`x`', '<p><code>x</code></p>'],
    ])('%s', (_name, markdown, html) => {
      expect(inPython(markdown)).toBe(html);
    });

    it('does not use it in a spoiler, and does after the spoiler', () => {
      expect(inPython('````spoiler\n```\nx\n```\n````\n```\nx\n```')).toBe(
        '<div class="spoiler-block"><div class="spoiler-header">\n</div>' +
          `<div class="spoiler-content" aria-hidden="true">\n${code('x\n')}\n</div></div>\n` +
          code('<span class="n">x</span>\n', 'Python'),
      );
    });
  });

  it.each(['```\n%s\n```', '`%s`', '    %s'])('leaves everything inside alone: %p', (template) => {
    const text = '@**Iago** @**all** #**Denmark** :tada: https://x.org <time:2026-01-01T10:00:00Z> *a* 🎉';
    const rendered = render(template.replace('%s', text));
    expect(rendered.html).toContain(text.replace('<', '&lt;').replace('>', '&gt;'));
    expect(rendered).toMatchObject({ hasLink: false, channelWildcard: false, mentionedUserIds: new Set() });
  });
});

describe('formulas', () => {
  const MATHML = '<math xmlns="http://www.w3.org/1998/Math/MathML"';
  const FORM = new RegExp(
    `^<span class="katex"><span class="katex-mathml">${MATHML}( display="block")?><semantics>.*` +
      '<annotation encoding="application/x-tex">([^<]*)</annotation></semantics></math></span>' +
      '<span class="katex-html" aria-hidden="true">.*</span></span>$',
    's',
  );

  /** Each formula as its source, in single braces, or in double ones for display formulas. */
  const outline = (markdown: string) =>
    splitAtFormulas(render(markdown).html)
      .map((part) =>
        isFormula(part)
          ? part.replace(FORM, (_, displayed: string | undefined, source: string) =>
              displayed ? `{{${source}}}` : `{${source}}`,
            )
          : part,
      )
      .join('')
      .replace(/<span class="katex-display">(\{\{[^}]*\}\})<\/span>/g, '$1');

  it.each([
    ['in a line', 'a $$x^2$$ b', '<p>a {x^2} b</p>'],
    [
      'with what would be markup',
      '$$x_1*y*<z&$$',
      '<p><span class="tex-error">$$x_1*y*&lt;z&amp;$$</span></p>',
    ],
    ['with blanks', '$$ x + 1 $$', '<p>{ x + 1 }</p>'],
    ['with a dollar sign', '$$5\\$$$', '<p>{5\\$}</p>'],
    ['with letters beside them', 'a$$x$$ $$y$$b ($$z$$)', '<p>a$$x$$ $$y$$b ({z})</p>'],
    ['prices', '$5 to $20 and $$', '<p>$5 to $20 and $$</p>'],
    ['with a mark that begins none', '$$_x$$ $$ $$', '<p>$$_x$$ { }</p>'],
    ['in more than one line', '$$x\ny$$', '<p>$$x<br>\ny$$</p>'],
    ['in a heading', '# $$x$$', '<h1>{x}</h1>'],
    ['not in code', '`$$x$$`', '<p><code>$$x$$</code></p>'],
    ['that are wrong', '$$\\x{$$', '<p><span class="tex-error">$$\\x{$$</span></p>'],
    ['in a block', '```math\nx^2\n```', '<p>{{x^2}}</p>'],
    ['several in a block', '``` math\n\nx\n y\n\n\nz\n```', '<p>{{x\n y}}\n\n{{z}}</p>'],
    ['wrong in a block', '```math\n\\x\n\ny\n```', '<p><span class="tex-error">\\x</span>\n\n{{y}}</p>'],
    ['none in a block', '```math\n \n```', ''],
    ['in a quotation', '> $$x$$', '<blockquote>\n<p>{x}</p>\n</blockquote>'],
  ])('%s', (_name, markdown, html) => {
    expect(outline(markdown)).toBe(html);
  });

  it.each([
    ['links', '$$\\href{https://x.org}{x}$$'],
    ['pictures', '$$\\includegraphics{https://x.org/a.png}$$'],
    ['attributes', '$$\\htmlClass{a}{x}$$'],
  ])('hold no %s', (_what, markdown) => {
    expect(render(markdown).html).not.toMatch(/href=|src=|class="a"|<a |<img /);
  });

  it('print nothing to stdout', () => {
    const written = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    const shown = jest.spyOn(console, 'log').mockReturnValue();
    const warned = jest.spyOn(console, 'warn').mockReturnValue();
    render('$$\\origof \\show x \\message{secret}$$ $$漢字$$');
    expect([written, shown, warned].map(({ mock }) => mock.calls)).toEqual([[], [], []]);
    for (const spy of [written, shown, warned]) spy.mockRestore();
  });

  it('count as their source in plain text, and display formulas not as prose', () => {
    expect(render('so $$x^2$$\n\n```math\ny\n```').prose).toBe('so x^2');
  });
});

describe('fences that contain Markdown', () => {
  it.each([
    [
      'a quotation',
      '```quote\n*words*\n```\nreply',
      '<blockquote>\n<p><em>words</em></p>\n</blockquote>\n<p>reply</p>',
    ],
    [
      'code in a quotation',
      '```quote\na\n```py\nb\n```\nc\n```\nd',
      `<blockquote>\n<p>a</p>\n${code('<span class="n">b</span>\n', 'Python')}\n<p>c</p>\n</blockquote>\n<p>d</p>`,
    ],
    [
      'a quotation in a quotation',
      '````quote\n```quote\na\n```\n````',
      '<blockquote>\n<blockquote>\n<p>a</p>\n</blockquote>\n</blockquote>',
    ],
    [
      'a spoiler',
      '```spoiler *Head*\nbody\n```',
      '<div class="spoiler-block"><div class="spoiler-header">\n<p><em>Head</em></p>\n</div>' +
        '<div class="spoiler-content" aria-hidden="true">\n<p>body</p>\n</div></div>',
    ],
    [
      'a spoiler without a header',
      '```spoiler\nbody\n```',
      '<div class="spoiler-block"><div class="spoiler-header">\n</div>' +
        '<div class="spoiler-content" aria-hidden="true">\n<p>body</p>\n</div></div>',
    ],
    ['a quotation that is not closed', '```quote\na', '<blockquote>\n<p>a</p>\n</blockquote>'],
  ])('%s', (_name, markdown, html) => {
    expect(render(markdown).html).toBe(html);
  });
});

describe('channel links', () => {
  it.each([
    ['#**Denmark**', '<a class="stream" data-stream-id="1" href="/#narrow/channel/1-Denmark">#Denmark</a>'],
    ['#**denmark**', '<a class="stream" data-stream-id="1" href="/#narrow/channel/1-Denmark">#Denmark</a>'],
    [
      '#**dev help (v1.0)**',
      '<a class="stream" data-stream-id="2" href="/#narrow/channel/2-dev-help-.28v1.2E0.29">#dev help (v1.0)</a>',
    ],
    ['#**a>b**', '<a class="stream" data-stream-id="3" href="/#narrow/channel/3-a.3Eb">#a&gt;b</a>'],
    [
      '#**Denmark>50% ünï & co**',
      '<a class="stream-topic" data-stream-id="1" ' +
        'href="/#narrow/channel/1-Denmark/topic/50.25.20.C3.BCn.C3.AF.20.26.20co">#Denmark &gt; 50% ünï &amp; co</a>',
    ],
    [
      '#**Denmark>**',
      '<a class="stream-topic" data-stream-id="1" href="/#narrow/channel/1-Denmark/topic/">#Denmark &gt; <em>general chat</em></a>',
    ],
    [
      '#**Denmark>@5**',
      '<a class="message-link" href="/#narrow/channel/1-Denmark/topic//near/5">' +
        '#Denmark &gt; <em>general chat</em> @ 💬</a>',
    ],
    [
      '#**denmark>plans**',
      '<a class="stream-topic" data-stream-id="1" href="/#narrow/channel/1-Denmark/topic/plans/with/77">' +
        '#Denmark &gt; plans</a>',
    ],
    [
      '#**Denmark>near links@123**',
      '<a class="message-link" href="/#narrow/channel/1-Denmark/topic/near.20links/near/123">' +
        '#Denmark &gt; near links @ 💬</a>',
    ],
    ['#**nowhere**', '#<strong>nowhere</strong>'],
    ['#**nowhere>topic**', '#<strong>nowhere&gt;topic</strong>'],
  ])('%s', (markdown, html) => {
    expect(render(markdown)).toMatchObject({ html: `<p>${html}</p>`, hasLink: html.startsWith('<a') });
  });

  it('survive half a surrogate pair in a topic', () => {
    expect(render('#**Denmark>\ud83d**').html).toContain('/topic/.EF.BF.BD');
  });
});

describe('emoji', () => {
  it.each([
    [':smile:', emoji('smile', '1f642')],
    [':thumbs_up:', emoji('thumbs_up', '1f44d')],
    [':+1::-1:', emoji('+1', '1f44d') + emoji('-1', '1f44e')],
    ['🎉', emoji('tada', '1f389')],
    ['a❤️b❤c', `a${emoji('heart', '2764')}b${emoji('heart', '2764')}c`],
    ['1️⃣ 🇺🇸', `${emoji('one', '0031-20e3')} ${emoji('flag_united_states', '1f1fa-1f1f8')}`],
    ['🏳️‍⚧️', emoji('transgender_flag', '1f3f3-200d-26a7')],
    ['👍🏽 ☺︎ © 5 ↔', '👍🏽 ☺︎ © 5 ↔'],
    [':no_such_emoji: 10:30:00 ::', ':no_such_emoji: 10:30:00 ::'],
    [
      ':green_tick:',
      '<img alt=":green_tick:" class="emoji" src="/user_avatars/1/emoji/images/11.png" title="green tick">',
    ],
    [
      ':octopus:',
      '<img alt=":octopus:" class="emoji" src="/user_avatars/1/emoji/images/12.png" title="octopus">',
    ],
    ['\\:smile:', ':smile:'],
  ])('%s', (markdown, html) => {
    expect(render(markdown).html).toBe(`<p>${html}</p>`);
  });
});

describe('times', () => {
  it.each([
    ['2026-01-01T10:00:00Z', '2026-01-01T10:00:00Z'],
    ['2024-03-07T15:00:00-08:00', '2024-03-07T23:00:00Z'],
    ['2026-01-01T10:00+0530', '2026-01-01T04:30:00Z'],
    ['2026-01-01 10:00:00.5', '2026-01-01T10:00:00Z'],
    ['2026-01-01', '2026-01-01T00:00:00Z'],
    ['1767261600', '2026-01-01T10:00:00Z'],
    ['-86400', '1969-12-31T00:00:00Z'],
    ['1914-07-28', '1914-07-28T00:00:00Z'],
  ])('%s is %s', (text, datetime) => {
    expect(render(`<time:${text}>`).html).toBe(`<p><time datetime="${datetime}">${text}</time></p>`);
  });

  it.each([
    'tomorrow',
    '*soon*',
    '2026-02-30T10:00:00Z',
    '2026-13-01',
    '2026-01-01T25:00:00Z',
    '0000-01-01',
    '1',
  ])('%s is none', (text) => {
    expect(render(`<time:${text}>`).html).toBe(`<p>&lt;time:${text}&gt;</p>`);
  });
});

describe('facts about a message', () => {
  it.each([
    ['/me waves', true],
    ['/me **waves**\nback', true],
    ['/me waves\n\ntwice', false],
    ['/me - a\n- b', false],
    ['/meow', false],
    ['hi /me waves', false],
  ])('%p is told in the third person: %s', (markdown, isMeMessage) => {
    expect(render(markdown).isMeMessage).toBe(isMeMessage);
  });

  it('keeps the visible text for search', () => {
    const markdown = lines(
      '# Title',
      '**Bold** @**Iago|5** in #**Denmark>plans** :tada: [label](https://x.org)',
      'second line',
      '',
      '```python',
      'code()',
      '```',
      '> quoted `inline`',
      '',
      '| a | b |',
      '|---|---|',
      '| 1 | 2 |',
      '',
      '![cat](/user_uploads/1/ab/cat.png)',
    );
    expect(render(markdown).prose).toBe(
      lines(
        'Title',
        'Bold @Iago in #Denmark > plans :tada: label',
        'second line',
        'quoted inline',
        ...['a', 'b', '1', '2', 'cat'],
      ),
    );
  });
});

describe('descriptions', () => {
  it('are empty without text', () => {
    expect(renderDescription('', renderContext())).toBe('');
  });

  it('are paragraphs with the same markup as messages', () => {
    expect(renderDescription('All about **boats** @**Iago**', renderContext())).toBe(
      '<p>All about <strong>boats</strong> <span class="user-mention" data-user-id="5">@Iago</span></p>',
    );
  });
});

describe('emoticons', () => {
  const translated = (markdown: string) =>
    renderMarkdown(markdown, renderContext({ translatesEmoticons: true })).html;

  it.each([
    [':)', emoji('smile', '1f642')],
    ['(:', emoji('smile', '1f642')],
    [':(', emoji('frown', '1f641')],
    ['<3', emoji('heart', '2764')],
    [':|', emoji('neutral', '1f610')],
    [':/', emoji('confused', '1f615')],
    [';)', emoji('wink', '1f609')],
    [':D', emoji('grinning', '1f600')],
    [':o', emoji('open_mouth', '1f62e')],
    [':O', emoji('open_mouth', '1f62e')],
    [':p', emoji('stuck_out_tongue', '1f61b')],
    [':P', emoji('stuck_out_tongue', '1f61b')],
    [
      'well (:P), **:)**!',
      `well (${emoji('stuck_out_tongue', '1f61b')}), <strong>${emoji('smile', '1f642')}</strong>!`,
    ],
    ['a:) x<3y :Dx', 'a:) x&lt;3y :Dx'],
    ['`:)`', '<code>:)</code>'],
    ['[:)](/a)', '<a href="/a">:)</a>'],
  ])('%s', (markdown, html) => {
    expect(translated(markdown)).toBe(`<p>${html}</p>`);
  });

  it('stay text otherwise', () => {
    expect(render(':) <3').html).toBe('<p>:) &lt;3</p>');
  });
});

describe('fences without a language become', () => {
  const fenced = (defaultCodeLanguage: string) =>
    renderMarkdown('```\nx\n```', renderContext({ defaultCodeLanguage })).html;

  it('quotations', () => expect(fenced('quote')).toBe('<blockquote>\n<p>x</p>\n</blockquote>'));
  it('formulas', () => expect(fenced('math')).toContain('katex'));
});

it.each([
  'sms:123',
  'geo:1,2',
  'magnet:?xt=1',
  'ssh://host',
  'webcal://host/a',
  'matrix:r/a',
  'obsidian://open',
])('links to %s', (url) => expect(render(`[a](${url})`).html).toBe(`<p><a href="${url}">a</a></p>`));
