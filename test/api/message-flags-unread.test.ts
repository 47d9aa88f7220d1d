import type { Parameters } from '../support/api-client';
import type { Member } from '../support/cast';
import { createChannel, createGroup } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { fetchMessage, sendDirect, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;
let channels = 0;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

/** A new channel of Mia's, with these people beside her. */
async function channelWith(members: readonly Member[], options: Parameters = {}) {
  const { mia } = app.cast;
  const name = `channel ${++channels}`;
  const principals = [mia, ...members].map(({ id }) => id);
  return { name, id: await createChannel(app, mia, name, { principals, ...options }) };
}

const change = (member: Member, op: string, flag: string, messages: readonly number[]) =>
  app.as(member).post('/messages/flags', { messages, op, flag });
const unread = (member: Member, messages: readonly number[]) => change(member, 'remove', 'read', messages);

const flagsOf = async (member: Member, id: number): Promise<string[]> =>
  (await fetchMessage(app, member, id)).flags;

const leave = async (member: Member, name: string) =>
  expectSuccess(await app.as(member).delete('/users/me/subscriptions', { subscriptions: [name] }));

/** The places that the one event of marking unread tells. */
async function placesOf(member: Member, messages: readonly number[]) {
  const events = await app.captureEvents(async () => {
    expectSuccess(await change(member, 'add', 'read', messages));
    expectSuccess(await unread(member, messages));
  });
  return events[1]?.event.message_details;
}

describe('Messages of channels that somebody is not subscribed to', () => {
  it('stay read, and their channels are named [STATE-flag-unread, EP19-response-ignored, VER-355]', async () => {
    const { mia, max } = app.cast;
    const left = await channelWith([max]);
    const foreign = await channelWith([]);
    const own = await channelWith([max]);
    const ids = [
      await sendTo(app, mia, left.id, 'x'),
      await sendTo(app, mia, left.id, 'y'),
      await sendTo(app, mia, foreign.id, 'x'),
      await sendTo(app, mia, own.id, 'x'),
    ] as const;
    await leave(max, left.name);
    expectSuccess(await change(max, 'add', 'read', ids));
    const events = await app.captureEvents(async () => {
      const answer = expectSuccess(await unread(max, ids));
      expect(answer.messages).toEqual([ids[3]]);
      expect(answer.ignored_because_not_subscribed_channels.sort()).toEqual([left.id, foreign.id].sort());
    });
    expect(events).toMatchObject([{ event: { messages: [ids[3]] } }]);
    expect(Object.keys(events[0]?.event.message_details)).toEqual([String(ids[3])]);
    await expect(flagsOf(max, ids[0])).resolves.toEqual(['read']);
    await expect(flagsOf(max, ids[2])).resolves.toEqual(['read', 'historical']);
  });

  it('are named also where the channel was left and is out of reach', async () => {
    const { mia, max } = app.cast;
    const channel = await channelWith([max], { invite_only: true });
    const id = await sendTo(app, mia, channel.id, 'x');
    await leave(max, channel.name);
    expect(expectSuccess(await unread(max, [id]))).toMatchObject({
      messages: [],
      ignored_because_not_subscribed_channels: [channel.id],
    });
  });

  it('do not reveal channels that somebody does not know of', async () => {
    const { mia, max, gus } = app.cast;
    const secret = await channelWith([], { invite_only: true });
    const open = await channelWith([]);
    const id = await sendTo(app, mia, secret.id, 'x');
    expectError(await unread(max, [id]), 'Invalid message(s)');
    expectError(await unread(gus, [await sendTo(app, mia, open.id, 'x')]), 'Invalid message(s)');
  });
});

describe('Messages out of reach', () => {
  it('are refused where they would enter the history, and nothing changes', async () => {
    const { mia, max, adam } = app.cast;
    const channel = await channelWith([max]);
    const readable = await sendTo(app, mia, channel.id, 'x');
    const secret = await sendTo(app, mia, (await channelWith([], { invite_only: true })).id, 'x');
    const direct = await sendDirect(app, mia, [app.cast.mona]);
    expectSuccess(await change(max, 'add', 'read', [readable]));
    for (const id of [secret, direct, readable + 1_000_000, 0, -5, 2 ** 31, 2 ** 53 - 1]) {
      for (const [op, flag] of [
        ['remove', 'read'],
        ['add', 'starred'],
        ['add', 'collapsed'],
      ] as const) {
        const events = await app.captureEvents(async () => {
          expectError(await change(max, op, flag, [readable, id]), 'Invalid message(s)');
        });
        expect(events).toEqual([]);
      }
    }
    await expect(flagsOf(max, readable)).resolves.toEqual(['read']);
    expectError(await change(adam, 'add', 'starred', [direct]), 'Invalid message(s)');
  });

  it('are passed over where there is nothing to do', async () => {
    const { mia, max } = app.cast;
    const own = await sendTo(app, mia, (await channelWith([max])).id, 'x');
    const secret = await sendTo(app, mia, (await channelWith([], { invite_only: true })).id, 'x');
    const direct = await sendDirect(app, mia, [app.cast.mona]);
    const others = [secret, direct, own + 1_000_000, 0, -5, 2 ** 31, 2 ** 53 - 1];
    expect(expectSuccess(await change(max, 'add', 'read', [...others, own])).messages).toEqual([own]);
    expectSuccess(await change(max, 'add', 'starred', [own]));
    expect(expectSuccess(await change(max, 'remove', 'starred', [...others, own])).messages).toEqual([own]);
  });

  it('are those of a channel with protected history from before the subscription', async () => {
    const { mia, max } = app.cast;
    const channel = await channelWith([], { invite_only: true, history_public_to_subscribers: false });
    const before = await sendTo(app, mia, channel.id, 'x');
    const subscriptions = [{ name: channel.name }];
    expectSuccess(await app.as(mia).post('/users/me/subscriptions', { subscriptions, principals: [max.id] }));
    const after = await sendTo(app, mia, channel.id, 'x');
    for (const [op, flag] of [
      ['remove', 'read'],
      ['add', 'starred'],
    ] as const) {
      expectError(await change(max, op, flag, [before]), 'Invalid message(s)');
      expectSuccess(await change(max, op, flag, [after]));
    }
  });
});

describe('Where messages are that became unread', () => {
  it('says so of channels: muted or not', async () => {
    const { mia, max } = app.cast;
    const channel = await channelWith([max]);
    const [plain, silent, followed] = [
      await sendTo(app, mia, channel.id, 'plain'),
      await sendTo(app, mia, channel.id, 'silent'),
      await sendTo(app, mia, channel.id, 'followed'),
    ] as const;
    const visibility = async (topic: string, visibility_policy: number) =>
      expectSuccess(
        await app.as(max).post('/user_topics', { stream_id: channel.id, topic, visibility_policy }),
      );
    await visibility('silent', 1);
    await visibility('followed', 3);
    const stream = { type: 'stream', stream_id: channel.id };
    const ids = [plain, silent, followed];
    await expect(placesOf(max, ids)).resolves.toEqual({
      [plain]: { ...stream, topic: 'plain', unmuted_stream_msg: true },
      [silent]: { ...stream, topic: 'silent', unmuted_stream_msg: false },
      [followed]: { ...stream, topic: 'followed', unmuted_stream_msg: true },
    });
    expectSuccess(
      await app.as(max).post('/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id: channel.id, property: 'is_muted', value: true }],
      }),
    );
    await expect(placesOf(max, ids)).resolves.toEqual({
      [plain]: { ...stream, topic: 'plain', unmuted_stream_msg: false },
      [silent]: { ...stream, topic: 'silent', unmuted_stream_msg: false },
      [followed]: { ...stream, topic: 'followed', unmuted_stream_msg: true },
    });
  });

  it('says who is mentioned; wildcards do not count where they are muted', async () => {
    const { mia, max } = app.cast;
    const channel = await channelWith([max]);
    await createGroup(app, 'bakers', [max.id]);
    const contents = ['hello', '@**Max Member**', '@*bakers*', '@**all**'];
    const ids: number[] = [];
    for (const content of contents) ids.push(await sendTo(app, mia, channel.id, '', content));
    const mentioned = async () => {
      const places = await placesOf(max, ids);
      expect(places[ids[0] ?? 0]).toMatchObject({ topic: '' });
      return ids.map((id) => places[id].mentioned);
    };
    await expect(mentioned()).resolves.toEqual([undefined, true, true, true]);
    expectSuccess(
      await app.as(max).post('/user_topics', { stream_id: channel.id, topic: '', visibility_policy: 1 }),
    );
    await expect(mentioned()).resolves.toEqual([undefined, true, true, undefined]);
  });

  it('says of direct messages who the others are', async () => {
    const { mia, max, mona } = app.cast;
    const self = await sendDirect(app, max, [max]);
    const pair = await sendDirect(app, mia, [max]);
    const group = await sendDirect(app, mia, [mona, max], '@**Max Member**');
    await expect(placesOf(max, [self, pair, group])).resolves.toEqual({
      [self]: { type: 'private', user_ids: [] },
      [pair]: { type: 'private', user_ids: [mia.id] },
      [group]: {
        type: 'private',
        user_ids: [mia.id, mona.id].sort((a, b) => a - b),
        mentioned: true,
      },
    });
  });
});
