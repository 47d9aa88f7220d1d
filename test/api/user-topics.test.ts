import { UserTopicsService } from '../../src/features/channels/topics/policies/user-topics.service';
import { Database } from '../../src/platform/database/database.service';
import type { Member } from '../support/cast';
import { channelRecord, createChannel } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';

let app: TestApp;
let count = 0;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

/** A channel that Mia is subscribed to. */
const make = (options = {}) => createChannel(app, app.cast.mia, `Channel ${++count}`, options);

const mute = (who: Member, parameters: Record<string, unknown>) =>
  app.as(who).patch('/users/me/subscriptions/muted_topics', { op: 'add', ...parameters });

const unmute = (who: Member, parameters: Record<string, unknown>) =>
  mute(who, { ...parameters, op: 'remove' });

const set = (who: Member, id: number, topic: string, policy: unknown) =>
  app.as(who).post('/user_topics', { stream_id: id, topic, visibility_policy: policy });

/** What somebody has said about the topics of a channel. */
const policies = async (who: Member, id: number) => {
  const all = await app.get(UserTopicsService).policiesOf(app.get(Database).read, who.id);
  const own = all.filter(({ channelId }) => channelId === id).map(({ topic, policy }) => [topic, policy]);
  return Object.fromEntries(own) as Record<string, number>;
};

describe('muting a topic', () => {
  it('needs no messages, and is told to the person alone [EP3-stream_id, EP3-topic-without-messages, EP3-response, STATE-mute-add, VER-170]', async () => {
    const { mia } = app.cast;
    const id = await make();
    const { name } = await channelRecord(app, id);
    const before = Math.floor(Date.now() / 1000);
    const events = await app.captureEvents(async () => {
      expect(expectSuccess(await mute(mia, { stream_id: id, topic: 'Lunch' }))).toEqual({
        result: 'success',
        msg: '',
      });
    });
    await expect(policies(mia, id)).resolves.toEqual({ Lunch: 1 });
    const at = events[1]?.event.last_updated;
    expect(at).toBeGreaterThanOrEqual(before);
    expect(events).toMatchObject([
      {
        event: { type: 'muted_topics', muted_topics: [[name, 'Lunch', at]] },
        audience: [mia.id],
        options: {},
      },
      {
        event: {
          type: 'user_topic',
          stream_id: id,
          topic_name: 'Lunch',
          last_updated: at,
          visibility_policy: 1,
        },
        audience: [mia.id],
        options: {},
      },
    ]);
  });

  it('names the channel by its ID or its name, and only by one [EP3-stream, EP3-stream_id, EP3-exactly-one]', async () => {
    const { mia } = app.cast;
    const id = await make();
    const { name } = await channelRecord(app, id);
    expectSuccess(await mute(mia, { stream: ` ${name.toUpperCase()}`, topic: 'x' }));
    await expect(policies(mia, id)).resolves.toEqual({ x: 1 });
    expectError(await mute(mia, { topic: 'x' }), "Missing 'stream_id' argument");
    expectError(
      await mute(mia, { stream: name, stream_id: id, topic: 'x' }),
      'Unsupported parameter combination: stream_id, stream',
      { data: { parameters: 'stream_id, stream' } },
    );
  });

  it('checks its parameters [EP3-op, EP3-topic, LIM-1c]', async () => {
    const { mia } = app.cast;
    const id = await make();
    expectError(await mute(mia, { stream_id: id }), "Missing 'topic' argument", {
      code: 'REQUEST_VARIABLE_MISSING',
      data: { var_name: 'topic' },
    });
    expectError(await mute(mia, { stream_id: id, topic: 'x', op: undefined }), "Missing 'op' argument", {
      code: 'REQUEST_VARIABLE_MISSING',
      data: { var_name: 'op' },
    });
    expectError(await mute(mia, { stream_id: id, topic: 'x', op: 'toggle' }), 'Invalid op');
    expectError(
      await mute(mia, { stream_id: id, topic: 'x'.repeat(61) }),
      'topic is too long (limit: 60 characters)',
    );
    expectSuccess(await mute(mia, { stream_id: id, topic: '😀'.repeat(60) }));
  });

  it('needs a subscription, for adding and for removing [EP3-subscribed]', async () => {
    const { max } = app.cast;
    const id = await make();
    for (const change of [mute, unmute]) {
      expectError(await change(max, { stream_id: id, topic: 'x' }), `Not subscribed to channel ID ${id}`);
    }
    await expect(policies(max, id)).resolves.toEqual({});
  });

  it('tells apart nothing between unknown channels and those out of reach [ERR-invalid-channel, ERR-BAD_REQUEST-channel]', async () => {
    const { max } = app.cast;
    const id = await make({ invite_only: true });
    const { name } = await channelRecord(app, id);
    for (const stream_id of [id, 999_999_999_999]) {
      expectError(await mute(max, { stream_id, topic: 'x' }), 'Invalid channel ID');
      expectError(await unmute(max, { stream_id, topic: 'x' }), 'Topic is not muted');
    }
    expectError(await mute(max, { stream: name, topic: 'x' }), `Invalid channel name '${name}'`);
    expectError(await mute(max, { stream: 'None', topic: 'x' }), "Invalid channel name 'None'");
  });

  it('is refused in archived channels, unmuting is not', async () => {
    const { mia, adam } = app.cast;
    const id = await make();
    expectSuccess(await mute(mia, { stream_id: id, topic: 'x' }));
    expectSuccess(await app.as(adam).delete(`/streams/${id}`));
    expectError(await mute(mia, { stream_id: id, topic: 'y' }), 'Invalid channel ID');
    expectSuccess(await unmute(mia, { stream_id: id, topic: 'x' }));
    await expect(policies(mia, id)).resolves.toEqual({});
  });

  it('is open to guests and bots', async () => {
    const { mia, gus, robo } = app.cast;
    const id = await make({ principals: [mia.id, gus.id, robo.id] });
    expectSuccess(await mute(gus, { stream_id: id, topic: 'x' }));
    expectSuccess(await mute(robo, { stream_id: id, topic: 'x' }));
  });
});

