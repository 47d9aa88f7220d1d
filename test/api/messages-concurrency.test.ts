import { Database } from '../../src/platform/database/database.service';
import { TransactionService } from '../../src/platform/database/transaction.service';
import { Audience } from '../../src/platform/events/audience';
import { ChannelActivityService } from '../../src/features/channels/store/channel-audience.service';
import { MessageStoreService } from '../../src/features/messages/sending/message-store.service';
import type { Answer } from '../support/api-client';
import { channelRecord, createChannel } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { fetchIds, fetchMessages, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';
import { untilWritesAreIn, untilWritesWait } from '../support/waiting-writes';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

const rows = <Row extends object>(sql: string, values: (string | number)[] = []): Promise<Row[]> =>
  app.get(Database).read.query<Row>(sql, values);

const range = (count: number) => Array.from({ length: count }, (_, index) => index);

it('200 messages at once to one new topic arrive one after the other, in one topic', async () => {
  const { mia, max } = app.cast;
  const channel = await createChannel(app, mia, 'rush', { principals: [mia.id, max.id] });
  const events = await app.captureEvents(() =>
    Promise.all(
      range(200).map((i) => sendTo(app, i % 2 ? mia : max, channel, i % 3 ? 'hour' : 'Hour', `message ${i}`)),
    ),
  );
  const inLog = events.filter(({ event }) => event.type === 'message').map(({ event }) => event.message.id);
  expect(inLog).toHaveLength(200);
  expect(inLog).toEqual([...inLog].sort((a, b) => a - b));

  const ids = await fetchIds(app, mia, [['channel', 'rush']], { num_before: 1000 });
  expect(ids).toEqual(inLog);
  const topics = await rows(
    'SELECT name_key, max_message_id, message_count FROM topic WHERE channel_id = ?',
    [channel],
  );
  expect(topics).toEqual([{ name_key: 'hour', max_message_id: inLog.at(-1), message_count: 200 }]);
  await expect(channelRecord(app, channel)).resolves.toMatchObject({ first_message_id: inLog[0] });
});

it('messages at once between two people share one conversation', async () => {
  const { mia, max } = app.cast;
  const answers = await Promise.all(
    range(50).map((i) =>
      app.as(i % 2 ? mia : max).post('/messages', {
        type: 'direct',
        to: [i % 2 ? max.id : mia.id],
        content: 'at once',
        read_by_sender: true,
      }),
    ),
  );
  const sent = answers.map((answer) => expectSuccess(answer).id).sort((a, b) => a - b);
  await expect(fetchIds(app, mia, [['is', 'dm']])).resolves.toEqual(sent);
  await expect(
    rows('SELECT max_message_id FROM direct_conversation WHERE members_key = ?', [
      [mia.id, max.id].sort((a, b) => a - b).join(),
    ]),
  ).resolves.toEqual([{ max_message_id: sent.at(-1) }]);
  const { messages } = expectSuccess(await fetchMessages(app, mia, [['is', 'dm']]));
  for (const { sender_id: sender, flags } of messages) {
    expect(flags).toEqual(sender === mia.id ? ['read'] : []);
  }
});

it('whoever is told of a message has received it, whatever subscriptions begin and end meanwhile', async () => {
  const { mia, max } = app.cast;
  const channel = await createChannel(app, mia, 'revolving door', { invite_only: true });
  const subscriptions = [{ name: 'revolving door' }];
  const coming = () => app.as(mia).post('/users/me/subscriptions', { subscriptions, principals: [max.id] });
  const going = () => app.as(max).delete('/users/me/subscriptions', { subscriptions: ['revolving door'] });
  const events = await app.captureEvents(() =>
    Promise.all([
      ...range(60).map(() => sendTo(app, mia, channel, 'door')),
      (async () => {
        for (const i of range(10)) expectSuccess(await (i % 2 ? going() : coming()));
      })(),
    ]),
  );
  expectSuccess(await coming());
  const told = events
    .filter(
      ({ event, audience }) =>
        event.type === 'message' && event.message.stream_id === channel && audience.includes(max.id),
    )
    .map(({ event }) => event.message.id);
  await expect(fetchIds(app, max, [['channel', 'revolving door']], { num_before: 500 })).resolves.toEqual(
    told,
  );
});

it('a message that fails half-way leaves nothing behind', async () => {
  const { mia } = app.cast;
  const channel = await createChannel(app, mia, 'fragile');
  const tables = ['message', 'topic', 'message_flag', 'read_block', 'mention_set', 'event_log', 'user_topic'];
  const counts = async () => {
    const found: Record<string, number> = {};
    for (const table of tables) {
      const [row] = await rows<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`);
      found[table] = row?.n ?? -1;
    }
    return found;
  };
  const before = await counts();
  const failing = jest
    .spyOn(app.get(MessageStoreService), 'insertFlags')
    .mockRejectedValueOnce(new Error('The delivery failed.'));
  const answer = await app.as(mia).post('/messages', {
    type: 'channel',
    to: channel,
    topic: 'new',
    content: '@**Mia Member**',
    read_by_sender: true,
  });
  failing.mockRestore();
  expect(answer.status).toBe(500);
  await expect(counts()).resolves.toEqual(before);
  await expect(channelRecord(app, channel)).resolves.toMatchObject({ first_message_id: null });
  await sendTo(app, mia, channel, 'new');
});

it('a message that waits while the only other one is deleted is the first of its channel', async () => {
  const { mia } = app.cast;
  const channel = await createChannel(app, mia, 'emptied meanwhile');
  const only = await sendTo(app, mia, channel, 'old', 'only');
  const answers: Promise<Answer>[] = [];
  await app.get(TransactionService).run(async (tx) => {
    await app.get(ChannelActivityService).lock(tx, [channel], { forUpdate: true });
    answers.push(app.as(mia).delete(`/messages/${only}`));
    await untilWritesWait(app);
    answers.push(app.as(mia).post('/messages', { type: 'channel', to: channel, topic: 'new', content: 'x' }));
    await untilWritesWait(app, 2);
  });
  const [deleted, sent] = (await Promise.all(answers)) as [Answer, Answer];
  expectSuccess(deleted);
  expectSuccess(sent);
  await expect(channelRecord(app, channel)).resolves.toMatchObject({ first_message_id: sent.body.id });
});

// Orders requests by the queue in front of the one writer, which only SQLite has.
const onSqlite = process.env.TEST_ENGINE === 'postgres' ? it.skip : it;

onSqlite('a direct message that waits to be written goes to nobody who left meanwhile', async () => {
  const { olivia, mia } = app.cast;
  const leaving = await app.addAccount({
    deliveryEmail: 'leaving@example.com',
    fullName: 'L',
    role: 400,
  });
  const answers: Promise<Answer>[] = [];
  await app.get(TransactionService).runExclusive(async () => {
    answers.push(app.as(olivia).delete(`/users/${leaving.id}`));
    await untilWritesAreIn(app);
    answers.push(app.as(mia).post('/messages', { type: 'direct', to: [leaving.id], content: 'too late' }));
    await untilWritesAreIn(app, 2);
  });
  const [left, sent] = (await Promise.all(answers)) as [Answer, Answer];
  expectSuccess(left);
  expectError(sent, `'${leaving.email}' is no longer using Zulip.`);
});

describe('the number of rows', () => {
  /** Rows that sending one message adds, in all tables. */
  const rowsFor = async (channel: number, content: string): Promise<number> => {
    const tables = [
      'message',
      'topic',
      'message_flag',
      'read_block',
      'read_watermark',
      'mention_set',
      'mention_set_member',
      'event_log',
      'audience',
      'user_topic',
    ];
    const count = async () => {
      const parts = tables.map((table) => `(SELECT COUNT(*) FROM ${table})`);
      const [row] = await rows<{ n: number }>(`SELECT ${parts.join(' + ')} AS n`);
      return row?.n ?? -1;
    };
    const before = await count();
    await sendTo(app, app.cast.olivia, channel, 'crowd', content);
    return (await count()) - before;
  };

  it('does not depend on that of the subscribers', async () => {
    const { olivia, mia } = app.cast;
    const crowd: number[] = [];
    for (const i of range(300)) {
      const account = { deliveryEmail: `crowd${i}@example.com`, fullName: `Crowd ${i}`, role: 400 as const };
      crowd.push((await app.addAccount(account)).id);
    }
    const few = await createChannel(app, olivia, 'few', { principals: [olivia.id, mia.id] });
    const many = await createChannel(app, olivia, 'many', { principals: [olivia.id, mia.id, ...crowd] });
    for (const channel of [few, many]) await sendTo(app, olivia, channel, 'crowd', 'the first one');
    for (const content of ['hello', '@**all** hello', '@**Mia Member** hello', '@**topic** hello']) {
      await rowsFor(few, content);
      await rowsFor(many, content);
      const forFew = await rowsFor(few, content);
      await expect(rowsFor(many, content)).resolves.toBe(forFew);
    }
  });

  it('does not depend on that of the members of a mentioned group', async () => {
    const { olivia } = app.cast;
    const [everyone] = await rows<{ id: number }>("SELECT id FROM user_group WHERE name = 'role:everyone'");
    const [crowd] = await app.writeRows(async (tx) => {
      const groups = await tx.query<{ id: number }>(
        `INSERT INTO user_group (name, description, is_system, is_deactivated, can_mention_group)
         VALUES ('crowd', '', ?, ?, ?) RETURNING id`,
        [false, false, (everyone as { id: number }).id],
      );
      await tx.query(
        `INSERT INTO user_group_member (group_id, user_id)
         SELECT ?, id FROM account WHERE delivery_email LIKE 'crowd%'`,
        [(groups[0] as { id: number }).id],
      );
      tx.touch('groups', [(groups[0] as { id: number }).id]);
      return groups;
    });
    const [many] = await rows<{ id: number }>("SELECT id FROM channel WHERE name = 'many'");
    const channel = (many as { id: number }).id;
    await rowsFor(channel, '@*crowd* hello');
    await expect(rowsFor(channel, '@*crowd* hello')).resolves.toBeLessThan(10);
    const events = await app.captureEvents(() => sendTo(app, olivia, channel, 'crowd', '@*crowd* hello'));
    const [member] = await rows<{ user_id: number }>(
      'SELECT MIN(user_id) AS user_id FROM user_group_member WHERE group_id = ?',
      [(crowd as { id: number }).id],
    );
    const forMembers = events.filter(({ audience }) => audience.includes(member?.user_id ?? 0));
    expect(forMembers).toMatchObject([{ event: { flags: ['mentioned'] } }]);
    expect(forMembers[0]?.audience).not.toContain(olivia.id);
    const all = events.map(({ audience }) => Audience.of(audience));
    expect(all[0]?.union(...all.slice(1)).size).toBe(302);
  });
});
