import { createApp } from '../../src/app.factory';
import { Config } from '../../src/platform/config/config';
import { ApiClient } from '../support/api-client';
import { createChannel } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { fetchMessage, sendDirect, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;
let channel: number;

beforeAll(async () => {
  app = await TestApp.start();
  channel = await createChannel(app, app.cast.mia, 'kitchen');
});

afterAll(() => app.stop());

const add = async (pattern: string, url_template: string): Promise<number> =>
  expectSuccess(await app.as(app.cast.adam).post('/realm/filters', { pattern, url_template })).id;
const remove = async (id: number) =>
  expectSuccess(await app.as(app.cast.adam).delete(`/realm/filters/${id}`));
const reorder = async (...ids: number[]) =>
  expectSuccess(await app.as(app.cast.adam).patch('/realm/linkifiers', { ordered_linkifier_ids: ids }));

const send = (content: string, topic = 'soup') => sendTo(app, app.cast.mia, channel, topic, content);
const record = (id: number) => fetchMessage(app, app.cast.mia, id);
const html = async (content: string) => (await record(await send(content))).content;
const topicLinks = async (topic: string) => (await record(await send('x', topic))).topic_links;
const a = (text: string, href: string) => `<a href="${href}">${text}</a>`;

/** Puts linkifiers into the table as many calls would. */
async function fill(rows: readonly { pattern: string; urlTemplate: string }[]): Promise<void> {
  await app.writeRows(async (tx) => {
    for (const [at, { pattern, urlTemplate }] of rows.entries()) {
      const [row] = await tx.query<{ id: number }>(
        `INSERT INTO linkifier (position, pattern, url_template, alternative_url_templates)
         VALUES (?, ?, ?, '[]') RETURNING id`,
        [at, pattern, urlTemplate],
      );
      tx.touch('linkifiers', [row!.id]);
    }
  });
}

async function empty(): Promise<void> {
  const { linkifiers } = expectSuccess(await app.as(app.cast.mia).get('/realm/linkifiers'));
  const ids = linkifiers.map(({ id }: { id: number }) => id);
  if (ids.length === 0) return;
  await app.writeRows(async (tx) => {
    await tx.query('DELETE FROM linkifier WHERE id IN (?)', [ids]);
    tx.touch('linkifiers', ids);
  });
}

afterEach(empty);

const TICKET = String.raw`#(?P<id>\d+)`;

describe('In the text of a message', () => {
  it('what a pattern matches leads where the template says [LINK-pattern, LINK-url_template]', async () => {
    await add(TICKET, 'https://tickets.example/{id}');
    await add(
      String.raw`(?P<org>[\w-]+)/(?P<repo>[\w-]+)#(?P<number>\d+)`,
      'https://code.example{/org,repo}{?number}',
    );
    await expect(html('Fixes #12, see (zulip/terminal#7).')).resolves.toBe(
      `<p>Fixes ${a('#12', 'https://tickets.example/12')}, see (${a('zulip/terminal#7', 'https://code.example/zulip/terminal?number=7')}).</p>`,
    );
  });

  it('only what stands free is one', async () => {
    await add(TICKET, 'https://t.example/{id}');
    const link = (id: number) => a(`#${id}`, `https://t.example/${id}`);
    await expect(html('x#1 #2x .#3 #4. #5\n#6')).resolves.toBe(
      `<p>x#1 #2x .#3 ${link(4)}. ${link(5)}<br>\n${link(6)}</p>`,
    );
    await expect(html('**#7** *said #8* ~~#9~~')).resolves.toBe(
      `<p><strong>${link(7)}</strong> <em>said ${link(8)}</em> <del>${link(9)}</del></p>`,
    );
    await expect(html('> #10\n\n* #11')).resolves.toBe(
      `<blockquote>\n<p>${link(10)}</p>\n</blockquote>\n<ul>\n<li>${link(11)}</li>\n</ul>`,
    );
  });

  it('code, and what is a link already, stay as they are', async () => {
    await add(TICKET, 'https://t.example/{id}');
    await expect(html('`#1` [see #2](https://x.org)')).resolves.toBe(
      `<p><code>#1</code> ${a('see #2', 'https://x.org')}</p>`,
    );
    await expect(html('```\n#1\n```\n\n    #2')).resolves.not.toContain('t.example');
    await expect(html('```quote\n#1\n```')).resolves.toContain(a('#1', 'https://t.example/1'));
  });

  it('the earlier linkifier wins where two overlap [EP20-order, EP20-reorder]', async () => {
    const word = await add('(?P<word>soup #[0-9]+)', 'https://word.example/{word}');
    const ticket = await add(TICKET, 'https://t.example/{id}');
    const ofWord = `<p>${a('soup #1', 'https://word.example/soup%20%231')} ${a('#2', 'https://t.example/2')}</p>`;
    const ofTicket = `<p>soup ${a('#1', 'https://t.example/1')} ${a('#2', 'https://t.example/2')}</p>`;
    await expect(html('soup #1 #2')).resolves.toBe(ofWord);
    await reorder(ticket, word);
    await expect(html('soup #1 #2')).resolves.toBe(ofTicket);
  });

  it('links to places that run code are none', async () => {
    // Such templates are refused; rows may be older than that.
    await fill([
      { pattern: 'run(?P<code>.+)', urlTemplate: 'javascript:{+code}' },
      { pattern: 'go(?P<where>.+)', urlTemplate: '{+where}' },
    ]);
    await add('"(?P<quoted>.*)"', 'https://x.org/?q={+quoted}');
    await expect(html('run1')).resolves.toBe('<p>run1</p>');
    await expect(html('gojavascript:alert(1)')).resolves.toBe('<p>gojavascript:alert(1)</p>');
    await expect(html('"<a onclick=x>"')).resolves.toBe(
      `<p>${a('"&lt;a onclick=x&gt;"', 'https://x.org/?q=%3Ca%20onclick=x%3E')}</p>`,
    );
  });

  it('a change applies to what is sent from then on [LINK-alternative_url_templates]', async () => {
    const before = await send('#1');
    const id = await add(TICKET, 'https://t.example/{id}');
    const during = await send('#1');
    const changed = {
      pattern: TICKET,
      url_template: 'https://u.example/{id}',
      alternative_url_templates: ['https://old.example/{id}'],
    };
    expectSuccess(await app.as(app.cast.adam).patch(`/realm/filters/${id}`, changed));
    const after = await send('#1 https://old.example/7');
    await remove(id);
    const texts = [];
    for (const message of [before, during, after, await send('#1')])
      texts.push((await record(message)).content);
    expect(texts).toEqual([
      '<p>#1</p>',
      `<p>${a('#1', 'https://t.example/1')}</p>`,
      `<p>${a('#1', 'https://u.example/1')} ${a('https://old.example/7', 'https://old.example/7')}</p>`,
      '<p>#1</p>',
    ]);
  });

  it('counts for direct messages and previews as well', async () => {
    const { mia, max } = app.cast;
    await add(TICKET, 'https://t.example/{id}');
    const text = `<p>${a('#1', 'https://t.example/1')}</p>`;
    const direct = await record(await sendDirect(app, mia, [max], '#1'));
    expect(direct).toMatchObject({ content: text, topic_links: [] });
    expect(expectSuccess(await app.as(mia).post('/messages/render', { content: '#1' })).rendered).toBe(text);
    const { messages } = expectSuccess(
      await app.as(mia).get('/messages', { anchor: 'newest', num_before: 1, narrow: [['has', 'link']] }),
    );
    expect(messages).toEqual([expect.objectContaining({ id: direct.id })]);
  });

  it('a pattern that would hold up another engine for years is done at once', async () => {
    await add('((a+)+)+(?P<id>b)', 'https://x.org/{id}');
    await expect(html(`${'a'.repeat(9990)}cbc`)).resolves.toBe(`<p>${'a'.repeat(9990)}cbc</p>`);
  });
});

describe('In a topic', () => {
  it('links are listed by position, those of addresses included', async () => {
    await add(TICKET, 'https://t.example/{id}');
    await add('soup (?P<what>#?[a-z0-9]+)', 'https://soup.example/{what}');
    await expect(topicLinks('no links')).resolves.toEqual([]);
    await expect(topicLinks('www.x.org: soup #1, #2, soup hot')).resolves.toEqual([
      { text: 'www.x.org', url: 'https://www.x.org' },
      { text: '#1', url: 'https://t.example/1' },
      { text: '#2', url: 'https://t.example/2' },
      { text: 'soup hot', url: 'https://soup.example/hot' },
    ]);
  });

  it('they follow the order of the linkifiers', async () => {
    const ticket = await add(TICKET, 'https://t.example/{id}');
    const soup = await add('soup (?P<what>#?[a-z0-9]+)', 'https://soup.example/{what}');
    await reorder(soup, ticket);
    await expect(topicLinks('soup #1 #2')).resolves.toEqual([
      { text: 'soup #1', url: 'https://soup.example/%231' },
      { text: '#2', url: 'https://t.example/2' },
    ]);
  });

  it('they are in the event too, and change with the linkifiers', async () => {
    const id = await add(TICKET, 'https://t.example/{id}');
    let message = 0;
    const events = await app.captureEvents(async () => (message = await send('x', 'fix #1')));
    const topic_links = [{ text: '#1', url: 'https://t.example/1' }];
    expect(events.map(({ event }) => event.message?.topic_links)).toEqual([topic_links]);
    await expect(record(message)).resolves.toMatchObject({ topic_links });
    await remove(id);
    await expect(record(message)).resolves.toMatchObject({ topic_links: [] });
  });
});

describe('Many linkifiers', () => {
  const numbered = Array.from({ length: 500 }, (_, at) => ({
    pattern: `PROJ${at}-(?P<id>[0-9]+)`,
    urlTemplate: `https://p${at}.example/{id}`,
  }));

  it('are applied to a message of full length', async () => {
    await fill(numbered);
    const words = Array.from({ length: 800 }, (_, at) => `PROJ${at % 600}-${at}`);
    const text = await html(words.join(' '));
    expect(text).toContain(a('PROJ499-499', 'https://p499.example/499'));
    expect(text).toContain(a('PROJ10-610', 'https://p10.example/610'));
    expect(text).not.toContain('p500');
    expect(text.match(/<a /g)).toHaveLength(700);
  });

  it('are bounded in number', async () => {
    await fill(numbered);
    const { adam } = app.cast;
    const one = { pattern: 'x', url_template: 'https://x.org' };
    expectError(
      await app.as(adam).post('/realm/filters', one),
      'An organization can have at most 500 linkifiers.',
    );
  });

  it('are bounded in size together', async () => {
    const large = (at: number) => `(?P<id>(?:abcd){120}${at})`;
    const template = 'https://x.org/{id}';
    await fill(Array.from({ length: 41 }, (_, at) => ({ pattern: large(at), urlTemplate: template })));
    const refusal = 'Linkifier patterns too large in total. Delete or shorten some.';
    const { adam } = app.cast;
    expectError(
      await app.as(adam).post('/realm/filters', { pattern: large(50), url_template: template }),
      refusal,
    );
    const id = await add('(?P<id>x)', template);
    expectError(
      await app.as(adam).patch(`/realm/filters/${id}`, { pattern: large(50), url_template: template }),
      refusal,
    );
  });

  it('are applied without the one that cannot be used', async () => {
    await fill([
      { pattern: '(', urlTemplate: 'https://x.org' },
      { pattern: '(?P<id>a)', urlTemplate: '{' },
      { pattern: '(?P<id>b)', urlTemplate: 'https://x.org/{id}' },
    ]);
    await expect(html('a b (')).resolves.toBe(`<p>a ${a('b', 'https://x.org/b')} (</p>`);
    const { linkifiers } = expectSuccess(await app.as(app.cast.gus).get('/realm/linkifiers'));
    expect(linkifiers).toHaveLength(3);
  });
});

// One process owns a SQLite file, so that there is no other node.
const onPostgres = process.env.TEST_ENGINE === 'postgres' ? describe : describe.skip;

onPostgres('On another node', () => {
  it('linkifiers are the same', async () => {
    const { mia } = app.cast;
    const other = await createApp(app.get(Config));
    await other.init();
    try {
      const there = new ApiClient(other, app.credentialsOf(mia));
      const rendered = async () =>
        expectSuccess(await there.post('/messages/render', { content: '#1 #2' })).rendered;
      await expect(rendered()).resolves.toBe('<p>#1 #2</p>');
      const word = await add('#(?P<id>[12])', 'https://t.example/{id}');
      const links = (host: string) =>
        `<p>${[1, 2].map((id) => a(`#${id}`, `https://${host}.example/${id}`)).join(' ')}</p>`;
      await expect(rendered()).resolves.toBe(links('t'));
      const first = await add('(#)(?P<id>[12])', 'https://u.example/{id}');
      await reorder(first, word);
      await expect(rendered()).resolves.toBe(links('u'));
      await remove(first);
      await expect(rendered()).resolves.toBe(links('t'));
      expect(expectSuccess(await there.get('/realm/linkifiers')).linkifiers).toEqual(
        expectSuccess(await app.as(mia).get('/realm/linkifiers')).linkifiers,
      );
    } finally {
      await other.close();
    }
  });
});
