import { channelsCreated } from '../../src/features/channels/channels.module';
import { Hooks } from '../../src/platform/hooks/hooks';
import { TransactionService } from '../../src/platform/database/transaction.service';
import type { Answer } from '../support/api-client';
import type { Member } from '../support/cast';
import { createChannel, subscribersOf } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';

const CALLERS = 200;

let app: TestApp;
const people: Member[] = [];

beforeAll(async () => {
  app = await TestApp.start();
  for (let i = 0; i < CALLERS; i++) {
    const account = { deliveryEmail: `caller${i}@example.com`, fullName: `Caller ${i}`, role: 400 } as const;
    people.push(await app.addAccount(account));
  }
});

afterAll(() => app.stop());

const subscribe = (who: Member, name: string): Promise<Answer> =>
  app.as(who).post('/users/me/subscriptions', { subscriptions: [{ name }] });

/** Rows of every table that subscribing writes to. */
const countRows = () =>
  app.get(TransactionService).run(async (tx) => {
    const counts: Record<string, number> = {};
    for (const table of [
      'channel',
      'subscription',
      'subscription_period',
      'user_group',
      'user_group_member',
      'event_log',
    ]) {
      const [row] = await tx.query<{ count: number }>(`SELECT COUNT(*) AS count FROM ${table}`);
      counts[table] = Number(row?.count);
    }
    return counts;
  });

describe('at the same time', () => {
  it('200 people subscribe to one new name and make one channel [EP1-create]', async () => {
    const before = await countRows();
    const spellings = ['Rush', 'rush', ' RUSH'];
    const events = await app.captureEvents(async () => {
      const answers = await Promise.all(
        people.map((who, index) => subscribe(who, spellings[index % spellings.length] as string)),
      );
      answers.forEach((answer) => expectSuccess(answer));
      const names = answers.flatMap(({ body }) => Object.values(body.subscribed).flat());
      expect(names).toHaveLength(CALLERS);
      expect(new Set(names).size).toBe(1);
    });
    const after = await countRows();
    expect(after['channel']).toBe((before['channel'] as number) + 1);
    expect(after['subscription']).toBe((before['subscription'] as number) + CALLERS);
    expect(after['subscription_period']).toBe((before['subscription_period'] as number) + CALLERS);
    expect(events.filter(({ event }) => event.type === 'stream')).toHaveLength(1);
    expect(events.filter(({ event }) => event.op === 'add')).toHaveLength(CALLERS);
    const id = events[0]?.event.streams[0].stream_id;
    await expect(subscribersOf(app, id)).resolves.toHaveLength(CALLERS);
  });

  it('the same person subscribes once and is already in otherwise', async () => {
    const [who] = people as [Member];
    const answers = await Promise.all(Array.from({ length: 50 }, () => subscribe(who, 'Again and again')));
    answers.forEach((answer) => expectSuccess(answer));
    const fresh = answers.filter(({ body }) => Object.keys(body.subscribed).length > 0);
    expect(fresh).toHaveLength(1);
  });

  it('coming and going leaves rows, periods and memory in agreement', async () => {
    const [creator] = people as [Member];
    const id = await createChannel(app, creator, 'Busy');
    const crowd = people.slice(1, 31);
    await Promise.all(
      crowd.flatMap((who, index) => [
        subscribe(who, 'Busy'),
        app.as(who).delete('/users/me/subscriptions', { subscriptions: ['Busy'] }),
        ...(index % 2 === 0 ? [subscribe(who, 'Busy')] : []),
      ]),
    );
    const inMemory = await subscribersOf(app, id);
    const stored = await app.get(TransactionService).run(async (tx) => ({
      rows: await tx.query<{ user_id: number }>(
        'SELECT user_id FROM subscription WHERE channel_id = ? AND is_active = ? ORDER BY user_id',
        [id, true],
      ),
      periods: await tx.query<{ user_id: number }>(
        'SELECT user_id FROM subscription_period WHERE channel_id = ? AND last_message_id IS NULL ORDER BY user_id',
        [id],
      ),
    }));
    expect(stored.rows.map((row) => row.user_id)).toEqual(inMemory);
    expect(stored.periods.map((row) => row.user_id)).toEqual(inMemory);
  });
});

describe('a request that fails half-way', () => {
  it.each([
    ['a channel out of reach', { subscriptions: [{ name: 'New A' }, { name: 'Locked' }] }],
    ['an unknown principal', { subscriptions: [{ name: 'New B' }], principals: [4, 999_999] }],
    ['a name that is none', { subscriptions: [{ name: 'New C' }, { name: '' }] }],
    ['a missing permission', { subscriptions: [{ name: 'New D' }], is_default_stream: true }],
  ])('leaves nothing behind: %s', async (_, parameters) => {
    const [locker, who] = people as [Member, Member];
    await app.as(locker).post('/users/me/subscriptions', {
      subscriptions: [{ name: 'Locked' }],
      invite_only: true,
    });
    const before = await countRows();
    const answer = await app.as(who).post('/users/me/subscriptions', parameters);
    expect(answer.status).toBe(400);
    await expect(countRows()).resolves.toEqual(before);
  });

  it('leaves nothing behind when what follows the change fails', async () => {
    const { mia } = app.cast;
    let isBroken = true;
    app.get(Hooks).on(channelsCreated, async (tx) => {
      await tx.query('SELECT 1 AS one');
      if (isBroken) throw new Error('broken listener');
    });
    const before = await countRows();
    expect((await subscribe(mia, 'Observed')).status).toBe(500);
    await expect(countRows()).resolves.toEqual(before);
    isBroken = false;
    expect(expectSuccess(await subscribe(mia, 'Observed')).subscribed).toEqual({ [mia.id]: ['Observed'] });
  });
});
