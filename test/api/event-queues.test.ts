import { get } from 'node:http';
import { setTimeout as moment } from 'node:timers/promises';
import { Database } from '../../src/platform/database/database.service';
import { EventLogExpiry } from '../../src/platform/database/event-log-expiry.service';
import { TransactionService } from '../../src/platform/database/transaction.service';
import { Audience } from '../../src/platform/events/audience';
import type { EmitOptions } from '../../src/platform/events/emission';
import type { ServerEvent } from '../../src/platform/events/server-event';
import { TransientEvents } from '../../src/platform/events/transient-events';
import { LiveQueues } from '../../src/features/realtime/live-queues.directory';
import { QueueMaintenanceService } from '../../src/features/realtime/queue-maintenance.service';
import type { Member } from '../support/cast';
import { createChannel } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { sendDirect, sendTo } from '../support/message-setup';
import { descriptionCheck } from '../support/description/running-check';
import { TestApp } from '../support/test-app';
import { MovableClock } from '../support/test-platform';
import type { QueueEvent, TestQueue } from '../support/test-queue';

const MINUTE_MS = 60_000;
const clock = new MovableClock();
let app: TestApp;

// Most events here are made up, as they are about queues and not about what is in them.
descriptionCheck.leave('events');

beforeAll(async () => {
  app = await TestApp.start({ clock, withoutLaw: 'its clients get events that no client knows' });
});

afterAll(() => app.stop());

const say = (to: Member, content: string) => sendDirect(app, app.cast.mia, [to], content);

/** Writes an event as a feature does. */
const emit = (event: ServerEvent, audience: readonly Member[], options?: EmitOptions) =>
  app
    .get(TransactionService)
    .run(async (tx) => tx.emit(event, Audience.of(audience.map(({ id }) => id)), options));

const publish = (event: ServerEvent, audience: readonly Member[], options?: EmitOptions) =>
  app.get(TransientEvents).publish(event, Audience.of(audience.map(({ id }) => id)), options);

const contents = (events: { message: { content: string } }[]) => events.map(({ message }) => message.content);
const ids = (events: { id: number }[]) => events.map(({ id }) => id);
const badQueue = (queueId: string) => ({ code: 'BAD_EVENT_QUEUE_ID', data: { queue_id: queueId } });

/** Once a poll of the queue waits. */
async function parked(queue: TestQueue): Promise<void> {
  while (!app.get(LiveQueues).byId(queue.id)?.parked) await new Promise((resolve) => setImmediate(resolve));
}

