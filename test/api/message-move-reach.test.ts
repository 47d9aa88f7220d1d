import { Jobs } from '../../src/platform/jobs/jobs.service';
import type { Parameters } from '../support/api-client';
import type { Member } from '../support/cast';
import { createChannel } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { fetchIds, fetchMessage, moveIn, sendTo } from '../support/message-setup';
import { expectConsistentRows, rowsOf } from '../support/message-state';
import { TestApp } from '../support/test-app';

let app: TestApp;
let channels = 0;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

afterEach(() => expectConsistentRows(app));

/** A new channel of Mia's, with these people beside her. */
async function channelWith(people: readonly Member[] = [app.cast.max], options: Parameters = {}) {
  const principals = [app.cast.mia, ...people].map(({ id }) => id);
  return createChannel(app, app.cast.mia, `reach ${++channels}`, { principals, ...options });
}

const move = async (member: Member, id: number, changes: Parameters) => {
  const answer = await app.as(member).patch(`/messages/${id}`, {
    send_notification_to_new_thread: false,
    propagate_mode: 'change_all',
    ...changes,
  });
  expectSuccess(answer);
  await app.get(Jobs).runDue();
};
const fill = async (channel: number, topic: string, count: number) => {
  const ids: number[] = [];
  for (let i = 0; i < count; i++) ids.push(await sendTo(app, app.cast.mia, channel, topic, `${topic} ${i}`));
  return ids;
};
const star = async (member: Member, messages: number[]) =>
  expectSuccess(await app.as(member).post('/messages/flags', { messages, op: 'add', flag: 'starred' }));
const sorted = (...people: readonly Member[]) => people.map(({ id }) => id).sort((a, b) => a - b);
const unread = (member: Member) => fetchIds(app, member, [['is', 'unread']]);

