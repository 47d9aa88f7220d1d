import type { Parameters } from '../support/api-client';
import { changeAccount } from '../support/account-setup';
import { createChannel } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { fetchMessage, sendDirect, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;
/** Ten messages in a channel, with those of another one between them. */
const ids: number[] = [];
const NEWEST = 10 ** 16;

beforeAll(async () => {
  app = await TestApp.start();
  const { mia, max } = app.cast;
  await createChannel(app, mia, 'count', { principals: [mia.id, max.id] });
  await createChannel(app, mia, 'noise');
  for (let i = 0; i < 10; i++) {
    ids.push(await sendTo(app, mia, 'count', 'numbers', `number ${i}`));
    await sendTo(app, mia, 'noise', 'noise');
  }
});

afterAll(() => app.stop());

const fetch = (parameters: Parameters) =>
  app.as(app.cast.mia).get('/messages', { narrow: [['channel', 'count']], ...parameters });

const fetchRange = async (parameters: Parameters) => {
  const { messages, ...rest } = expectSuccess(await fetch(parameters));
  return { ...rest, found: messages.map((message: { id: number }) => ids.indexOf(message.id)) };
};

describe('a range', () => {
  it('goes back from the newest message', async () => {
    await expect(fetchRange({ anchor: 'newest', num_before: 3, num_after: 5 })).resolves.toMatchObject({
      anchor: NEWEST,
      found: [7, 8, 9],
      found_anchor: false,
      found_oldest: false,
      found_newest: true,
      history_limited: false,
    });
  });

  it('goes on from the oldest message', async () => {
    await expect(fetchRange({ anchor: 'oldest', num_before: 5, num_after: 3 })).resolves.toMatchObject({
      anchor: 0,
      found: [0, 1, 2],
      found_oldest: true,
      found_newest: false,
    });
  });

  it('lies around a message', async () => {
    await expect(fetchRange({ anchor: ids[4], num_before: 2, num_after: 2 })).resolves.toMatchObject({
      anchor: ids[4],
      found: [2, 3, 4, 5, 6],
      found_anchor: true,
      found_oldest: false,
      found_newest: false,
    });
  });

  it('tells when it reaches an end', async () => {
    await expect(fetchRange({ anchor: ids[1], num_before: 2, num_after: 9 })).resolves.toMatchObject({
      found: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      found_oldest: true,
      found_newest: true,
    });
    await expect(fetchRange({ anchor: ids[9], num_before: 1, num_after: 0 })).resolves.toMatchObject({
      found: [8, 9],
      found_oldest: false,
      found_newest: false,
    });
  });

  it('takes a message that is not selected as a place to cut', async () => {
    const anchor = (ids[4] as number) + 1;
    await expect(fetchRange({ anchor, num_before: 1, num_after: 1 })).resolves.toMatchObject({
      anchor,
      found: [4, 5],
      found_anchor: false,
    });
  });

  it('may leave the anchor out at one of its ends', async () => {
    const excluding = { anchor: ids[4], include_anchor: false };
    await expect(fetchRange({ ...excluding, num_before: 2 })).resolves.toMatchObject({
      found: [2, 3],
      found_anchor: false,
    });
    await expect(fetchRange({ ...excluding, num_after: 2 })).resolves.toMatchObject({ found: [5, 6] });
    expectError(
      await fetch({ ...excluding, num_before: 1, num_after: 1 }),
      'The anchor can only be excluded at an end of the range',
    );
  });

  it('may be the anchor alone', async () => {
    await expect(fetchRange({ anchor: ids[4] })).resolves.toMatchObject({ found: [4], found_anchor: true });
  });

  it('keeps to the possible IDs', async () => {
    await expect(fetchRange({ anchor: '-5', num_after: 1 })).resolves.toMatchObject({
      anchor: 0,
      found: [0],
    });
    await expect(fetchRange({ anchor: '9'.repeat(40), num_before: 1 })).resolves.toMatchObject({
      anchor: NEWEST,
      found: [9],
    });
  });

  it.each<[Parameters, string]>([
    [{}, "Missing 'anchor' argument."],
    [{ anchor: 'tomorrow' }, 'Invalid anchor'],
    [{ anchor: '1', num_before: -1 }, 'num_before is too small'],
    [{ anchor: '1', num_before: 4000, num_after: 1001 }, 'Too many messages requested (maximum 5000).'],
    [{ anchor: '1', narrow: 'x' }, 'narrow is not valid JSON'],
    [{ anchor: '1', narrow: {} }, 'narrow is not a list'],
    [{ anchor: '1', narrow: ['x'] }, 'Invalid narrow[0]: Value error, dict or list required'],
  ])('refuses %j', async (parameters, message) => {
    expectError(await fetch(parameters), message);
  });
});

describe('the oldest unread message', () => {
  it('is an anchor', async () => {
    const { mia, max } = app.cast;
    await createChannel(app, mia, 'unread', { principals: [mia.id, max.id] });
    const read = { read_by_sender: true };
    const own = [
      await sendTo(app, mia, 'unread', 'a', 'one', read),
      await sendTo(app, mia, 'unread', 'a', 'two', read),
      await sendTo(app, mia, 'unread', 'a', 'three', { read_by_sender: false }),
      await sendTo(app, mia, 'unread', 'a', 'four', read),
    ];
    const narrow = [['channel', 'unread']];
    for (const parameters of [{ anchor: 'first_unread' }, { anchor: '0', use_first_unread_anchor: true }]) {
      const body = expectSuccess(await fetch({ ...parameters, narrow, num_before: 1, num_after: 1 }));
      expect(body).toMatchObject({ anchor: own[2], found_anchor: true });
      expect(body.messages.map((message: { id: number }) => message.id)).toEqual(own.slice(1));
    }
    const asMax = await app.as(max).get('/messages', { anchor: 'first_unread', num_after: 1, narrow });
    expect(expectSuccess(asMax).anchor).toBe(own[0]);
  });

  it('is the newest end where there is none', async () => {
    const { mia, olivia } = app.cast;
    await createChannel(app, mia, 'read');
    const id = await sendTo(app, mia, 'read', 'a', 'x', { read_by_sender: true });
    const narrow = [['channel', 'read']];
    for (const reader of [mia, olivia]) {
      const answer = await app.as(reader).get('/messages', { anchor: 'first_unread', num_before: 5, narrow });
      expect(expectSuccess(answer)).toMatchObject({ anchor: NEWEST, messages: [{ id }], found_newest: true });
    }
  });
});

describe('messages by their IDs', () => {
  it('are found without a range, and those out of reach are missing', async () => {
    const { mia, max, adam } = app.cast;
    const secret = await sendDirect(app, max, [adam]);
    const body = expectSuccess(
      await app.as(mia).get('/messages', { message_ids: [ids[3], secret, 99_999, ids[1]] }),
    );
    expect(body.messages.map((message: { id: number }) => message.id)).toEqual([ids[1], ids[3]]);
    expect(body).toMatchObject({ found_anchor: false, found_oldest: false, found_newest: false });
    expect(body).not.toHaveProperty('anchor');
  });

  it('cannot be asked for together with a range', async () => {
    const parameters = 'num_before, num_after, anchor, message_ids, include_anchor, use_first_unread_anchor';
    for (const more of [{ anchor: '1' }, { num_after: 0 }, { include_anchor: true }]) {
      expectError(
        await app.as(app.cast.mia).get('/messages', { message_ids: [1], ...more }),
        `Unsupported parameter combination: ${parameters}`,
        { data: { parameters } },
      );
    }
  });
});

describe('a record', () => {
  it('has every key of the reference', async () => {
    const { mia } = app.cast;
    const { messages } = expectSuccess(await fetch({ anchor: ids[0] }));
    expect(messages).toEqual([
      {
        id: ids[0],
        sender_id: mia.id,
        sender_email: mia.email,
        sender_full_name: 'Mia Member',
        sender_realm_str: '',
        recipient_id: expect.any(Number),
        type: 'stream',
        stream_id: expect.any(Number),
        display_recipient: 'count',
        subject: 'numbers',
        topic_links: [],
        content: '<p>number 0</p>',
        content_type: 'text/html',
        timestamp: expect.any(Number),
        client: expect.any(String),
        avatar_url: null,
        is_me_message: false,
        reactions: [],
        submessages: [],
        flags: [],
      },
    ]);
  });

  it('holds Markdown where HTML is not wanted', async () => {
    const id = await sendTo(app, app.cast.mia, 'count', 'forms', '/me **waves**');
    const record = await fetchMessage(app, app.cast.max, id, { apply_markdown: false });
    expect(record).toMatchObject({
      content: '/me **waves**',
      content_type: 'text/x-markdown',
      is_me_message: true,
    });
  });

  it('leaves only public addresses of external pictures to the client', async () => {
    const { mia, max } = app.cast;
    const id = await sendTo(app, max, 'count', 'pictures');
    const avatarOf = async (more: Parameters) => {
      const { messages } = expectSuccess(await app.as(mia).get('/messages', { message_ids: [id], ...more }));
      return messages[0].avatar_url;
    };
    await expect(avatarOf({})).resolves.toBeNull();
    await expect(avatarOf({ client_gravatar: false })).resolves.toMatch(/^https:\/\/secure\.gravatar\.com\//);
    await changeAccount(app, max, { emailVisibility: 3 });
    await expect(avatarOf({})).resolves.toMatch(/^https:\/\/secure\.gravatar\.com\//);
    await changeAccount(app, max, { emailVisibility: 1 });
  });

  it('links what is an address in the topic', async () => {
    const id = await sendTo(app, app.cast.mia, 'count', 'see https://example.com/a now');
    await expect(fetchMessage(app, app.cast.max, id)).resolves.toMatchObject({
      topic_links: [{ text: 'https://example.com/a', url: 'https://example.com/a' }],
    });
  });
});

describe('GET /messages/{message_id}', () => {
  it('shows the message and its Markdown', async () => {
    const { mia, max } = app.cast;
    const id = await sendTo(app, mia, 'count', 'one', '**bold**');
    const body = expectSuccess(await app.as(max).get(`/messages/${id}`));
    expect(body.raw_content).toBe('**bold**');
    expect(body.message).toMatchObject({
      id,
      content: '<p><strong>bold</strong></p>',
      avatar_url: null,
      flags: [],
    });
  });

  it('says the same of what does not exist and of what is out of reach', async () => {
    const { mia, max, adam } = app.cast;
    const secret = await sendDirect(app, mia, [max]);
    for (const id of [secret, 99_999, '9'.repeat(30)]) {
      expectError(await app.as(adam).get(`/messages/${id}`), 'Invalid message(s)');
    }
  });
});

it("tells the newest message of one's own with the own user", async () => {
  const { mia, max } = app.cast;
  const id = await sendDirect(app, max, [mia]);
  const newest = async () => expectSuccess(await app.as(mia).get('/users/me')).max_message_id;
  await sendDirect(app, max, [app.cast.adam]);
  await expect(newest()).resolves.toBe(id);
  for (let i = 0; i < 20; i++) await sendDirect(app, max, [app.cast.adam]);
  await expect(newest()).resolves.toBe(id);
});