describe('Polling', () => {
  it('gives the events since the registration, at once and in order [EVT-2a]', async () => {
    const { max } = app.cast;
    await say(max, 'before');
    const queue = await app.queue(max);
    expect(queue.state).toMatchObject({ last_event_id: -1, idle_queue_timeout_secs: 600 });
    await say(max, 'one');
    await say(max, 'two');
    const { events, ...rest } = expectSuccess(await queue.request({ dont_block: true }));
    expect(rest).toEqual({ result: 'success', msg: '' });
    expect(contents(events)).toEqual(['one', 'two']);
    expect(Object.keys(events[0]).sort()).toEqual(['flags', 'id', 'message', 'type']);
    expect(events[0].id).toBeGreaterThan(-1);
    expect(events[1].id).toBeGreaterThan(events[0].id);
  });

  it('gives them again until the client says that it has them', async () => {
    const { max } = app.cast;
    const queue = await app.queue(max);
    await say(max, 'one');
    await say(max, 'two');
    const first = (await queue.request({ dont_block: true })).body.events;
    expect(contents(first)).toEqual(['one', 'two']);
    expect((await queue.request()).body.events).toEqual(first);
    expect(await queue.wait()).toEqual(first);
    expect(await queue.events()).toEqual([]);
    await say(max, 'three');
    expect(contents(await queue.events())).toEqual(['three']);
  });

  it('waits for the next event', async () => {
    const { max } = app.cast;
    const queue = await app.queue(max);
    const polled = queue.wait();
    await parked(queue);
    await say(max, 'now');
    expect(contents(await polled)).toEqual(['now']);
  });

  it('lets the poll go of a client that has gone', async () => {
    const queue = await app.queue(app.cast.max);
    await app.nest.listen(0, '127.0.0.1');
    const { email, apiKey } = app.credentialsOf(app.cast.max);
    const url = `${await app.nest.getUrl()}/api/v1/events?queue_id=${queue.id}&last_event_id=-1`;
    const request = get(url, { auth: `${email}:${apiKey}` });
    request.on('error', () => undefined);
    await parked(queue);
    request.destroy();
    while (app.get(LiveQueues).byId(queue.id)?.parked) await moment(5);
    expect(await queue.events()).toEqual([]);
  });

  it('does not wait where it is told so', async () => {
    const queue = await app.queue(app.cast.max);
    expect(expectSuccess(await queue.request({ dont_block: true })).events).toEqual([]);
  });

  it('ends the poll before it, with what is there', async () => {
    const { max } = app.cast;
    const queue = await app.queue(max);
    const first = queue.request();
    await parked(queue);
    const second = queue.request();
    expect(expectSuccess(await first).events).toEqual([]);
    await parked(queue);
    await say(max, 'to the second');
    expect(contents(expectSuccess(await second).events)).toEqual(['to the second']);
  });

  it('serves several queues of one person, each with its own', async () => {
    const { max } = app.cast;
    const [one, other] = [await app.queue(max), await app.queue(max, { event_types: ['message'] })];
    expect(one.id).not.toBe(other.id);
    await say(max, 'to both');
    expect(contents(await one.events())).toEqual(['to both']);
    expect(contents(await other.events())).toEqual(['to both']);
  });

  it('goes on with the queue of an account whose key was replaced', async () => {
    const { max } = app.cast;
    const queue = await app.queue(max);
    expectSuccess(await app.as(max).post('/users/me/api_key/regenerate'));
    await say(max, 'still here');
    const answer = await app.as(max).get('/events', { queue_id: queue.id, last_event_id: -1 });
    expect(contents(expectSuccess(answer).events)).toEqual(['still here']);
  });

  it('is not counted as a request', async () => {
    const queue = await app.queue(app.cast.max);
    const answer = await queue.request({ dont_block: true });
    expect(answer.headers['x-ratelimit-remaining']).toBeUndefined();
  });

  it('gives a great many events in several answers, none lost and none twice', async () => {
    const { max } = app.cast;
    const queue = await app.queue(max);
    await app.get(TransactionService).run(async (tx) => {
      for (let n = 0; n < 2_300; n++) tx.emit({ type: 'test_note', n }, Audience.of([max.id]));
    });
    expect((await queue.request({ dont_block: true })).body.events).toHaveLength(1_000);
    publish({ type: 'test_note', n: 2_300 }, [max]);
    const events = await queue.events();
    expect(events.map(({ n }) => n)).toEqual(Array.from({ length: 2_301 }, (_, n) => n));
  });
});

describe('Polling after a long time', () => {
  it('gives what memory has let go of', async () => {
    const { max } = app.cast;
    const queue = await app.queue(max);
    await say(max, 'before the flood');
    await app.get(TransactionService).run(async (tx) => {
      for (let n = 0; n < 11_000; n++) tx.emit({ type: 'drop', n }, Audience.nobody);
    });
    await say(max, 'after the flood');
    expect(contents((await queue.request({ dont_block: true })).body.events)).toEqual([
      'before the flood',
      'after the flood',
    ]);
    const [first] = await queue.events();
    const beyond = { last_event_id: first.id + 1 };
    expectError(await queue.request(beyond), `An event newer than ${first.id + 1} has already been pruned!`);
    const late = await app.queue(max);
    expectError(await late.request({ last_event_id: first.id }), `Event ${first.id} was not in this queue`);
  });
});

