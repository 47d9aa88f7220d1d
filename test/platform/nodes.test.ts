import { setTimeout as moment } from 'node:timers/promises';
import { LiveQueues } from '../../src/features/realtime/queues/live-queues.directory';
import { Database } from '../../src/platform/database/database.service';
import { Audience } from '../../src/platform/events/audience';
import { Role } from '../../src/platform/actor';
import { Jobs } from '../../src/platform/jobs/jobs.service';
import { TransientEvents } from '../../src/platform/events/transient-events';
import { createChannel } from '../support/channel-setup';
import { reactivate } from '../support/deactivation';
import { expectError, expectSuccess } from '../support/expect-answer';
import { LocalReceiver } from '../support/local-receiver';
import { sendDirect, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';
import { hasPostgres } from '../support/test-database';
import type { QueueEvent, TestQueue } from '../support/test-queue';
import type { Line } from '../support/line';
import { hasRedis, openRedisLine } from '../support/test-redis';

if (!hasPostgres) test.todo('several nodes: TEST_DATABASE_URL names no server');

const contents = (events: QueueEvent[]) => events.map(({ message }) => message.content);

/** Once a poll of the queue waits at the node. */
async function parked(app: TestApp, queue: TestQueue): Promise<void> {
  while (!app.get(LiveQueues).byId(queue.id)?.parked) await moment(5);
}

const describeOnPostgres = hasPostgres ? describe : describe.skip;

describeOnPostgres('two nodes on one database', () => {
  let line: Line;
  let receiver: LocalReceiver;
  let one: TestApp;
  let other: TestApp;
  let isRedisThere: boolean;

  beforeAll(async () => {
    isRedisThere = await hasRedis();
    // Without a Redis behind it, the line is one that is always down: slower, and nothing else.
    line = await openRedisLine();
    receiver = await LocalReceiver.start();
    one = await TestApp.start({
      engine: 'postgres',
      env: { REDIS_URL: line.url, OUTGOING_WEBHOOKS_PRIVATE_NETWORKS: '127.0.0.1' },
    });
    other = await one.anotherNode();
  });

  afterAll(async () => {
    await other.stop();
    await one.stop();
    await line.close();
    await receiver.stop();
  });

  it('both refuse requests while the organization is deactivated, whichever was told', async () => {
    const { olivia, max, mia } = one.cast;
    const queue = await other.queue(max);
    const polled = queue.wait();
    await parked(other, queue);
    expectSuccess(await one.as(olivia).post('/realm/deactivate'));
    try {
      expect(await polled).toMatchObject([{ type: 'realm', op: 'deactivated' }]);
      const closed = { status: 401, code: 'UNAUTHORIZED' };
      for (const node of [other, one]) {
        expectError(await node.as(mia).get('/users/me'), 'This organization has been deactivated', closed);
      }
    } finally {
      await reactivate(other);
    }
    for (const node of [one, other]) expectSuccess(await node.as(mia).get('/users/me'));
  });

  it('answer a poll on one of them when something is written on the other', async () => {
    const { max, mia } = one.cast;
    const queue = await one.queue(max);
    const polled = queue.wait();
    await parked(one, queue);
    await sendDirect(other, mia, [max], 'from the other node');
    expect(contents(await polled)).toEqual(['from the other node']);
  });

  it('both serve a queue, wherever it was made', async () => {
    const { max, mia } = one.cast;
    let queue = await one.queue(max);
    const ids: number[] = [];
    for (let n = 0; n < 10; n++) {
      const [here, there] = n % 2 === 0 ? [one, other] : [other, one];
      queue = queue.at(here.as(max));
      await sendDirect(there, mia, [max], `${n}`);
      here.get(TransientEvents).publish({ type: 'test_told' }, Audience.of([max.id]));
      const events: QueueEvent[] = [];
      while (!events.some(({ type }) => type === 'message')) events.push(...(await queue.wait()));
      expect(contents(events.filter(({ type }) => type === 'message'))).toEqual([`${n}`]);
      ids.push(...events.map(({ id }) => id));
    }
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  });

  it('lose nothing and tell nothing twice when both are written to and polled in turns', async () => {
    const { max, mia, olivia } = one.cast;
    await createChannel(one, mia, 'busy', { principals: [mia.id, max.id, olivia.id] });
    let queue = await one.queue(max, { event_types: ['message'] });
    let isDone = false;
    const sent: number[] = [];
    const writers = Promise.all(
      [one, other].flatMap((app) =>
        [mia, olivia].map(async (sender) => {
          for (let n = 0; n < 50; n++) sent.push(await sendTo(app, sender, 'busy', `${sender.id}`));
        }),
      ),
    ).finally(() => {
      isDone = true;
    });
    const events: QueueEvent[] = [];
    for (let n = 0; !isDone; n++) {
      queue = queue.at((n % 2 === 0 ? one : other).as(max));
      events.push(...(await queue.events()));
    }
    await writers;
    events.push(...(await queue.events()));
    expect(events.map(({ message }) => message.id).sort((a, b) => a - b)).toEqual(sent.sort((a, b) => a - b));
    const ids = events.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
  });

  it('both know of a queue that it is gone', async () => {
    const { max } = one.cast;
    const queue = await one.queue(max);
    const polled = queue.request();
    await parked(one, queue);
    expectSuccess(await other.as(max).delete('/events', { queue_id: queue.id }));
    expect(expectSuccess(await polled).events).toEqual([]);
    expect((await queue.request()).body.code).toBe('BAD_EVENT_QUEUE_ID');
  });

  it('tell a webhook of each message once', async () => {
    const { max, mia } = one.cast;
    receiver.answer({});
    const bot = {
      full_name: 'Hook',
      short_name: 'hook',
      bot_type: 3,
      payload_url: `${receiver.origin}/hook`,
    };
    const hook = { id: expectSuccess(await one.as(mia).post('/bots', bot)).user_id as number };
    const nodes = [one, other];
    const sent = await Promise.all(
      Array.from({ length: 40 }, (_, n) => sendDirect(nodes[n % 2] as TestApp, max, [hook], `${n}`)),
    );
    const left = async () => {
      await Promise.all(nodes.map((node) => node.get(Jobs).runDue()));
      return one.get(Database).read.query("SELECT id FROM job WHERE kind = 'outgoing_webhook'");
    };
    while ((await left()).length > 0) await moment(20);
    const told = receiver.requests.map(({ body }) => JSON.parse(body).message.id as number);
    expect(told.sort((a, b) => a - b)).toEqual(sent.sort((a, b) => a - b));
  });

  it('let one poll of a queue wait, on whichever of them', async () => {
    if (!isRedisThere) return void console.warn('Skipped, as no Redis answers at TEST_REDIS_URL.');
    const { max, mia } = one.cast;
    const here = await one.queue(max, { event_types: ['message'] });
    const first = here.request();
    await parked(one, here);
    const there = here.at(other.as(max));
    const second = there.request();
    expect(expectSuccess(await first).events).toEqual([]);
    await parked(other, there);
    const third = here.wait();
    expect(expectSuccess(await second).events).toEqual([]);
    await parked(one, here);
    await sendDirect(other, mia, [max], 'once');
    expect(contents(await third)).toEqual(['once']);
  });

  it('tell each other over Redis what is not stored, again after a time without it', async () => {
    // There is nothing to be seen of it without a Redis; the other tests ran with the line down.
    if (!isRedisThere) return void console.warn('Skipped, as no Redis answers at TEST_REDIS_URL.');
    const { max, mia } = one.cast;
    const queue = await one.queue(max, { event_types: ['typing'] });
    const typing = () =>
      other
        .as(mia)
        .post('/typing', { type: 'direct', to: [max.id], op: 'start' })
        .then(expectSuccess);
    const polled = queue.wait();
    await parked(one, queue);
    await typing();
    expect(await polled).toMatchObject([{ type: 'typing', op: 'start', sender: { user_id: mia.id } }]);

    line.cut();
    const all = await one.queue(max, { event_types: ['message'] });
    const waiting = all.wait();
    await parked(one, all);
    await sendDirect(other, mia, [max], 'without Redis');
    expect(contents(await waiting)).toEqual(['without Redis']);
    await typing();
    expect(await queue.events()).toEqual([]);

    line.mend();
    const areTold = async () => {
      for (let events: QueueEvent[] = []; events.length === 0; await moment(50)) {
        await typing();
        events = await queue.events();
      }
    };
    await areTold();
    // Nobody closes these connections: they have to be found to lead nowhere.
    line.forget();
    await areTold();
  });

  it('both end a session of the companion interface, wherever it began and ended', async () => {
    const here = await one.companionAs(one.cast.mia);
    const there = other.companion().withToken(here.token as string);
    expect((await there.get('/auth/me')).status).toBe(200);
    await there.post('/auth/logout');
    expect((await here.get('/auth/me')).status).toBe(401);

    const next = await other.companionAs(one.cast.mona);
    expectSuccess(await one.as(one.cast.olivia).patch(`/users/${one.cast.mona.id}`, { role: Role.member }));
    expect((await next.get('/auth/me')).status).toBe(401);
  });
});