describe('repeating', () => {
  it('a mute, or an unmute, is no error and tells nothing [STATE-mute-repeat, STATE-mute-remove, VER-169]', async () => {
    const { mia } = app.cast;
    const id = await make();
    expectSuccess(await mute(mia, { stream_id: id, topic: 'Lunch' }));
    const none = await app.captureEvents(async () => {
      expectSuccess(await mute(mia, { stream_id: id, topic: 'LUNCH' }));
    });
    expect(none).toEqual([]);
    await expect(policies(mia, id)).resolves.toEqual({ Lunch: 1 });
    const events = await app.captureEvents(async () => {
      expectSuccess(await unmute(mia, { stream_id: id, topic: 'lunch' }));
      expectSuccess(await unmute(mia, { stream_id: id, topic: 'lunch' }));
    });
    expect(events.map(({ event }) => event.type)).toEqual(['muted_topics', 'user_topic']);
    expect(events[1]?.event).toMatchObject({ topic_name: 'Lunch', visibility_policy: 0 });
    await expect(policies(mia, id)).resolves.toEqual({});
  });
});

describe('POST /user_topics', () => {
  it('sets every policy, without a subscription', async () => {
    const { max } = app.cast;
    const id = await make();
    for (const policy of [1, 2, 3]) {
      expectSuccess(await set(max, id, 'Lunch', policy));
      await expect(policies(max, id)).resolves.toEqual({ Lunch: policy });
    }
    expectSuccess(await set(max, id, 'lunch', 0));
    await expect(policies(max, id)).resolves.toEqual({});
  });

  it('tells the whole list of muted topics and the topic', async () => {
    const { max } = app.cast;
    const id = await make();
    const { name } = await channelRecord(app, id);
    expectSuccess(await set(max, id, 'one', 1));
    const events = await app.captureEvents(() => set(max, id, 'two', 3));
    expect(events.map(({ event }) => event)).toMatchObject([
      { type: 'muted_topics', muted_topics: [[name, 'one', expect.any(Number)]] },
      { type: 'user_topic', stream_id: id, topic_name: 'two', visibility_policy: 3 },
    ]);
  });

  it('checks the channel, the topic and the policy', async () => {
    const { max } = app.cast;
    const hidden = await make({ invite_only: true });
    const id = await make();
    for (const policy of [0, 1]) {
      expectError(await set(max, hidden, 'x', policy), 'Invalid channel ID');
      expectError(await set(max, 999_999_999_999, 'x', policy), 'Invalid channel ID');
    }
    expectError(
      await set(max, id, 'x', 4),
      'Invalid visibility_policy: Value error, Not in the list of possible values',
    );
    expectError(await set(max, id, 'x', 'muted'), 'visibility_policy is not valid JSON');
    expectError(await set(max, id, 'x'.repeat(61), 1), 'topic is too long (limit: 60 characters)');
  });

  it('takes a policy back from a channel that is out of reach by now', async () => {
    const { mia, max } = app.cast;
    const id = await make();
    expectSuccess(await set(max, id, 'x', 3));
    expectSuccess(await app.as(mia).patch(`/streams/${id}`, { is_private: true }));
    expectError(await set(max, id, 'x', 1), 'Invalid channel ID');
    expectSuccess(await set(max, id, 'x', 0));
    expectError(await set(max, id, 'x', 0), 'Invalid channel ID');
  });

  it('knows the empty topic by its display name, and shows it to clients as they know it', async () => {
    const { mia } = app.cast;
    const id = await make();
    const events = await app.captureEvents(() => set(mia, id, 'general chat', 3));
    await expect(policies(mia, id)).resolves.toEqual({ '': 3 });
    const told = events.filter(({ event }) => event.type === 'user_topic');
    expect(told.map(({ event, options }) => [event.topic_name, options])).toEqual([
      ['', { requires: 'empty_topic_name' }],
      ['general chat', { unless: 'empty_topic_name' }],
    ]);
    const none = await app.captureEvents(() => set(mia, id, '', 3));
    expect(none).toEqual([]);
  });
});

it('who has said what about a topic can be read by those who notify', async () => {
  const { mia, max } = app.cast;
  const id = await make();
  expectSuccess(await set(mia, id, 'Lunch', 3));
  expectSuccess(await set(max, id, 'lunch', 1));
  const found = await app.get(UserTopicsService).policiesFor(app.get(Database).read, id, 'LUNCH');
  expect(found).toEqual(
    new Map([
      [mia.id, 3],
      [max.id, 1],
    ]),
  );
});