describe('What is no event of the queue', () => {
  const stranger = 'ffffffff-ffff-4fff-bfff-ffffffffffff';

  it.each([stranger, '', 'x'.repeat(5_000), "'; DROP TABLE event_queue; --"])(
    'is refused: an unknown queue (%#)',
    async (queueId) => {
      const client = app.as(app.cast.max);
      const message = `Bad event queue ID: ${queueId}`;
      const polled = await client.get('/events', { queue_id: queueId, last_event_id: -1 });
      expectError(polled, message, badQueue(queueId));
      expectError(await client.delete('/events', { queue_id: queueId }), message, badQueue(queueId));
    },
  );

  it('is refused: the queue of somebody else', async () => {
    const { id } = await app.queue(app.cast.max);
    const client = app.as(app.cast.olivia);
    const message = `Bad event queue ID: ${id}`;
    expectError(await client.get('/events', { queue_id: id, last_event_id: -1 }), message, badQueue(id));
    expectError(await client.delete('/events', { queue_id: id }), message, badQueue(id));
  });

  it('is refused: missing and wrong parameters', async () => {
    const client = app.as(app.cast.max);
    const missing = (name: string) => ({ code: 'REQUEST_VARIABLE_MISSING', data: { var_name: name } });
    expectError(await client.get('/events'), "Missing 'queue_id' argument", missing('queue_id'));
    expectError(
      await client.get('/events', { queue_id: stranger }),
      "Missing 'last_event_id' argument",
      missing('last_event_id'),
    );
    const wrong = { queue_id: stranger, last_event_id: 'x' };
    expectError(await client.get('/events', wrong), 'last_event_id is not valid JSON');
    const badFlag = { queue_id: stranger, last_event_id: -1, dont_block: '1' };
    expectError(await client.get('/events', badFlag), 'dont_block is not a boolean');
    expectError(await client.delete('/events'), "Missing 'queue_id' argument", missing('queue_id'));
  });

  it('is refused: an event before one that the client has', async () => {
    const { max } = app.cast;
    const queue = await app.queue(max);
    await say(max, 'one');
    const [one] = await queue.wait();
    await say(max, 'two');
    const [two] = await queue.wait();
    await queue.request({ dont_block: true });
    for (const id of [-1, one.id, two.id - 1]) {
      const message = `An event newer than ${id} has already been pruned!`;
      expectError(await queue.request({ last_event_id: id }), message);
    }
    expectError(
      await queue.request({ last_event_id: -2 }),
      'An event newer than -2 has already been pruned!',
    );
  });

  it('is refused: an event that was never in the queue', async () => {
    const { max, olivia } = app.cast;
    const before = await app.queue(max);
    await say(max, 'before');
    const [early] = await before.wait();
    const queue = await app.queue(max);
    const others = await app.queue(olivia);
    await say(olivia, 'to somebody else');
    await say(max, 'one');
    const [foreign] = await others.wait();
    const [one] = (await queue.request()).body.events;
    for (const id of [0, early.id, foreign.id, one.id + 1, one.id + 1_024_000, Number.MAX_SAFE_INTEGER]) {
      expectError(await queue.request({ last_event_id: id }), `Event ${id} was not in this queue`);
    }
    expect(contents((await queue.request()).body.events)).toEqual(['one']);
  });

  it('is refused: callers without an account, and bots that can only post', async () => {
    const parameters = { queue_id: stranger, last_event_id: -1 };
    expect((await app.client().get('/events', parameters)).status).toBe(401);
    expect((await app.client().delete('/events', parameters)).status).toBe(401);
  });
});

describe('Deleting a queue', () => {
  it('ends the poll that waits, and the queue', async () => {
    const { max } = app.cast;
    const queue = await app.queue(max);
    const polled = queue.request();
    await parked(queue);
    const deleted = await app.as(max).delete('/events', { queue_id: queue.id });
    expect(expectSuccess(deleted)).toEqual({ result: 'success', msg: '' });
    expect(expectSuccess(await polled).events).toEqual([]);
    expectError(await queue.request(), `Bad event queue ID: ${queue.id}`, badQueue(queue.id));
    const again = await app.as(max).delete('/events', { queue_id: queue.id });
    expectError(again, `Bad event queue ID: ${queue.id}`, badQueue(queue.id));
  });
});

