import { setTimeout as moment } from 'node:timers/promises';
import { CheckDatabaseService } from '../../src/features/operations/integrity/check-database.service';
import { Role } from '../../src/platform/actor';
import { EventLogReader } from '../../src/platform/events/event-log-reader';
import type { ApiClient } from '../support/api-client';
import { createChannel } from '../support/channel-setup';
import { DatabaseCopy } from '../support/database-copy';
import { expectSuccess } from '../support/expect-answer';
import { Line } from '../support/line';
import { fetchIds, sendDirect, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';
import { hasPostgres, postgresServer } from '../support/test-database';
import type { QueueEvent, TestQueue } from '../support/test-queue';

if (!hasPostgres) test.todo('lost commits: TEST_DATABASE_URL names no server');

const contents = (events: readonly QueueEvent[]) =>
  events.filter(({ type }) => type === 'message').map(({ message }) => message.content as string);

/** Once the queue is refused, as it has to be after commits were lost. */
async function ended(queue: TestQueue): Promise<void> {
  for (;;) {
    const { status, body } = await queue.request({ dont_block: true });
    if (body.code === 'BAD_EVENT_QUEUE_ID') return;
    // Refused for the moment, or still answered from what was.
    expect([200, 400, 503]).toContain(status);
    await moment(20);
  }
}

/** Once clients can register: until a node has noticed what was lost, it asks them to try again. */
async function takesClients(client: ApiClient): Promise<void> {
  for (;;) {
    const { status } = await client.post('/register', { fetch_event_types: [] });
    if (status === 200) return;
    expect(status).toBe(503);
    await moment(20);
  }
}

(hasPostgres ? describe : describe.skip)('a database that lost commits under a running node', () => {
  let line: Line;
  let copy: DatabaseCopy;
  let node: TestApp;
  let parked: ReturnType<TestQueue['request']>;
  let queue: TestQueue;
  let lost: number;
  let readTo: number;

  beforeAll(async () => {
    line = await Line.open(postgresServer()!, 5432);
    node = await TestApp.start({
      engine: 'postgres',
      env: ({ DATABASE_URL }) => {
        copy = new DatabaseCopy(DATABASE_URL!);
        return { DATABASE_URL: line.through(DATABASE_URL!) };
      },
      withoutLaw: 'the database is put back',
    });
    const { max, mia, olivia } = node.cast;
    await createChannel(node, mia, 'before', { principals: [mia.id, max.id] });
    await sendTo(node, mia, 'before', 'is kept');
    queue = await node.queue(max);

    line.cut();
    await copy.take();
    line.mend();
    while ((await node.as(max).get('/users/me')).status !== 200) await moment(20);
    lost = await sendDirect(node, mia, [max], 'is lost');
    await createChannel(node, mia, 'lost', { principals: [mia.id, max.id] });
    expectSuccess(await node.as(olivia).patch(`/users/${mia.id}`, { role: Role.administrator }));
    for (let n = 0; n < 20; n++) await sendTo(node, mia, 'lost', `is lost ${n}`);
    expect(contents(await queue.events())).toHaveLength(21);
    readTo = node.get(EventLogReader).position;
    parked = queue.request();

    line.cut();
    await copy.putBack();
  });

  afterAll(async () => {
    line.mend();
    await node.stop();
    await line.close();
  });

  it('goes on with other events under the same numbers, which no client is given for those that it knows', async () => {
    const { mia, max } = node.cast;
    // Another node comes first, and writes until the log is as long as it was.
    const other = await node.anotherNode({ DATABASE_URL: copy.url });
    try {
      await createChannel(other, mia, 'after', { principals: [mia.id, max.id] });
      while (other.get(EventLogReader).position <= readTo) await sendTo(other, mia, 'after', 'is new');
      line.mend();
      await parked;
      await ended(queue);

      await takesClients(node.as(max));
      const anew = await node.queue(max, { fetch_event_types: ['subscription', 'realm_user'] });
      const names = (anew.state['subscriptions'] as { name: string }[]).map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(['before', 'after']));
      expect(names).not.toContain('lost');
      await sendDirect(other, mia, [max], 'from the other');
      await sendDirect(node, mia, [max], 'from this one');
      const got: string[] = [];
      while (got.length < 2) got.push(...contents(await anew.events()));
      expect(got).toEqual(['from the other', 'from this one']);
    } finally {
      await other.stop();
    }
  });

  it('shows nothing of what was lost, and lets nobody do what was allowed meanwhile', async () => {
    const { mia, max } = node.cast;
    const me = expectSuccess(await node.as(mia).get('/users/me'));
    expect(me).toMatchObject({ role: Role.member, is_admin: false });
    const narrow = [{ operator: 'search', operand: 'lost' }];
    expect(await fetchIds(node, max, narrow)).toEqual([]);
    // IDs of messages that were lost are given again.
    expect(await fetchIds(node, max, [])).toContain(lost);
  });

  it('is sound', async () => {
    const looking = { site: '', signal: new AbortController().signal, report: () => undefined };
    const { invariants } = await node.get(CheckDatabaseService).check(looking);
    expect(invariants.filter(({ holds }) => !holds)).toEqual([]);
  });
});