describe('Messages that move into a private channel', () => {
  it('are deleted for those who are not in it', async () => {
    const { mia, max, mona } = app.cast;
    const from = await channelWith([max, mona]);
    const to = await channelWith([mona], { invite_only: true, history_public_to_subscribers: true });
    const ids = (await fill(from, 'lunch', 3)) as [number, number, number];
    await star(max, ids);
    await star(mona, [ids[0]]);
    const events = await app.captureEvents(() => move(mia, ids[1], { stream_id: to, topic: 'secret' }));
    const told = events.filter(({ event }) => ['update_message', 'delete_message'].includes(event.type));
    expect(told).toMatchObject([
      { event: { type: 'update_message', message_ids: ids, new_stream_id: to }, audience: sorted(mia, mona) },
      {
        event: {
          type: 'delete_message',
          message_ids: ids,
          message_type: 'stream',
          stream_id: from,
          topic: 'lunch',
        },
        audience: [max.id],
      },
    ]);
    expectError(await app.as(max).get(`/messages/${ids[0]}`), 'Invalid message(s)');
    await expect(fetchIds(app, max, [])).resolves.not.toEqual(expect.arrayContaining([ids[0]]));
    const flags = await rowsOf(app, 'SELECT user_id, message_id FROM message_flag WHERE message_id IN (?)', [
      ids,
    ]);
    expect(flags).toEqual([{ user_id: mona.id, message_id: ids[0] }]);
    await expect(fetchMessage(app, mona, ids[0])).resolves.toMatchObject({ subject: 'secret' });
  });

  it('with protected history come into the history of those who are in it', async () => {
    const { mia, max, mona, adam } = app.cast;
    const from = await channelWith([max]);
    const to = await channelWith([mona], { invite_only: true, history_public_to_subscribers: false });
    const ids = (await fill(from, 'lunch', 2)) as [number, number];
    const before = await unread(mona);
    const events = await app.captureEvents(() => move(mia, ids[0], { stream_id: to }));
    expect(moveIn(events)?.audience).toEqual(sorted(mia, mona));
    for (const id of ids) {
      await expect(fetchMessage(app, mona, id)).resolves.toMatchObject({ flags: ['read', 'historical'] });
      await expect(fetchMessage(app, mia, id)).resolves.toMatchObject({ flags: [] });
    }
    await expect(unread(mona)).resolves.toEqual(before);
    expectSuccess(
      await app.as(mia).post('/users/me/subscriptions', {
        subscriptions: [{ name: `reach ${channels}` }],
        principals: [adam.id],
      }),
    );
    expectError(await app.as(adam).get(`/messages/${ids[0]}`), 'Invalid message(s)');
  });

  it('with protected history are not what somebody received who comes later', async () => {
    const { mia, max, mona } = app.cast;
    const from = await channelWith([max, mona]);
    const to = await channelWith([mona], { invite_only: true, history_public_to_subscribers: false });
    const name = `reach ${channels}`;
    const id = await sendTo(app, mia, from, 'lunch', '@**all** soup');
    await move(mia, id, { stream_id: to });
    expectSuccess(await app.as(mia).patch(`/messages/${id}`, { content: '@**all** a secret' }));
    expectSuccess(
      await app.as(mia).post('/users/me/subscriptions', {
        subscriptions: [{ name }],
        principals: [max.id],
      }),
    );
    expectError(await app.as(max).get(`/messages/${id}`), 'Invalid message(s)');
    await expect(fetchIds(app, max, [{ operator: 'channel', operand: to }])).resolves.not.toContain(id);
    await expect(fetchIds(app, max, [])).resolves.not.toContain(id);
    await expect(unread(max)).resolves.not.toContain(id);
    expect(expectSuccess(await app.as(max).get(`/users/me/${to}/topics`)).topics).toEqual([]);
    const events = await app.captureEvents(async () =>
      expectSuccess(await app.as(mia).patch(`/messages/${id}`, { content: '@**all** another' })),
    );
    expect(moveIn(events)?.audience).toEqual(sorted(mia, mona));

    // Whoever was there has it as before, whatever becomes of further flags.
    await star(mona, [id]);
    expectSuccess(
      await app.as(mona).post('/messages/flags', { messages: [id], op: 'remove', flag: 'starred' }),
    );
    const { flags } = await fetchMessage(app, mona, id);
    expect(flags).toEqual(['stream_wildcard_mentioned', 'wildcard_mentioned']);
    await expect(unread(mona)).resolves.toContain(id);
    await expect(fetchIds(app, mona, [['is', 'mentioned']])).resolves.toContain(id);
  });

  it('are not what somebody received who comes after its history was protected', async () => {
    const { mia, max, mona } = app.cast;
    const from = await channelWith([max, mona]);
    const to = await channelWith([mona], { invite_only: true, history_public_to_subscribers: true });
    const name = `reach ${channels}`;
    const id = await sendTo(app, mia, from, 'lunch', 'soup');
    await move(mia, id, { stream_id: to });
    expectSuccess(
      await app.as(mia).patch(`/streams/${to}`, { is_private: true, history_public_to_subscribers: false }),
    );
    expectSuccess(
      await app.as(mia).post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [max.id] }),
    );
    expectError(await app.as(max).get(`/messages/${id}`), 'Invalid message(s)');
    await expect(fetchMessage(app, mona, id)).resolves.toMatchObject({ flags: [] });
  });

  it('come back as they were for whoever had received them', async () => {
    const { mia, max } = app.cast;
    const from = await channelWith([max]);
    const to = await channelWith([], { invite_only: true, history_public_to_subscribers: true });
    const [id] = (await fill(from, 'lunch', 1)) as [number];
    await move(mia, id, { stream_id: to });
    expectError(await app.as(max).get(`/messages/${id}`), 'Invalid message(s)');
    await move(mia, id, { stream_id: from });
    await expect(fetchIds(app, max, [])).resolves.toContain(id);
  });
});

it('a guest loses what moves into a channel without him; members go on reading it', async () => {
  const { mia, max, gus } = app.cast;
  const from = await channelWith([max, gus]);
  const to = await channelWith([]);
  const [id] = (await fill(from, 'lunch', 1)) as [number];
  const events = await app.captureEvents(() => move(mia, id, { stream_id: to }));
  expect(events.find(({ event }) => event.type === 'update_message')?.audience).toEqual(sorted(mia, max));
  expect(events.find(({ event }) => event.type === 'delete_message')?.audience).toEqual([gus.id]);
  expectError(await app.as(gus).get(`/messages/${id}`), 'Invalid message(s)');
  await expect(fetchMessage(app, max, id)).resolves.toMatchObject({ stream_id: to });
});