describe('The queues of an account that is deactivated', () => {
  it('end with it, and do not come back with it', async () => {
    const { olivia, mona } = app.cast;
    const [polled, away] = [await app.queue(mona), await app.queue(mona)];
    const waiting = polled.request();
    await parked(polled);
    expectSuccess(await app.as(olivia).delete(`/users/${mona.id}`));
    expect(expectSuccess(await waiting).events).toEqual([]);
    expectSuccess(await app.as(olivia).post(`/users/${mona.id}/reactivate`));
    expectError(await away.request(), `Bad event queue ID: ${away.id}`, badQueue(away.id));
  });
});

describe('A queue that nobody polls', () => {
  const lifetime = async (parameters: Record<string, unknown>) => {
    const queue = await app.queue(app.cast.max, parameters);
    return queue.state.idle_queue_timeout_secs;
  };

  it('lives as long as its client asked for', async () => {
    expect(await lifetime({})).toBe(600);
    expect(await lifetime({ queue_lifespan_secs: 0 })).toBe(600);
    expect(await lifetime({ queue_lifespan_secs: 900 })).toBe(900);
    expect(await lifetime({ queue_lifespan_secs: 10_000_000 })).toBe(604_800);
    expect(await lifetime({ idle_queue_timeout: 30 })).toBe(30);
    expect(await lifetime({ idle_queue_timeout: 604_801 })).toBe(604_800);
    expect(await lifetime({ idle_queue_timeout: 'mobile' })).toBe(43_200);
    expect(await lifetime({ idle_queue_timeout: '"mobile"', queue_lifespan_secs: 900 })).toBe(43_200);
  });

  it('expires, and one that a poll waits at does not', async () => {
    const { max } = app.cast;
    const [left, polled] = [await app.queue(max), await app.queue(max)];
    const waiting = polled.request();
    await parked(polled);
    clock.aheadMs += 12 * MINUTE_MS;
    expectError(await left.request(), `Bad event queue ID: ${left.id}`, badQueue(left.id));
    await say(max, 'after a while');
    expect((await waiting).body.events.length).toBeGreaterThan(0);
    expect((await polled.request()).body.events.length).toBeGreaterThan(0);
  });

  it('is deleted some time later, together with what is kept of it', async () => {
    const { max } = app.cast;
    const queue = await app.queue(max);
    const maintenance = app.get(QueueMaintenanceService);
    await maintenance.maintain();
    expect(app.get(LiveQueues).byId(queue.id)).toBeDefined();
    clock.aheadMs += 13 * MINUTE_MS;
    await maintenance.maintain();
    expect(app.get(LiveQueues).byId(queue.id)).toBeUndefined();
    expectError(await queue.request(), `Bad event queue ID: ${queue.id}`, badQueue(queue.id));
  });

  it('goes on where it was when its client comes back in time', async () => {
    const { max } = app.cast;
    const queue = await app.queue(max);
    await say(max, 'one');
    await queue.wait();
    clock.aheadMs += 6 * MINUTE_MS;
    await app.get(QueueMaintenanceService).maintain();
    expect(app.get(LiveQueues).byId(queue.id)).toBeUndefined();
    await say(max, 'two');
    expect(contents(await queue.events())).toEqual(['two']);
  });
});

describe('The log', () => {
  it('keeps what the queue needs that is away for longest, and not for ever', async () => {
    const { max, mia } = app.cast;
    const rows = async () => {
      const [row] = await app
        .get(Database)
        .read.query<{ count: number }>("SELECT COUNT(*) AS count FROM event_log WHERE type = 'test_kept'");
      return row?.count;
    };
    await app.get(TransactionService).run((tx) => tx.query('DELETE FROM event_queue'));
    const [patient, usual] = [await app.queue(max, { idle_queue_timeout: 86_400 }), await app.queue(mia)];
    await emit({ type: 'test_kept' }, [max]);
    const maintenance = async () => {
      await app.get(QueueMaintenanceService).maintain();
      await app.get(EventLogExpiry).expire();
    };
    clock.aheadMs += 23 * 60 * MINUTE_MS;
    await maintenance();
    expect((await usual.request()).body.code).toBe('BAD_EVENT_QUEUE_ID');
    expect(await rows()).toBe(1);
    expect(await patient.events()).toMatchObject([{ type: 'test_kept' }]);
    await maintenance();
    clock.aheadMs += 60 * MINUTE_MS;
    await emit({ type: 'test_newest' }, [max]);
    await maintenance();
    expect(await rows()).toBe(0);
    expect(await patient.events()).toMatchObject([{ type: 'test_newest' }]);
  });
});

