import { type Route, routesOf } from '../../scripts/routes-table';
import { KEY_SCOPES } from '../../src/platform/actor';
import type { Answer, ApiClient, Method, Parameters } from '../support/api-client';
import { AuditReader } from '../support/audit-setup';
import { type Member, PASSWORD } from '../support/cast';
import { createChannel, createChannelWith } from '../support/channel-setup';
import { tallyOf, watchDatabase } from '../support/database-tally';
import { expectSuccess } from '../support/expect-answer';
import { copyMessage, fetchMessages, sendDirect, sendTo } from '../support/message-setup';
import { addBot } from '../support/permissions/actors';
import { TestApp } from '../support/test-app';
import { load, upload } from '../support/upload-setup';

const SECRET = 'hushhush';

/** All that a key with a limit may call. Everything else is closed to it. */
const OPEN = `
  DELETE /api/v1/events
  DELETE /api/v1/messages/{message_id}
  DELETE /api/v1/messages/{message_id}/reactions
  GET /api/v1/events
  GET /api/v1/get_stream_id
  GET /api/v1/messages
  GET /api/v1/messages/matches_narrow
  GET /api/v1/messages/{message_id}
  GET /api/v1/messages/{message_id}/history
  GET /api/v1/messages/{message_id}/read_receipts
  GET /api/v1/streams
  GET /api/v1/streams/{stream_id}
  GET /api/v1/streams/{stream_id}/members
  GET /api/v1/users
  GET /api/v1/users/me
  GET /api/v1/users/me/{stream_id}/topics
  GET /api/v1/users/{email}
  GET /api/v1/users/{user_id}
  PATCH /api/v1/messages/{message_id}
  POST /api/v1/external/{integration}
  POST /api/v1/messages
  POST /api/v1/messages/render
  POST /api/v1/messages/{message_id}/reactions
  POST /api/v1/messages/{message_id}/typing
  POST /api/v1/register
  POST /api/v1/typing
  POST /api/v1/user_uploads`
  .trim()
  .split('\n')
  .map((line) => line.trim());

let app: TestApp;
let owner: Member;
let other: Member;
let key: ApiClient;
/** The channel that the key is limited to, and one more that its account may do anything in. */
let here: number;
let there: number;
/** Messages there, and between two people; both have the secret in them. */
let hidden: number;
let direct: number;
let shown: number;

/** Makes a key as its owner does. */
async function keyFor(who: Member, channelIds: readonly number[], more: object = {}): Promise<Answer> {
  const companion = await app.companionAs(who);
  const body = { name: 'agent', scopes: KEY_SCOPES.join(' '), password: PASSWORD, ...more };
  return companion.post('/auth/keys', { ...body, channel_ids: channelIds.join(' ') });
}

beforeAll(async () => {
  watchDatabase();
  app = await TestApp.start({ env: { RATE_LIMIT_MAX_REQUESTS: '0' } });
  owner = app.cast.olivia;
  other = app.cast.mia;
  here = await createChannelWith(app, owner, [other], 'open plan');
  there = await createChannelWith(app, owner, [other], `${SECRET} plan`);
  shown = await sendTo(app, other, here, 'desks', 'who sits where?');
  hidden = await sendTo(app, other, there, `${SECRET} topic`, `the ${SECRET} content`);
  direct = await sendDirect(app, other, [owner], `a ${SECRET} between us`);
  const { status, body } = await keyFor(owner, [here]);
  expect({ status, ids: body.channel_ids }).toEqual({ status: 201, ids: String(here) });
  key = app.client({ email: owner.email, apiKey: body.api_key });
});

afterAll(async () => {
  await app.stop();
  jest.restoreAllMocks();
});

interface EventWire {
  readonly type: string;
  readonly message?: { readonly id: number };
  readonly message_id?: number;
  readonly message_ids: readonly number[];
}

const BEYOND = {
  status: 403,
  body: {
    code: 'INSUFFICIENT_SCOPE',
    msg: 'This API key is limited to channels and may not do this.',
    required_scope: null,
  },
};

const INVALID_MESSAGE = { status: 400, body: { msg: 'Invalid message(s)' } };
const INVALID_CHANNEL = { status: 400, body: { msg: 'Invalid channel ID' } };