it('what moves into a public channel leaves the feed of those who are not in it, unless they noted it', async () => {
  const { mia, max, mona } = app.cast;
  const from = await channelWith([max, mona]);
  const to = await channelWith([mona]);
  const [plain, starred] = (await fill(from, 'lunch', 2)) as [number, number];
  expectSuccess(
    await app.as(max).post('/messages/flags', { messages: [starred], op: 'add', flag: 'starred' }),
  );
  await move(mia, plain, { stream_id: to });
  const feed = await fetchIds(app, max, []);
  expect([feed.includes(plain), feed.includes(starred)]).toEqual([false, true]);
  await expect(fetchIds(app, max, [{ operator: 'sender', operand: mia.id }])).resolves.not.toContain(plain);
  await expect(fetchIds(app, max, [{ operator: 'channel', operand: to }])).resolves.toContain(plain);
  await expect(fetchIds(app, mona, [])).resolves.toEqual(expect.arrayContaining([plain, starred]));
  await move(mia, plain, { stream_id: from });
  await expect(fetchIds(app, max, [])).resolves.toContain(plain);
});

it('what moves out of the channels that somebody is subscribed to counts as read', async () => {
  const { mia, max, mona } = app.cast;
  const from = await channelWith([max, mona]);
  const to = await channelWith([mona]);
  const ids = (await fill(from, 'lunch', 3)) as [number, number, number];
  expectSuccess(await app.as(max).post('/messages/flags', { messages: [ids[1]], op: 'add', flag: 'read' }));
  const events = await app.captureEvents(() => move(mia, ids[0], { stream_id: to }));
  const flags = events.filter(({ event }) => event.type === 'update_message_flags');
  expect(flags).toMatchObject([
    { event: { op: 'add', flag: 'read', messages: [ids[0], ids[2]] }, audience: [max.id] },
  ]);
  await expect(unread(max)).resolves.not.toEqual(expect.arrayContaining([ids[0]]));
  await expect(unread(mona)).resolves.toEqual(expect.arrayContaining(ids));
});