describe('A waiting poll to which nothing happens', () => {
  it('gets a heartbeat, whatever types the client asked for', async () => {
    const { max } = app.cast;
    const queue = await app.queue(max, { event_types: ['reaction'] });
    const polled = queue.request();
    await parked(queue);
    clock.aheadMs += 56_000;
    const [beat, ...others] = expectSuccess(await polled).events;
    expect(others).toEqual([]);
    expect(beat).toEqual({ id: expect.any(Number), type: 'heartbeat' });
    expect((await queue.request()).body.events).toEqual([beat]);
    await queue.wait();
    expect((await queue.request({ dont_block: true })).body.events).toEqual([]);
  });
});

describe('Events that are not kept', () => {
  const typing = (n: number) => ({ type: 'test_typing', n });

  it('come in between, with IDs that rise, and again until they are acknowledged', async () => {
    const { max } = app.cast;
    const queue = await app.queue(max, { event_types: ['test_typing', 'message'] });
    publish(typing(1), [max]);
    await say(max, 'one');
    const first = (await queue.request({ dont_block: true })).body.events;
    publish(typing(2), [max]);
    publish({ type: 'presence' }, [max]);
    publish(typing(3), [app.cast.olivia]);
    await say(max, 'two');
    const all = (await queue.request({ dont_block: true })).body.events;
    expect(all.slice(0, 2)).toEqual(first);
    expect(all.map(({ n, message }: QueueEvent) => n ?? message.content)).toEqual([1, 'one', 2, 'two']);
    expect(ids(all)).toEqual([...new Set(ids(all))].sort((a, b) => a - b));
    queue.lastEventId = all[2].id;
    expect(contents(await queue.wait())).toEqual(['two']);
    publish(typing(4), [max]);
    expect(await queue.wait()).toMatchObject([typing(4)]);
  });

  it('reach a poll that waits', async () => {
    const { max } = app.cast;
    const queue = await app.queue(max);
    const polled = queue.wait();
    await parked(queue);
    publish(typing(1), [max], { requires: 'stream_typing_notifications' });
    publish(typing(2), [max]);
    expect(await polled).toMatchObject([typing(2)]);
  });

  it('never run out of IDs', async () => {
    const { max } = app.cast;
    const queue = await app.queue(max);
    const seen: number[] = [];
    for (let total = 100; total <= 2_000; total += 100) {
      for (let n = 0; n < 100; n++) publish(typing(n), [max]);
      while (seen.length < total) seen.push(...ids(await queue.wait()));
    }
    expect(seen).toHaveLength(2_000);
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b));
    await say(max, 'after all of them');
    const [last] = await queue.events();
    expect(last.id).toBeGreaterThan(Number(seen.at(-1)));
  });

  it('are not kept for clients that are away', async () => {
    const { max } = app.cast;
    const queue = await app.queue(max);
    clock.aheadMs += 2 * MINUTE_MS;
    publish(typing(1), [max]);
    expect(await queue.events()).toEqual([]);
  });
});

