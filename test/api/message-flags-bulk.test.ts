import { Database } from '../../src/platform/database/database.service';
import type { Member } from '../support/cast';
import { createChannel } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { copyMessage, fetchIds, fetchMessage, sendDirect, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start({ withoutLaw: 'more is unread than the state tells' });
});

afterAll(() => app.stop());

const change = (member: Member, op: string, flag: string, messages: unknown) =>
  app.as(member).post('/messages/flags', { messages, op, flag });

const flagsOf = async (member: Member, id: number): Promise<string[]> =>
  (await fetchMessage(app, member, id)).flags;

const range = (count: number) => Array.from({ length: count }, (_, index) => index);

async function count(sql: string, values: (string | number)[] = []): Promise<number> {
  const [row] = await app.get(Database).read.query<{ n: number }>(`SELECT COUNT(*) AS n FROM ${sql}`, values);
  return Number(row?.n);
}

describe('Changes at the same time', () => {
  it.each(['read', 'starred', 'collapsed'])('set %s once', async (flag) => {
    const { mia, max } = app.cast;
    const own = await createChannel(app, mia, `at once ${flag}`, { principals: [mia.id, max.id] });
    const foreign = await createChannel(app, mia, `not received ${flag}`);
    const ids = [await sendTo(app, mia, own, 'x'), await sendTo(app, mia, own, 'x')];
    if (flag !== 'read') ids.push(await sendTo(app, mia, foreign, 'x'));
    const events = await app.captureEvents(async () => {
      const answers = await Promise.all(
        range(20).map((i) => change(max, 'add', flag, i % 2 ? ids : [...ids].reverse())),
      );
      const changed = answers.flatMap((answer) => expectSuccess(answer).messages as number[]);
      expect(changed.sort((a, b) => a - b)).toEqual(ids);
    });
    expect(events.flatMap(({ event }) => event.messages as number[]).sort((a, b) => a - b)).toEqual(ids);
    for (const id of ids) await expect(flagsOf(max, id)).resolves.toContain(flag);
  });

  it('lose nothing where they concern neighbours', async () => {
    const { mia, max } = app.cast;
    const channel = await createChannel(app, mia, 'neighbours', { principals: [mia.id, max.id] });
    const ids = await copyMessage(app, await sendTo(app, mia, channel, 'x'), 40);
    const answers = await Promise.all(ids.map((id) => change(max, 'add', 'read', [id])));
    for (const answer of answers) expectSuccess(answer);
    const again = await Promise.all(ids.slice(0, 20).map((id) => change(max, 'remove', 'read', [id])));
    for (const answer of again) expectSuccess(answer);
    await expect(
      fetchIds(app, max, [
        ['channel', 'neighbours'],
        ['is', 'unread'],
      ]),
    ).resolves.toEqual([ids[0]! - 1, ...ids.slice(0, 20)]);
  });

  it('of different people do not touch each other', async () => {
    const { mia, max, mona, olivia } = app.cast;
    const people = [mia, max, mona, olivia];
    const id = await sendDirect(app, mia, [max, mona, olivia]);
    await Promise.all(
      range(20).map(async (i) => {
        expectSuccess(await change(people[i % 4] as Member, 'add', 'starred', [id]));
      }),
    );
    for (const member of people) await expect(flagsOf(member, id)).resolves.toContain('starred');
  });

  it('leave nothing unread in a channel that is being left', async () => {
    const { mia, max } = app.cast;
    const channel = await createChannel(app, mia, 'exit', { principals: [mia.id, max.id] });
    const ids = await copyMessage(app, await sendTo(app, mia, channel, 'x'), 20);
    expectSuccess(await change(max, 'add', 'read', ids));
    await Promise.all([
      ...ids.map(async (id) => expectSuccess(await change(max, 'remove', 'read', [id]))),
      app.as(max).delete('/users/me/subscriptions', { subscriptions: ['exit'] }),
    ]);
    await expect(
      fetchIds(app, max, [
        ['channel', 'exit'],
        ['is', 'unread'],
      ]),
    ).resolves.toEqual([]);
  });
});

describe('Very many messages', () => {
  it('are marked in one call and few rows', async () => {
    const { mia, max } = app.cast;
    const channel = await createChannel(app, mia, 'flood', { principals: [mia.id, max.id] });
    const ids = await copyMessage(app, await sendTo(app, mia, channel, 'x'), 100_000);
    const blocks = () => count('read_block WHERE user_id = ?', [max.id]);
    const before = await blocks();
    const events = await app.captureEvents(async () => {
      const { messages } = expectSuccess(await change(max, 'add', 'read', [...ids, ...ids.slice(0, 100)]));
      expect(messages).toEqual(ids);
    });
    expect(events.flatMap(({ event }) => event.messages as number[])).toEqual(ids);
    await expect(blocks()).resolves.toBeLessThan(before + 100);
    await expect(flagsOf(max, ids[77_777]!)).resolves.toEqual(['read']);

    expect(expectSuccess(await change(max, 'remove', 'read', ids)).messages).toHaveLength(100_000);
    await expect(flagsOf(max, ids[77_777]!)).resolves.toEqual([]);
  });

  it('are starred in one call, or none of them', async () => {
    const { mia, max } = app.cast;
    const channel = await createChannel(app, mia, 'sky', { principals: [mia.id, max.id] });
    const ids = await copyMessage(app, await sendTo(app, mia, channel, 'x'), 12_000);
    const stars = () => count('message_flag WHERE user_id = ? AND message_id >= ?', [max.id, ids[0] ?? 0]);
    expectError(await change(max, 'add', 'starred', [...ids, 0]), 'Invalid message(s)');
    await expect(stars()).resolves.toBe(0);
    expect(expectSuccess(await change(max, 'add', 'starred', ids)).messages).toEqual(ids);
    await expect(stars()).resolves.toBe(12_000);
    expect(expectSuccess(await change(max, 'remove', 'starred', ids)).messages).toEqual(ids);
    await expect(stars()).resolves.toBe(0);
  });

  it('are refused where they are more than a parameter may hold', async () => {
    const ids = range(150_000).map((i) => 2_000_000_000 + i);
    const answer = await change(app.cast.max, 'add', 'read', ids);
    expectError(answer, 'messages is too long (limit: 1048576 bytes)');
  });
});

describe('What is no list of message IDs', () => {
  it.each([
    ['soup', 'messages is not valid JSON'],
    ['7', 'messages is not a list'],
    ['["7"]', 'messages[0] is not an integer'],
    ['[1, 2.5]', 'messages[1] is not an integer'],
    ['[1e30]', 'messages[0] is not an integer'],
    ['[123456789012345678901234567890]', 'messages[0] is too large'],
    ['[-123456789012345678901234567890]', 'messages[0] is too small'],
    ['[true]', 'messages[0] is not an integer'],
    ['null', 'messages is not a list'],
  ])('is refused: %s [EP19-messages]', async (messages, problem) => {
    expectError(await change(app.cast.max, 'add', 'read', messages), problem);
  });

  it('nor is a missing parameter taken for one [EP19-messages, EP19-op, EP19-flag]', async () => {
    const all = { messages: [1], op: 'add', flag: 'read' };
    for (const name of ['messages', 'op', 'flag']) {
      expectError(
        await app.as(app.cast.max).post('/messages/flags', { ...all, [name]: undefined }),
        `Missing '${name}' argument`,
        { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: name } },
      );
    }
    expectError(
      await change(app.cast.max, 'toggle', 'read', [1]),
      "Invalid message flag operation: 'toggle'",
    );
  });
});
