import { LiveQueues } from '../../src/features/realtime/queues/live-queues.directory';
import { Config } from '../../src/platform/config/config';
import type { Member } from '../support/cast';
import { BrowserClient, browserOf } from '../support/browser-client';
import { expectSuccess } from '../support/expect-answer';
import { sendDirect } from '../support/message-setup';
import { OffsetClock } from '../support/test-clocks';
import { TestApp } from '../support/test-app';
import { StoppedTimeOfDay } from '../support/test-clocks';
import { hasPostgres } from '../support/test-database';
import type { TestQueue } from '../support/test-queue';

/** Once a poll of the queue waits on this node. */
async function parked(app: TestApp, queueId: string): Promise<void> {
  while (!app.get(LiveQueues).byId(queueId)?.parked) await new Promise((resolve) => setImmediate(resolve));
}

/** A poll that waits, with the key of this person. */
async function pollOf(app: TestApp, who: Member) {
  const queue: TestQueue = await app.queue(who, { event_types: ['message'] });
  const answer = queue.request();
  await parked(app, queue.id);
  return { queue, answer };
}

/** A poll that waits, in this browser. */
async function pollIn(app: TestApp, browser: BrowserClient) {
  const form = { event_types: ['message'], fetch_event_types: [] };
  const { queue_id: queueId } = expectSuccess(await browser.call('POST', '/json/register', form));
  const answer = browser.call('GET', '/json/events', { queue_id: queueId, last_event_id: -1 });
  await parked(app, queueId);
  return { queueId: queueId as string, answer };
}

const UNAUTHORIZED = { status: 401, body: { result: 'error', code: 'UNAUTHORIZED' } };
const contents = (events: { message: { content: string } }[]) => events.map(({ message }) => message.content);

describe('A poll that waits', () => {
  const clock = new StoppedTimeOfDay();
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start({ clock });
  });
  afterAll(() => app.stop());

  it('ends with the session that it came in, and no other does', async () => {
    const { mia, max } = app.cast;
    const [browser, another] = [await browserOf(app, mia), await browserOf(app, mia)];
    const [ended, goesOn] = [await pollIn(app, browser), await pollIn(app, another)];
    const byKey = await pollOf(app, mia);
    expect((await browser.call('POST', '/accounts/logout/')).status).toBe(302);
    expect(await ended.answer).toMatchObject({
      status: 401,
      body: { result: 'error', code: 'UNAUTHORIZED' },
    });
    await parked(app, goesOn.queueId);
    await parked(app, byKey.queue.id);
    await sendDirect(app, max, [mia], 'after that');
    expect(contents(expectSuccess(await goesOn.answer).events)).toEqual(['after that']);
    expect(contents(expectSuccess(await byKey.answer).events)).toEqual(['after that']);
  });

  it('ends with all sessions, where somebody ends them from elsewhere', async () => {
    const { olivia } = app.cast;
    const { answer } = await pollIn(app, await browserOf(app, olivia));
    const other = await browserOf(app, olivia);
    expect((await other.call('DELETE', '/json/companion/auth/sessions')).status).toBe(200);
    expect(await answer).toMatchObject(UNAUTHORIZED);
  });

  it('ends with the key that it came with, and the queue goes on with the next', async () => {
    const { max, mia } = app.cast;
    const { queue, answer } = await pollOf(app, max);
    expectSuccess(await app.as(max).post('/users/me/api_key/regenerate'));
    await sendDirect(app, mia, [max], 'for the new key');
    expect(await answer).toMatchObject(UNAUTHORIZED);
    const next = await app.as(max).get('/events', { queue_id: queue.id, last_event_id: -1 });
    expect(contents(expectSuccess(next).events)).toEqual(['for the new key']);
  });

  it('ends when the person is deactivated, with what they are told from then on', async () => {
    const { gus, olivia } = app.cast;
    const client = app.as(gus);
    const inBrowser = await pollIn(app, await browserOf(app, gus));
    const { answer } = await pollOf(app, gus);
    expectSuccess(await app.as(olivia).delete(`/users/${gus.id}`));
    const refused = await answer;
    expect(refused).toMatchObject(UNAUTHORIZED);
    expect(refused.body).toEqual((await client.get('/users/me')).body);
    expect(await inBrowser.answer).toMatchObject(UNAUTHORIZED);
  });

  it('ends when its session expires, and one with a key goes on', async () => {
    const { mia, max } = app.cast;
    const inBrowser = await pollIn(app, await browserOf(app, mia));
    const byKey = await pollOf(app, mia);
    clock.aheadMs += app.get(Config).browserSessionLifetimeSeconds * 1000;
    expect(await inBrowser.answer).toMatchObject(UNAUTHORIZED);
    await parked(app, byKey.queue.id);
    await sendDirect(app, max, [mia], 'after the session');
    expect(contents(expectSuccess(await byKey.answer).events)).toEqual(['after the session']);
  });

  it('goes on where the account changes in another way', async () => {
    const { mia, max } = app.cast;
    const { answer } = await pollOf(app, mia);
    expectSuccess(await app.as(mia).patch('/settings', { full_name: 'Mia Anders' }));
    await sendDirect(app, max, [mia], 'hello again');
    expect(contents(expectSuccess(await answer).events)).toEqual(['hello again']);
  });
});

describe('A poll whose caller changes again and again', () => {
  const clock = new OffsetClock();
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start({ clock });
  });
  afterAll(() => app.stop());

  it('gets its heartbeat no later for that', async () => {
    const { mia } = app.cast;
    const { queue, answer } = await pollOf(app, mia);
    const waiting = () => app.get(LiveQueues).byId(queue.id)?.parked;
    const first = waiting();
    for (const name of ['Mia Anders', 'Mia Berg', 'Mia Carlson']) {
      const before = waiting();
      clock.aheadMs += 10_000;
      expectSuccess(await app.as(mia).patch('/settings', { full_name: name }));
      while (waiting() === before) await new Promise((resolve) => setImmediate(resolve));
      await parked(app, queue.id);
      expect(waiting()?.heartbeatAtMs).toBe(first?.heartbeatAtMs);
    }
    clock.aheadMs += 30_000;
    expect(expectSuccess(await answer).events).toMatchObject([{ type: 'heartbeat' }]);
  });
});

if (!hasPostgres) test.todo('polls on several nodes: TEST_DATABASE_URL names no server');

(hasPostgres ? describe : describe.skip)('A poll that waits on another node', () => {
  let one: TestApp;
  let other: TestApp;
  beforeAll(async () => {
    one = await TestApp.start({ engine: 'postgres' });
    other = await one.anotherNode();
  }, 60_000);
  afterAll(async () => {
    await other.stop();
    await one.stop();
  });

  it('ends with its session, its key, and the activity of the person', async () => {
    const { mia, max, gus, olivia } = one.cast;
    const here = await browserOf(one, mia);
    const there = new BrowserClient(other.nest);
    for (const [name, value] of here.cookies) there.cookies.set(name, value);
    const polls = [await pollIn(other, there), await pollOf(other, max), await pollOf(other, gus)];
    expect((await here.call('POST', '/accounts/logout/')).status).toBe(302);
    expectSuccess(await one.as(max).post('/users/me/api_key/regenerate'));
    expectSuccess(await one.as(olivia).delete(`/users/${gus.id}`));
    const answers = await Promise.all(polls.map(({ answer }) => answer));
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [401, 'UNAUTHORIZED'],
      [401, 'UNAUTHORIZED'],
      [401, 'UNAUTHORIZED'],
    ]);
  });
});