describe('A queue gets', () => {
  it('events of the types it asked for', async () => {
    const { max } = app.cast;
    const [all, some, none] = [
      await app.queue(max),
      await app.queue(max, { event_types: ['test_b', 'no such type'] }),
      await app.queue(max, { event_types: [] }),
    ];
    const unset = await app.queue(max, { event_types: 'null' });
    await emit({ type: 'test_a' }, [max]);
    await emit({ type: 'test_b' }, [max]);
    const types = async (queue: TestQueue) => (await queue.events()).map(({ type }) => type);
    expect(await types(all)).toEqual(['test_a', 'test_b']);
    expect(await types(unset)).toEqual(['test_a', 'test_b']);
    expect(await types(some)).toEqual(['test_b']);
    expect(await types(none)).toEqual([]);
  });

  it('no legacy event about muted topics where it asked for their successor', async () => {
    const { max } = app.cast;
    const [all, both, one] = [
      await app.queue(max),
      await app.queue(max, { event_types: ['muted_topics', 'user_topic'] }),
      await app.queue(max, { event_types: ['muted_topics'] }),
    ];
    await emit({ type: 'muted_topics' }, [max]);
    expect(await all.events()).toHaveLength(1);
    expect(await both.events()).toEqual([]);
    expect(await one.events()).toHaveLength(1);
  });

  it('events for its capabilities', async () => {
    const { max } = app.cast;
    const capabilities = {
      notification_settings_null: false,
      archived_channels: true,
      empty_topic_name: false,
    };
    const able = await app.queue(max, { client_capabilities: capabilities });
    const slim = await app.queue(max, { slim_presence: true });
    await emit({ type: 'test_a' }, [max], { requires: 'archived_channels' });
    await emit({ type: 'test_b' }, [max], { unless: ['archived_channels', 'slim_presence'] });
    await emit({ type: 'c' }, [max], { requires: 'empty_topic_name' });
    await emit({ type: 'test_d' }, [max], { requires: 'slim_presence' });
    expect((await able.events()).map(({ type }) => type)).toEqual(['test_a']);
    expect((await slim.events()).map(({ type }) => type)).toEqual(['test_d']);
  });

  it('its own keys, and nobody the keys of somebody else', async () => {
    const { max, mia } = app.cast;
    const [first, second, hers] = [await app.queue(max), await app.queue(max), await app.queue(mia)];
    await emit({ type: 'test_a', colour: 'red', size: 1 }, [max, mia], {
      personal: new Map([[mia.id, { colour: 'blue' }]]),
      queue: { id: second.id, extra: { echo: 'x' } },
    });
    const { id } = (await first.request()).body.events[0];
    expect(await first.events()).toEqual([{ id, type: 'test_a', colour: 'red', size: 1 }]);
    expect(await second.events()).toEqual([{ id, type: 'test_a', colour: 'red', size: 1, echo: 'x' }]);
    expect(await hers.events()).toEqual([{ id, type: 'test_a', colour: 'blue', size: 1 }]);
  });

  it('topics without a name under their display name, unless it can do with none', async () => {
    const { max } = app.cast;
    const aware = { notification_settings_null: true, empty_topic_name: true };
    const queues = [await app.queue(max), await app.queue(max, { client_capabilities: aware })];
    const event = {
      type: 'test_a',
      topic: '',
      subject: '',
      orig_subject: '',
      topic_name: '',
      text: '',
      message_details: { 7: { topic: '' } },
    };
    await emit(event, [max]);
    const shown = 'general chat';
    const named = {
      topic: shown,
      subject: shown,
      orig_subject: shown,
      topic_name: shown,
      text: '',
      message_details: { 7: { topic: shown } },
    };
    expect(await queues[0]?.events()).toMatchObject([named]);
    expect(await queues[1]?.events()).toMatchObject([event]);
  });

  it('subscriptions with what holds for notifications, unless it knows what it means that they say nothing', async () => {
    const { max } = app.cast;
    const aware = { notification_settings_null: true };
    const [usual, able] = [await app.queue(max), await app.queue(max, { client_capabilities: aware })];
    expectSuccess(await app.as(max).patch('/settings', { enable_stream_desktop_notifications: true }));
    await createChannel(app, max, 'notified');
    const added = async (queue: TestQueue) => {
      const events = await queue.events();
      return events.find(({ op }) => op === 'add').subscriptions[0];
    };
    const record = await added(able);
    expect(record).toMatchObject({ name: 'notified', desktop_notifications: null, push_notifications: null });
    const filled = { desktop_notifications: true, push_notifications: false };
    expect(await added(usual)).toEqual({
      ...record,
      ...filled,
      audible_notifications: false,
      email_notifications: false,
      wildcard_mentions_notify: true,
    });
    expectSuccess(await app.as(max).delete('/users/me/subscriptions', { subscriptions: ['notified'] }));
    const removed = (await usual.events()).find(({ op }) => op === 'remove');
    expect(Object.keys(removed.subscriptions[0]).sort()).toEqual(['name', 'stream_id']);
  });

  it('one deletion at a time, unless it can do with several', async () => {
    const { max } = app.cast;
    const able = { notification_settings_null: true, bulk_message_deletion: true };
    const [single, bulk] = [await app.queue(max), await app.queue(max, { client_capabilities: able })];
    const messageIds = Array.from({ length: 500 }, (_, at) => at + 1);
    await emit({ type: 'delete_message', message_ids: messageIds, message_type: 'private' }, [max]);
    await emit({ type: 'test_b' }, [max]);
    const [all] = await bulk.events();
    expect(all).toEqual({
      id: all.id,
      type: 'delete_message',
      message_ids: messageIds,
      message_type: 'private',
    });
    const each = (await single.request()).body.events;
    expect(each.slice(0, 500).map(({ message_id: messageId }: QueueEvent) => messageId)).toEqual(messageIds);
    expect(each[7]).toEqual({
      id: all.id + 7,
      type: 'delete_message',
      message_id: 8,
      message_type: 'private',
    });
    publish({ type: 'test_typing' }, [max]);
    single.lastEventId = each[7].id;
    const rest = await single.events();
    expect(rest.slice(0, 492).map(({ message_id: messageId }) => messageId)).toEqual(messageIds.slice(8));
    expect(rest.slice(492)).toMatchObject([{ type: 'test_b' }, { type: 'test_typing' }]);
  });
});

