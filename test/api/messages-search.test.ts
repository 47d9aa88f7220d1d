import type { Member } from '../support/cast';
import { createChannel } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { fetchIds, fetchMessages, sendDirect, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;
/** Messages by where they are. */
const sent: Record<string, number> = {};

beforeAll(async () => {
  app = await TestApp.start();
  const { mia, max, mona, adam } = app.cast;
  await createChannel(app, mia, 'open', { principals: [mia.id, max.id] });
  await createChannel(app, adam, 'elsewhere', { principals: [adam.id] });
  await createChannel(app, adam, 'secret', { invite_only: true, principals: [adam.id, max.id] });
  await createChannel(app, adam, 'later', {
    invite_only: true,
    history_public_to_subscribers: false,
    principals: [adam.id],
  });
  sent.open = await sendTo(app, max, 'open', 'Treasure', 'a lantern at noon');
  sent.read = await sendTo(app, mia, 'open', 'Treasure', 'my lantern', { read_by_sender: true });
  sent.link = await sendTo(app, max, 'open', 'other', 'lantern https://example.com');
  sent.elsewhere = await sendTo(app, adam, 'elsewhere', 'Treasure', 'lantern');
  sent.secret = await sendTo(app, adam, 'secret', 'Lantern', 'hidden');
  sent.before = await sendTo(app, adam, 'later', 'Treasure', 'lantern before');
  await app.as(adam).post('/users/me/subscriptions', {
    subscriptions: [{ name: 'later' }],
    principals: [mia.id],
  });
  sent.after = await sendTo(app, adam, 'later', 'Treasure', 'lantern after');
  sent.two = await sendDirect(app, max, [mia], 'lantern for two');
  sent.others = await sendDirect(app, max, [mona], 'lantern for others');
});

afterAll(() => app.stop());

const term = (operator: string, operand: unknown, negated?: boolean) => ({ operator, operand, negated });
const search = (text: string, negated?: boolean) => term('search', text, negated);

const found = async (narrow: unknown[], reader: Member = app.cast.mia) => {
  const ids = await fetchIds(app, reader, narrow);
  return ids.map((id) => Object.keys(sent).find((name) => sent[name] === id) ?? id);
};

describe('a search', () => {
  it('finds what the reader received, and nothing of others', async () => {
    await expect(found([search('lantern')])).resolves.toEqual(['open', 'read', 'link', 'after', 'two']);
    await expect(found([search('lantern')], app.cast.mona)).resolves.toEqual(['others']);
    await expect(found([search('lantern')], app.cast.gus)).resolves.toEqual([]);
    await expect(found([search('hidden')])).resolves.toEqual([]);
    await expect(found([search('hidden lantern')], app.cast.max)).resolves.toEqual(['secret']);
  });

  it('finds what was sent before the reader came only where history is open and named', async () => {
    await expect(found([search('lantern'), term('channel', 'elsewhere')])).resolves.toEqual(['elsewhere']);
    await expect(found([search('lantern'), term('channels', 'public')])).resolves.toEqual([
      'open',
      'read',
      'link',
      'elsewhere',
    ]);
    await expect(found([search('lantern'), term('channel', 'later')])).resolves.toEqual(['after']);
    const hidden = app.as(app.cast.mia).get('/messages', {
      anchor: 'newest',
      num_before: 10,
      num_after: 0,
      narrow: [search('lantern'), term('channel', 'secret')],
    });
    expect((await hidden).body).toMatchObject({ code: 'BAD_NARROW', desc: 'unknown channel secret' });
  });

  it('goes together with every other term', async () => {
    const { max, mia } = app.cast;
    const lantern = search('lantern');
    const cases: [unknown[], string[]][] = [
      [[term('topic', 'treasure')], ['open', 'read', 'after']],
      [[term('sender', max.id)], ['open', 'link', 'two']],
      [[term('sender', max.id, true)], ['read', 'after']],
      [[term('dm', [max.id])], ['two']],
      [[term('dm-including', max.id)], ['two']],
      [[term('is', 'dm')], ['two']],
      [[term('is', 'dm', true)], ['open', 'read', 'link', 'after']],
      [[term('is', 'unread')], ['open', 'link', 'after', 'two']],
      [[term('is', 'unread', true)], ['read']],
      [[term('is', 'mentioned')], []],
      [[term('is', 'starred')], []],
      [[term('is', 'followed'), term('sender', mia.id)], ['read']],
      [[term('is', 'muted')], []],
      [[term('is', 'resolved')], []],
      [[term('in', 'home')], ['open', 'read', 'link', 'after', 'two']],
      [[term('has', 'link')], ['link']],
      [[term('has', 'link', true)], ['open', 'read', 'after', 'two']],
      [[term('has', 'reaction')], []],
      [[term('id', sent.open)], ['open']],
      [[term('near', sent.open)], ['open', 'read', 'link', 'after', 'two']],
      [[term('with', sent.open)], ['open', 'read']],
      [[term('mentions', mia.id)], []],
      [[search('treasure')], ['open', 'read', 'after']],
      [[search('noon', true)], ['read', 'link', 'after', 'two']],
      [[search('treasure', true)], ['link', 'two']],
      [[search('lantern', true)], []],
    ];
    expectSuccess(
      await app.as(mia).post('/user_topics', {
        stream_id: expectSuccess(await app.as(mia).get('/get_stream_id', { stream: 'open' })).stream_id,
        topic: 'Treasure',
        visibility_policy: 3,
      }),
    );
    for (const [terms, expected] of cases) {
      await expect(found([lantern, ...terms]).then((names) => [terms, names])).resolves.toEqual([
        terms,
        expected,
      ]);
    }
  });

  it('is read page by page, from either end and around a message', async () => {
    const page = async (parameters: object) => {
      const answer = await app
        .as(app.cast.mia)
        .get('/messages', { narrow: [search('lantern')], num_before: 0, num_after: 0, ...parameters });
      const { messages, found_oldest: oldest, found_newest: newest, anchor } = expectSuccess(answer);
      return { ids: messages.map((message: { id: number }) => message.id), oldest, newest, anchor };
    };
    const [open, read, link, after, two] = ['open', 'read', 'link', 'after', 'two'].map((name) => sent[name]);
    await expect(page({ anchor: 'newest', num_before: 2 })).resolves.toMatchObject({
      ids: [after, two],
      oldest: false,
      newest: true,
    });
    await expect(page({ anchor: 'oldest', num_after: 2 })).resolves.toMatchObject({
      ids: [open, read],
      oldest: true,
      newest: false,
    });
    await expect(page({ anchor: link, num_before: 1, num_after: 1 })).resolves.toMatchObject({
      ids: [read, link, after],
    });
    await expect(page({ anchor: 'first_unread', num_after: 1 })).resolves.toMatchObject({
      anchor: open,
      ids: [open, read],
    });
  });

  it('marks what it found, in HTML even where Markdown is asked for', async () => {
    const { messages } = expectSuccess(
      await fetchMessages(app, app.cast.mia, [search('treasure noon')], { apply_markdown: false }),
    );
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatchObject({
      content: 'a lantern at noon',
      match_content: '<p>a lantern at <span class="highlight">noon</span></p>',
      match_subject: '<span class="highlight">Treasure</span>',
    });
  });

  it('leaves addresses and markup alone', async () => {
    const { mia } = app.cast;
    const id = await sendTo(app, mia, 'open', 'a <b> & "c"', '[p](https://example.com/p) `span` **p**');
    const { messages } = expectSuccess(await fetchMessages(app, mia, [search('"p" span'), term('id', id)]));
    expect(messages[0].match_content).toBe(
      '<p><a href="https://example.com/p"><span class="highlight">p</span></a> ' +
        '<code><span class="highlight">span</span></code> <strong><span class="highlight">p</span></strong></p>',
    );
    expect(messages[0].match_subject).toBe('a &lt;b&gt; &amp; &quot;c&quot;');
  });

  it('shows no matches without a search, or where it only leaves something out', async () => {
    for (const narrow of [[term('topic', 'treasure')], [term('topic', 'treasure'), search('noon', true)]]) {
      const { messages } = expectSuccess(await fetchMessages(app, app.cast.mia, narrow));
      expect(messages).not.toHaveLength(0);
      for (const message of messages) expect(Object.keys(message)).not.toContain('match_content');
    }
  });

  it('may be asked about certain messages', async () => {
    const { messages } = expectSuccess(
      await app.as(app.cast.mia).get('/messages', {
        message_ids: [sent.open, sent.secret, sent.two, 99_999],
        narrow: [search('lantern'), search('noon')],
      }),
    );
    expect(messages).toMatchObject([
      { id: sent.open, match_content: expect.stringContaining('<span class="highlight">noon</span>') },
    ]);
  });

  it.each([
    ['', 'operand cannot be blank.'],
    [5, 'operand is not a string'],
    [['lantern'], 'operand is not a string'],
  ])('refuses to look for %j', async (operand, message) => {
    expectError(await fetchMessages(app, app.cast.mia, [term('search', operand)]), message);
  });

  it('refuses text with null characters', async () => {
    const answer = await fetchMessages(app, app.cast.mia, [search('lan\0tern')]);
    expectError(answer, 'narrow[0] must not contain null characters');
  });

  it('needs an account, or a channel that is open to the web', async () => {
    expectError(
      await fetchMessages(app, null, [search('lantern')]),
      'Not logged in: API authentication or user session required',
      { code: 'UNAUTHORIZED', status: 401 },
    );
  });
});
