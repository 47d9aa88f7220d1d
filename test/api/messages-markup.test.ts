import { expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

const rendered = async (content: string) =>
  expectSuccess(await app.as(app.cast.mia).post('/messages/render', { content })).rendered as string;

const link = (href: string, text = href) => `<p><a href="${href}">${text}</a></p>`;

describe('the text of a message, as in Zulip', () => {
  it.each([
    ['zulip.com', link('http://zulip.com', 'zulip.com')],
    ['example.com/x', link('http://example.com/x', 'example.com/x')],
    ['t.co', link('http://t.co', 't.co')],
    ['http://chat.example.com/#narrow/is/dm', link('#narrow/is/dm', 'http://chat.example.com/#narrow/is/dm')],
    ['[x](http://chat.example.com/user_uploads/1/a/b.txt)', link('user_uploads/1/a/b.txt', 'x')],
    ['1. a\n  - b', '<ol>\n<li>a\n<ul>\n<li>b</li>\n</ul>\n</li>\n</ol>'],
    ['* a\n- b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
    ['>', '<p>&gt;</p>'],
    ['~~ a ~~', '<p><del> a </del></p>'],
    ['[](https://x.org)', link('https://x.org')],
    [
      '<time:1969-01-01T00:00:00Z>',
      '<p><time datetime="1969-01-01T00:00:00Z">1969-01-01T00:00:00Z</time></p>',
    ],
  ])('%j', async (content, html) => {
    await expect(rendered(content)).resolves.toBe(html);
  });

  it.each([
    ['| a |\n| - |\n| `y|z` |', '<code>y|z</code>'],
    ['```\nx\n````', '<code>x\n````\n</code>'],
    ['\u{1F1E9}\u{1F1EA}', 'title="flag germany"'],
    ...[
      'sms:+1',
      'geo:1,2',
      'magnet:?xt=x',
      'ssh://x.org',
      'webcal://x.org/a',
      'matrix:u/x',
      'xmpp:a@x.org',
    ].map((url) => [`[x](${url})`, `<a href="${url}">x</a>`]),
    ...['sip:a@x.org', 'ftp://x.org/a', 'obsidian://x'].map((url) => [
      `[x](${url})`,
      `<a href="${url}">x</a>`,
    ]),
  ])('%j has %j', async (content, part) => {
    await expect(rendered(content)).resolves.toContain(part);
  });

  it('knows emoticons between white space or punctuation, and not in code', async () => {
    const { mia } = app.cast;
    const emoticons = { ':)': 'smile', '(:': 'smile', ':(': 'frown', '<3': 'heart', ':|': 'neutral' };
    const others = {
      ':/': 'confused',
      ';)': 'wink',
      ':D': 'grinning',
      ':o': 'open_mouth',
      ':O': 'open_mouth',
    };
    const tongues = { ':p': 'stuck_out_tongue', ':P': 'stuck_out_tongue' };
    expectSuccess(await app.as(mia).patch('/settings', { translate_emoticons: true }));
    for (const [emoticon, name] of Object.entries({ ...emoticons, ...others, ...tongues })) {
      for (const text of [emoticon, `a ${emoticon} b`, `${emoticon}.`])
        expect(await rendered(text)).toContain(`>:${name}:</span>`);
      for (const text of [`a${emoticon}b`, `\`${emoticon}\``])
        expect(await rendered(text)).not.toContain('emoji');
    }
    expectSuccess(await app.as(mia).patch('/settings', { translate_emoticons: false }));
  });

  it('mentions nobody aloud in a quotation, but groups', async () => {
    const { max } = app.cast;
    await expect(rendered(`> @**${max.fullName}** @*role:administrators*`)).resolves.toMatch(
      /user-mention silent.*class="user-group-mention" [^>]*>@Administrators</,
    );
  });
});

describe('the text of a message', () => {
  it('has emoticons translated for authors who want that', async () => {
    const smile =
      '<span aria-label="smile" class="emoji emoji-1f642" role="img" title="smile">:smile:</span>';
    await expect(rendered('hello :)')).resolves.toBe('<p>hello :)</p>');
    expectSuccess(await app.as(app.cast.mia).patch('/settings', { translate_emoticons: true }));
    await expect(rendered('hello :)')).resolves.toBe(`<p>hello ${smile}</p>`);
    expectSuccess(await app.as(app.cast.mia).patch('/settings', { translate_emoticons: false }));
    await expect(rendered('hello :)')).resolves.toBe('<p>hello :)</p>');
  });

  it('mentions people silently once they are deactivated', async () => {
    const { max, olivia } = app.cast;
    const mention = `@**${max.fullName}**`;
    await expect(rendered(mention)).resolves.toBe(
      `<p><span class="user-mention" data-user-id="${max.id}">@${max.fullName}</span></p>`,
    );
    expectSuccess(await app.as(olivia).delete(`/users/${max.id}`));
    await expect(rendered(mention)).resolves.toBe(
      `<p><span class="user-mention silent" data-user-id="${max.id}">${max.fullName}</span></p>`,
    );
  });

  it('shows groups of roles by the names that people see', async () => {
    await expect(rendered('@_*role:administrators*')).resolves.toMatch(/ silent".*>Administrators</);
  });

  it('is a quotation where fences without a language are to be one', async () => {
    expectSuccess(await app.as(app.cast.olivia).patch('/realm', { default_code_block_language: 'quote' }));
    await expect(rendered('```\nx\n```')).resolves.toBe('<blockquote>\n<p>x</p>\n</blockquote>');
    expectSuccess(await app.as(app.cast.olivia).patch('/realm', { default_code_block_language: 'math' }));
    await expect(rendered('```\nx\n```')).resolves.toContain('class="katex');
    expectSuccess(await app.as(app.cast.olivia).patch('/realm', { default_code_block_language: '' }));
  });
});