describe('Messages come', () => {
  const message = async (queue: TestQueue) => (await queue.events())[0].message;

  it('as Markdown or as HTML, with or without the addresses of pictures', async () => {
    const { max } = app.cast;
    const [plain, html] = [
      await app.queue(max),
      await app.queue(max, { apply_markdown: true, client_gravatar: false }),
    ];
    const asUsual = await app.queue(max, { apply_markdown: true, client_gravatar: 'null' });
    await say(max, 'Hello **you**');
    expect(await message(plain)).toMatchObject({
      content: 'Hello **you**',
      content_type: 'text/x-markdown',
      avatar_url: null,
    });
    expect(await message(html)).toMatchObject({
      content: '<p>Hello <strong>you</strong></p>',
      content_type: 'text/html',
      avatar_url: expect.stringContaining('https://'),
    });
    expect(await message(asUsual)).toMatchObject({ content_type: 'text/html', avatar_url: null });
  });

  it('with the flags of the one who gets them, and the echo for the queue that sent them', async () => {
    const { max, mia } = app.cast;
    await createChannel(app, mia, 'flagged', { principals: [mia.id, max.id] });
    const [his, hers, otherOfHers] = [await app.queue(max), await app.queue(mia), await app.queue(mia)];
    const echo = { queue_id: hers.id, local_id: '7.01', read_by_sender: true };
    await sendTo(app, mia, 'flagged', 'soup', 'Look, @**Max Member**', echo);
    expect(await his.events()).toMatchObject([
      { type: 'message', flags: ['mentioned'] },
      { type: 'user_topic' },
    ]);
    const [own] = await hers.events();
    expect(own).toMatchObject({ flags: ['read'], local_message_id: '7.01' });
    const [other] = await otherOfHers.events();
    expect(other).toMatchObject({ flags: ['read'] });
    expect(other).not.toHaveProperty('local_message_id');
  });

  it('with the display name of the empty topic, unless the client can do without', async () => {
    const { max, mia } = app.cast;
    await createChannel(app, mia, 'nameless', { principals: [mia.id, max.id] });
    const aware = { notification_settings_null: true, empty_topic_name: true };
    const [usual, able] = [await app.queue(max), await app.queue(max, { client_capabilities: aware })];
    await sendTo(app, mia, 'nameless', '');
    expect((await message(usual)).subject).toBe('general chat');
    expect((await message(able)).subject).toBe('');
  });
});
