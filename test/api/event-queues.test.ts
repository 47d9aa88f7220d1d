import { get } from 'node:http';
import { setTimeout as moment } from 'node:timers/promises';
import { Database } from '../../src/platform/database/database.service';
import { EventLogExpiry } from '../../src/platform/database/event-log-expiry.service';
import { TransactionService } from '../../src/platform/database/transaction.service';
import { Audience } from '../../src/platform/events/audience';
import { LiveQueues } from '../../src/features/realtime/queues/live-queues.directory';
import { QueueMaintenanceService } from '../../src/features/realtime/queue-maintenance.service';
import type { Member } from '../support/cast';
import { emit, publish } from '../support/event-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { sendDirect } from '../support/message-setup';
import { descriptionCheck } from '../support/description/running-check';
import { TestApp } from '../support/test-app';
import { OffsetClock } from '../support/test-clocks';
import type { QueueEvent, TestQueue } from '../support/test-queue';

const MINUTE_MS = 60_000;
const clock = new OffsetClock();
let app: TestApp;

// Most events here are made up, as they are about queues and not about what is in them.
descriptionCheck.leave('events');

beforeAll(async () => {
  app = await TestApp.start({ clock, withoutLaw: 'its clients get events that no client knows' });
});

afterAll(() => app.stop());

const say = (to: Member, content: string) => sendDirect(app, app.cast.mia, [to], content);

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
    publish(app, { type: 'test_note', n: 2_300 }, [max]);
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
      for (let n = 0; n < 11_000; n++) tx.emit({ type: 'drop', n }, Audience.none);
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
    expectError(await client.get('/events'), "Missing 'queue_id' argument");
    expectError(await client.get('/events', { queue_id: stranger }), "Missing 'last_event_id' argument");
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
    expect(await waiting).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } });
    expectSuccess(await app.as(olivia).post(`/users/${mona.id}/reactivate`));
    // Whoever comes back has another key.
    const later = await app.as(mona).get('/events', { queue_id: away.id, last_event_id: away.lastEventId });
    expectError(later, `Bad event queue ID: ${away.id}`, badQueue(away.id));
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
    expect(await lifetime({ idle_queue_timeout: 1 })).toBe(1);
    expect(await lifetime({ idle_queue_timeout: 30, queue_lifespan_secs: 900 })).toBe(30);
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

describe('A queue whose client is there', () => {
  it('outlives a clock that is put forward or back, and then as long as it may be idle', async () => {
    const { max } = app.cast;
    const [seen, away] = [await app.queue(max), await app.queue(max)];
    const goesOn = async (queue: TestQueue) => expectSuccess(await queue.request({ dont_block: true }));
    try {
      for (const putBack of [-5, 3]) {
        clock.putBackMs = putBack * 60 * MINUTE_MS;
        await goesOn(seen);
        await app.get(QueueMaintenanceService).maintain();
        await goesOn(seen);
      }
      clock.putBackMs = -5 * 60 * MINUTE_MS;
      await goesOn(away);
      clock.aheadMs += 12 * MINUTE_MS;
      await app.get(QueueMaintenanceService).maintain();
      expect((await away.request()).body.code).toBe('BAD_EVENT_QUEUE_ID');
    } finally {
      clock.putBackMs = 0;
      await app.get(QueueMaintenanceService).maintain();
    }
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
    await emit(app, { type: 'test_kept' }, [max]);
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
    await emit(app, { type: 'test_newest' }, [max]);
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

  it('gets it also where the clock was put back meanwhile', async () => {
    const queue = await app.queue(app.cast.max, { event_types: ['reaction'] });
    const polled = queue.request();
    await parked(queue);
    clock.aheadMs += 56_000;
    clock.putBackMs = 60 * MINUTE_MS;
    expect(expectSuccess(await polled).events).toMatchObject([{ type: 'heartbeat' }]);
    clock.putBackMs = 0;
  });
});

describe('Events that are not kept', () => {
  const typing = (n: number) => ({ type: 'test_typing', n });

  it('come in between, with IDs that rise, and again until they are acknowledged', async () => {
    const { max } = app.cast;
    const queue = await app.queue(max, { event_types: ['test_typing', 'message'] });
    publish(app, typing(1), [max]);
    await say(max, 'one');
    const first = (await queue.request({ dont_block: true })).body.events;
    publish(app, typing(2), [max]);
    publish(app, { type: 'presence' }, [max]);
    publish(app, typing(3), [app.cast.olivia]);
    await say(max, 'two');
    const all = (await queue.request({ dont_block: true })).body.events;
    expect(all.slice(0, 2)).toEqual(first);
    expect(all.map(({ n, message }: QueueEvent) => n ?? message.content)).toEqual([1, 'one', 2, 'two']);
    expect(ids(all)).toEqual([...new Set(ids(all))].sort((a, b) => a - b));
    queue.lastEventId = all[2].id;
    expect(contents(await queue.wait())).toEqual(['two']);
    publish(app, typing(4), [max]);
    expect(await queue.wait()).toMatchObject([typing(4)]);
  });

  it('reach a poll that waits', async () => {
    const { max } = app.cast;
    const queue = await app.queue(max);
    const polled = queue.wait();
    await parked(queue);
    publish(app, typing(1), [max], { requires: 'stream_typing_notifications' });
    publish(app, typing(2), [max]);
    expect(await polled).toMatchObject([typing(2)]);
  });

  it('never run out of IDs', async () => {
    const { max } = app.cast;
    const queue = await app.queue(max);
    const seen: number[] = [];
    for (let total = 100; total <= 2_000; total += 100) {
      for (let n = 0; n < 100; n++) publish(app, typing(n), [max]);
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
    publish(app, typing(1), [max]);
    expect(await queue.events()).toEqual([]);
  });
});