describe('What people have said about a topic', () => {
  const FOLLOWED = 3;
  const [MUTED, UNMUTED] = [1, 2];
  const say = async (member: Member, channel: number, topic: string, policy: number) =>
    expectSuccess(
      await app.as(member).post('/user_topics', { stream_id: channel, topic, visibility_policy: policy }),
    );
  const said = async (channel: number) => {
    const rows = await rowsOf<{ user_id: number; topic_name: string; visibility_policy: number }>(
      app,
      'SELECT user_id, topic_name, visibility_policy FROM user_topic WHERE channel_id = ?',
      [channel],
    );
    return new Map(rows.map((row) => [`${row.topic_name} ${row.user_id}`, row.visibility_policy]));
  };
  /** A topic about which Mia herself says nothing. */
  const topicIn = async (channel: number, topic: string) => {
    const [id] = (await fill(channel, topic, 1)) as [number];
    await say(app.cast.mia, channel, topic, 0);
    return id;
  };

  it('goes along with a topic that moves as a whole', async () => {
    const { mia, max, mona } = app.cast;
    const channel = await channelWith([max, mona]);
    const id = await topicIn(channel, 'lunch');
    await say(max, channel, 'lunch', MUTED);
    await say(mona, channel, 'lunch', FOLLOWED);
    const events = await app.captureEvents(() => move(mia, id, { topic: 'dinner' }));
    await expect(said(channel)).resolves.toEqual(
      new Map([
        [`dinner ${max.id}`, MUTED],
        [`dinner ${mona.id}`, FOLLOWED],
      ]),
    );
    expect(events.map(({ event }) => event.type).filter((type) => type !== 'muted_topics')).toEqual([
      ...Array(3).fill('user_topic'),
      'update_message',
    ]);
    const told = events.filter(({ event }) => event.type === 'user_topic');
    expect(told.map(({ event, audience }) => [event.topic_name, event.visibility_policy, audience])).toEqual([
      ['lunch', 0, sorted(max, mona)],
      ['dinner', FOLLOWED, [mona.id]],
      ['dinner', MUTED, [max.id]],
    ]);
    const lists = events.filter(({ event }) => event.type === 'muted_topics');
    expect(lists.every(({ audience }) => audience.length === 1 && audience[0] === max.id)).toBe(true);
    expect(lists.at(-1)?.event.muted_topics).toEqual([[`reach ${channels}`, 'dinner', expect.any(Number)]]);
  });

  it('stays where part of the topic stays', async () => {
    const { mia, max } = app.cast;
    const channel = await channelWith();
    const id = await topicIn(channel, 'lunch');
    await topicIn(channel, 'lunch');
    await say(max, channel, 'lunch', FOLLOWED);
    await move(mia, id, { topic: 'dinner', propagate_mode: 'change_one' });
    await expect(said(channel)).resolves.toEqual(
      new Map([
        [`lunch ${max.id}`, FOLLOWED],
        [`dinner ${mia.id}`, FOLLOWED],
      ]),
    );
  });

  it('is followed by whose message starts another one, as that person sees it', async () => {
    const { mia, max } = app.cast;
    const channel = await channelWith([max]);
    await fill(channel, 'lunch', 2);
    const first = await sendTo(app, max, channel, 'lunch');
    const second = await sendTo(app, max, channel, 'lunch');
    await expect(said(channel)).resolves.toEqual(new Map([[`lunch ${mia.id}`, FOLLOWED]]));
    await move(mia, second, { topic: 'dinner', propagate_mode: 'change_one' });
    await expect(said(channel)).resolves.toEqual(
      new Map([
        [`lunch ${mia.id}`, FOLLOWED],
        [`dinner ${max.id}`, FOLLOWED],
      ]),
    );
    await say(max, channel, 'dinner', 0);
    await move(mia, await sendTo(app, max, channel, 'lunch'), {
      topic: 'dinner',
      propagate_mode: 'change_one',
    });
    expect((await said(channel)).has(`dinner ${max.id}`)).toBe(false);
    await move(mia, first, { topic: 'dinner', propagate_mode: 'change_one' });
    expect((await said(channel)).get(`dinner ${max.id}`)).toBe(FOLLOWED);
  });

  it('shows more of the two where topics become one', async () => {
    const { mia, max, mona, adam, olivia } = app.cast;
    const channel = await channelWith([max, mona, adam, olivia]);
    const id = await topicIn(channel, 'lunch');
    await topicIn(channel, 'dinner');
    await say(max, channel, 'lunch', MUTED);
    await say(max, channel, 'dinner', FOLLOWED);
    await say(mona, channel, 'lunch', UNMUTED);
    await say(mona, channel, 'dinner', MUTED);
    await say(adam, channel, 'lunch', MUTED);
    await say(olivia, channel, 'lunch', MUTED);
    await say(olivia, channel, 'dinner', MUTED);
    await move(mia, id, { topic: 'dinner' });
    await expect(said(channel)).resolves.toEqual(
      new Map([
        [`dinner ${max.id}`, FOLLOWED],
        [`dinner ${mona.id}`, UNMUTED],
        [`dinner ${olivia.id}`, MUTED],
      ]),
    );
  });

  it('is forgotten by those who lose the topic', async () => {
    const { mia, max, mona } = app.cast;
    const from = await channelWith([max, mona]);
    const to = await channelWith([mona], { invite_only: true });
    const id = await topicIn(from, 'lunch');
    await say(max, from, 'lunch', FOLLOWED);
    await say(mona, from, 'lunch', FOLLOWED);
    await move(mia, id, { stream_id: to });
    await expect(said(from)).resolves.toEqual(new Map());
    await expect(said(to)).resolves.toEqual(new Map([[`lunch ${mona.id}`, FOLLOWED]]));
  });

  it('is left alone by another spelling', async () => {
    const { mia, max } = app.cast;
    const channel = await channelWith();
    const id = await topicIn(channel, 'lunch');
    await say(max, channel, 'lunch', FOLLOWED);
    const events = await app.captureEvents(() => move(mia, id, { topic: 'LUNCH' }));
    expect(events.map(({ event }) => event.type)).toEqual(['update_message']);
    await expect(said(channel)).resolves.toEqual(new Map([[`lunch ${max.id}`, FOLLOWED]]));
  });
});