describe('A key that is limited to channels', () => {
  let routes: Route[];

  beforeAll(() => {
    routes = routesOf(app.nest).filter(({ policy: { scheme, public: isPublic } }) => {
      return !isPublic && (scheme === 'basic' || scheme === 'key');
    });
  });

  it('opens exactly the routes that keep to channels, of all that take keys', () => {
    const open = routes.filter(({ policy }) => policy.keepsToChannels);
    expect(open.map(({ verb, path }) => `${verb} ${path}`).sort()).toEqual([...OPEN].sort());
    expect(routes.length).toBeGreaterThan(150);
  });

  it('is refused by all others, whatever its scopes and with its channel, too', async () => {
    const closed = routes.filter(({ policy }) => !policy.keepsToChannels);
    for (const { verb, path } of closed) {
      const url = path.replace(/\{stream_id\}/g, String(here)).replace(/\{\w+\}/g, String(shown));
      const { status, body } = await key.send({ method: verb as Method, url });
      expect({ route: `${verb} ${path}`, status, code: body.code }).toEqual({
        route: `${verb} ${path}`,
        status: 403,
        code: 'INSUFFICIENT_SCOPE',
      });
    }
    expect(closed.length).toBeGreaterThan(120);
  });

  it('learns nothing of other channels and direct messages from those that are open', async () => {
    const ids = [hidden, direct];
    /** Those that show the secret to the account's own key. */
    const leaking = new Set<string>();
    for (const route of OPEN.filter((each) => !each.includes('external'))) {
      const [verb, path] = route.split(' ') as [Method, string];
      for (const id of ids) {
        const url = path
          .replace('{stream_id}', String(there))
          .replace('{message_id}', String(id))
          .replace('{user_id}', String(other.id))
          .replace('{email}', other.email);
        const form: Parameters = {
          anchor: 'newest',
          num_before: 100,
          num_after: 0,
          narrow: '[]',
          msg_ids: JSON.stringify(ids),
          stream: 'open plan',
          include_all: true,
          emoji_name: 'smile',
          content: `#**${SECRET[0]} plan** and nothing`,
          op: 'start',
        };
        const parameters = verb === 'POST' && path.endsWith('/messages') ? {} : form;
        const leaks = async (client: ApiClient) =>
          JSON.stringify((await client.call(verb, url.replace('/api/v1', ''), parameters)).body).includes(
            SECRET,
          );
        expect({ route, leaks: await leaks(key) }).toEqual({ route, leaks: false });
        if (verb === 'GET' && (await leaks(app.as(owner)))) leaking.add(route);
      }
    }
    expect(leaking.size).toBeGreaterThanOrEqual(6);
  });

  it.each([
    ['everything', []],
    ['another channel by its ID', () => [['channel', there]]],
    ['another channel by its name', () => [['channel', `${SECRET} plan`]]],
    ['direct messages', [['is', 'dm']]],
    ['a conversation', () => [['dm', [other.id]]]],
    ['a search', [['search', SECRET]]],
    ['all public channels', [['channels', 'public']]],
    ['a message', () => [['id', hidden]]],
    ['what is near a message', () => [['near', direct]]],
    ['what is with a message', () => [['with', hidden]]],
    ['a sender', () => [['sender', other.id]]],
    ['what is not here', () => [{ operator: 'channel', operand: here, negated: true }]],
    ['what is unread', [['is', 'unread']]],
  ])('finds messages of its channels alone in %s', async (_, terms) => {
    const narrow = (typeof terms === 'function' ? terms() : terms).map((term) =>
      Array.isArray(term) ? { operator: term[0], operand: term[1] } : term,
    );
    const own = app.as(owner);
    const fetch = (client: ApiClient) =>
      client.get('/messages', { anchor: 'newest', num_before: 100, narrow: JSON.stringify(narrow) });
    expectSuccess(await fetch(own));
    const { status, body } = await fetch(key);
    const found = status === 200 ? body.messages : [];
    expect(found.filter(({ stream_id }: { stream_id?: number }) => stream_id !== here)).toEqual([]);
    if (narrow.length === 0) expect(found.map(({ id }: { id: number }) => id)).toContain(shown);
    const ids = JSON.stringify([hidden, direct, shown]);
    const matched = await key.get('/messages/matches_narrow', {
      msg_ids: ids,
      narrow: JSON.stringify(narrow),
    });
    const matching = Object.keys(matched.body.messages ?? {}).map(Number);
    expect(matching).not.toContain(hidden);
    expect(matching).not.toContain(direct);
  });

  it('looks for messages in its channels alone, whatever its account has elsewhere', async () => {
    const ids = await copyMessage(app, hidden, 2_000);
    const statements = async (narrow: readonly unknown[]) => {
      const request = { anchor: 'newest', num_before: 10, narrow: JSON.stringify(narrow) };
      const { ran } = await tallyOf(async () => expectSuccess(await key.get('/messages', request)));
      return ran.filter(({ text }) => /\bmessage m\b/.test(text)).length;
    };
    const inChannel = await statements([{ operator: 'channel', operand: here }]);
    expect(await statements([])).toBe(inChannel);
    await app.writeRows((tx) => tx.query('DELETE FROM message WHERE id IN (?)', [ids]));
  });

  it('finds messages of its channels by their IDs alone', async () => {
    const ids = JSON.stringify([hidden, direct, shown]);
    const { messages } = expectSuccess(await key.get('/messages', { message_ids: ids }));
    expect(messages.map(({ id }: { id: number }) => id)).toEqual([shown]);
    expect(expectSuccess(await key.get(`/messages/${shown}`)).message.id).toBe(shown);
    for (const id of [hidden, direct]) {
      expect(await key.get(`/messages/${id}`)).toMatchObject(INVALID_MESSAGE);
      expect(await key.get(`/messages/${id}/history`)).toMatchObject(INVALID_MESSAGE);
      expect(await key.get(`/messages/${id}/read_receipts`)).toMatchObject(INVALID_MESSAGE);
      expect(await key.post(`/messages/${id}/reactions`, { emoji_name: 'smile' })).toMatchObject(
        INVALID_MESSAGE,
      );
      expect(await key.delete(`/messages/${id}`)).toMatchObject(INVALID_MESSAGE);
      expect(await key.patch(`/messages/${id}`, { content: 'mine' })).toMatchObject(INVALID_MESSAGE);
    }
    expectSuccess(await key.post(`/messages/${shown}/reactions`, { emoji_name: 'smile' }));
    expectSuccess(await key.get(`/messages/${shown}/history`));
  });

  it('sends to its channels, and neither to others nor to people', async () => {
    const send = (form: Parameters) =>
      key.post('/messages', { topic: 'desks', content: 'by a program', ...form });
    const { id } = expectSuccess(await send({ type: 'channel', to: here }));
    expectSuccess(await key.patch(`/messages/${id}`, { content: 'by a program, later' }));
    const moved = await key.patch(`/messages/${id}`, { stream_id: there });
    expect(moved).toMatchObject(INVALID_CHANNEL);
    expect((await send({ type: 'channel', to: there })).body.msg).toBe(
      `Channel with ID '${there}' does not exist`,
    );
    expect((await send({ type: 'channel', to: JSON.stringify(`${SECRET} plan`) })).body.code).toBe(
      'STREAM_DOES_NOT_EXIST',
    );
    expect(await send({ type: 'direct', to: `[${other.id}]` })).toMatchObject(BEYOND);
    expect(await send({ type: 'direct', to: `[${owner.id}]` })).toMatchObject(BEYOND);
    expect(await key.post('/typing', { op: 'start', to: `[${other.id}]` })).toMatchObject(BEYOND);
    expectSuccess(
      await key.post('/typing', { op: 'start', type: 'stream', stream_id: here, topic: 'desks' }),
    );
    const elsewhere = { op: 'start', type: 'stream', stream_id: there, topic: 'desks' };
    expect((await key.post('/typing', elsewhere)).status).toBe(400);
    expectSuccess(await key.delete(`/messages/${id}`));
  });

  it('sees its channels alone', async () => {
    for (const choice of [{ include_all: true }, { include_public: true, include_subscribed: true }]) {
      const { streams } = expectSuccess(await key.get('/streams', choice));
      expect(streams.map(({ stream_id }: { stream_id: number }) => stream_id)).toEqual([here]);
    }
    expectSuccess(await key.get(`/streams/${here}`));
    expectSuccess(await key.get(`/users/me/${here}/topics`));
    expect(await key.get(`/streams/${there}`)).toMatchObject(INVALID_CHANNEL);
    expect(await key.get(`/streams/${there}/members`)).toMatchObject(INVALID_CHANNEL);
    expect(await key.get(`/users/me/${there}/topics`)).toMatchObject(INVALID_CHANNEL);
    expect((await key.get('/get_stream_id', { stream: `${SECRET} plan` })).status).toBe(400);
    const link = `#**${SECRET} plan** #**open plan**`;
    const { rendered } = expectSuccess(await key.post('/messages/render', { content: link }));
    expect(rendered).toContain(`data-stream-id="${here}"`);
    expect(rendered).not.toContain(`data-stream-id="${there}"`);
    expect(expectSuccess(await key.get('/users/me')).max_message_id).toBe(-1);
  });

  it('gets no files, and sends them', async () => {
    const url = await upload(app, other);
    await sendTo(app, other, there, 'files', `[file](${url})`);
    expect(await key.get(url.replace('/user_uploads', '/user_uploads'))).toMatchObject(BEYOND);
    const ofKey = await key.upload('/user_uploads', { name: 'log.txt', content: 'log' });
    const path = expectSuccess(ofKey).url as string;
    expectSuccess(
      await key.post('/messages', { type: 'channel', to: here, topic: 'log', content: `[log](${path})` }),
    );
    expect((await load(app, other, path)).status).toBe(200);
  });

  it('tells nothing of what messages were before they came into its channels', async () => {
    const id = await sendTo(app, other, there, `${SECRET} topic`, `the ${SECRET} content`);
    const change = async (changes: Parameters) =>
      expectSuccess(await app.as(other).patch(`/messages/${id}`, changes));
    await change({ content: 'harmless' });
    await change({ topic: `${SECRET} plan` });
    expectSuccess(await app.as(owner).patch(`/messages/${id}`, { stream_id: here, topic: 'moved' }));
    await change({ content: 'newer' });
    await change({ topic: 'renamed' });
    const own = expectSuccess(await app.as(owner).get(`/messages/${id}/history`)).message_history;
    expect(JSON.stringify(own)).toContain(SECRET);
    const { message_history: snapshots } = expectSuccess(await key.get(`/messages/${id}/history`));
    const first = { content: 'harmless', rendered_content: '<p>harmless</p>', topic: 'moved' };
    expect(snapshots).toEqual([
      { ...first, user_id: other.id, timestamp: own[0].timestamp },
      ...own.slice(-2),
    ]);
    const { edit_history: edits } = expectSuccess(await key.get(`/messages/${id}`)).message;
    expect(edits).toMatchObject([{ prev_topic: 'moved' }, { prev_content: 'harmless' }]);
    const { messages } = expectSuccess(await key.get('/messages', { anchor: id, narrow: '[]' }));
    expect(messages).toEqual([expect.objectContaining({ id, edit_history: edits })]);
  });

  it('opens no file to readers of its channels that it does not reach itself', async () => {
    const { max } = app.cast;
    const closed = await createChannel(app, owner, 'closed files', { invite_only: true });
    const says = (url: string) => ({ type: 'channel', to: here, topic: 'files', content: `[file](${url})` });
    const own = await upload(app, owner);
    const foreign = await upload(app, other);
    await sendTo(app, owner, closed, 'files', `[file](${own})`);
    await sendDirect(app, other, [owner], `[file](${foreign})`);
    for (const url of [own, foreign]) {
      const { id } = expectSuccess(await key.post('/messages', says(url)));
      expect((await load(app, max, url)).status).toBe(403);
      expectSuccess(await key.patch(`/messages/${id}`, { content: 'without' }));
      expectSuccess(await key.patch(`/messages/${id}`, { content: `with [file](${url}) again` }));
      expect((await load(app, max, url)).status).toBe(403);
      expectSuccess(await app.as(owner).post('/messages', says(url)));
      expect((await load(app, max, url)).status).toBe(200);
    }
  });

  it('links files that are known in its channels, or not known yet', async () => {
    const url = await upload(app, owner);
    const says = { type: 'channel', to: here, topic: 'files', content: `[file](${url})` };
    const first = expectSuccess(await key.post('/messages', says)).id;
    expectSuccess(await key.post('/messages', says));
    expectSuccess(await key.delete(`/messages/${first}`));
    expect((await load(app, app.cast.max, url)).status).toBe(200);
  });

  it('registers without any state, for events of messages in its channels', async () => {
    const state = expectSuccess(
      await key.post('/register', { fetch_event_types: '["message", "subscription"]' }),
    );
    expect(JSON.stringify(state)).not.toContain(SECRET);
    for (const part of [
      'unread_msgs',
      'subscriptions',
      'max_message_id',
      'recent_private_conversations',
      'streams',
    ]) {
      expect(state).not.toHaveProperty(part);
    }
    const whole = expectSuccess(await key.post('/register', { all_public_streams: true }));
    const sent = await sendTo(app, other, here, 'desks', 'news');
    const gone = await sendTo(app, other, here, 'desks', 'soon gone');
    const elsewhere = await sendTo(app, other, there, 'desks', `${SECRET} news`);
    await sendDirect(app, other, [owner], `${SECRET} news`);
    const own = app.as(owner);
    for (const id of [sent, elsewhere]) {
      expectSuccess(await app.as(other).patch(`/messages/${id}`, { content: `other news of ${id}` }));
      expectSuccess(await own.post(`/messages/${id}/reactions`, { emoji_name: 'smile' }));
      expectSuccess(await own.post('/messages/flags', { messages: `[${id}]`, op: 'add', flag: 'starred' }));
    }
    const leaving = await sendTo(app, other, here, 'desks', 'about to leave');
    expectSuccess(await own.patch(`/messages/${leaving}`, { stream_id: there }));
    for (const id of [gone, elsewhere]) expectSuccess(await own.delete(`/messages/${id}`));
    for (const { queue_id } of [state, whole]) {
      const { events } = expectSuccess(
        await key.get('/events', { queue_id, last_event_id: -1, dont_block: true }),
      );
      const seen = events.map(({ type, message, message_id: id, message_ids: ids }: EventWire) => [
        type,
        message?.id ?? id ?? ids[0],
      ]);
      expect(seen).toEqual([
        ['message', sent],
        ['message', gone],
        ['update_message', sent],
        ['message', leaving],
        ['delete_message', gone],
      ]);
      expect(JSON.stringify(events)).not.toContain(SECRET);
    }
  });

  it('never reaches more than its account', async () => {
    const closed = await createChannel(app, owner, 'closed plan', {
      invite_only: true,
      history_public_to_subscribers: false,
    });
    const { max } = app.cast;
    const made = await keyFor(max, [closed], { scopes: 'read send' });
    expect(made).toMatchObject({ status: 422 });
    const { body } = await keyFor(max, [here], { scopes: 'read' });
    const ofMax = app.client({ email: max.email, apiKey: body.api_key });
    expectSuccess(await ofMax.get(`/messages/${shown}`));
    const sending = await ofMax.post('/messages', { type: 'channel', to: here, topic: 'x', content: 'x' });
    expect(sending).toMatchObject({ status: 403, body: { required_scope: 'send' } });
  });

  it('is made of known channels, and tells the audit log of them', async () => {
    const audit = await AuditReader.of(app);
    const { status, body } = await keyFor(owner, [there, here, there]);
    const ids = [here, there].sort((a, b) => a - b).join(' ');
    expect({ status, ids: body.channel_ids, scopes: body.scopes }).toEqual({
      status: 201,
      ids,
      scopes: KEY_SCOPES.join(' '),
    });
    const entry = (await audit.news()).find(({ action }) => action === 'key.made');
    expect(entry?.details).toMatchObject({ channel_ids: ids, scopes: KEY_SCOPES.join(' ') });
    const companion = await app.companionAs(owner);
    const wrong = ['', '  ', 'general', '0', '-1', '1.5', `${here},${there}`, '999999999', '1'.repeat(2000)];
    for (const channel_ids of [
      ...wrong,
      here,
      [here],
      Array(101)
        .fill('1')
        .map((_, i) => i + 1)
        .join(' '),
    ]) {
      const answer = await companion.post('/auth/keys', {
        name: 'x',
        scopes: 'read',
        password: PASSWORD,
        channel_ids,
      });
      expect({ channel_ids, status: answer.status }).toEqual({ channel_ids, status: 422 });
    }
    const stored = await app.writeRows((tx) =>
      tx.query('SELECT scopes FROM named_key WHERE id = ?', [body.id]),
    );
    expect(stored).toEqual([{ scopes: KEY_SCOPES.map((scope) => `in_channels:${scope}`).join(' ') }]);
  });

  it('lets an incoming webhook post to its channels alone', async () => {
    const bot = await addBot(app, owner, 2);
    const { status, body } = await keyFor(owner, [here], { scopes: 'send', bot_id: bot.id });
    expect(status).toBe(201);
    const call = (where: string) =>
      app.client().send({
        method: 'POST',
        url: `/api/v1/external/json?api_key=${body.api_key}${where}`,
        headers: { 'content-type': 'application/json' },
        payload: '{"a": 1}',
      });
    const newest = async () =>
      expectSuccess(await app.as(owner).get('/messages', { anchor: 'newest', num_before: 1, narrow: '[]' }))
        .messages[0];
    expectSuccess(await call(`&stream=${here}`));
    expect(await newest()).toMatchObject({ sender_id: bot.id, stream_id: here });
    expect(await call('')).toMatchObject(BEYOND);
    await call(`&stream=${there}`);
    await call('&stream=nowhere');
    const { messages: told } = expectSuccess(await fetchMessages(app, owner, [['is', 'dm']]));
    expect(told.filter(({ content }: { content: string }) => content.includes('tried to send'))).toEqual([]);
    const those = {
      anchor: 'newest',
      num_before: 100,
      narrow: JSON.stringify([
        { operator: 'channel', operand: there },
        { operator: 'sender', operand: bot.id },
      ]),
    };
    expect(expectSuccess(await app.as(owner).get('/messages', those)).messages).toEqual([]);
  });
});
