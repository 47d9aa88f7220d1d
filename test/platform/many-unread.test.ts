import { type FillDatabase, fillMessages } from '../../bench/fill';
import { Database } from '../../src/platform/database/database.service';
import { Flag } from '../../src/features/messages/store/message-flags';
import { createChannel } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { stateOf } from '../support/initial-state';
import { TestApp } from '../support/test-app';

/** More than one statement finds, and more than clients are told of. */
const MESSAGES = 52_000;
const TOLD = 50_000;
const TOPICS = 100;

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start({ withoutLaw: 'messages were written past the log' });
});

afterAll(() => app.stop());

it('tells of the newest 50,000 unread messages, below and above what was read', async () => {
  const { mia, max } = app.cast;
  const channelId = await createChannel(app, mia, 'large', { principals: [mia.id, max.id] });
  const { engine } = app.get(Database);
  const { firstMessageId: first, newestMessageId: newest } = await app.writeRows(async (tx) => {
    const filling: FillDatabase = { engine, run: (sql) => tx.query(sql) };
    const filled = await fillMessages(filling, mia.id, channelId, { messages: MESSAGES, topics: TOPICS });
    const watermark = filled.newestMessageId - 21_000;
    await tx.query('UPDATE read_watermark SET message_id = ? WHERE user_id = ?', [watermark, max.id]);
    for (const id of [filled.newestMessageId - 30_002, filled.newestMessageId - 3]) {
      await tx.query('INSERT INTO message_flag (message_id, user_id, flags) VALUES (?, ?, ?)', [
        id,
        max.id,
        Flag.mentioned,
      ]);
    }
    return filled;
  });
  const mark = async (op: string, ids: number[]) =>
    expectSuccess(await app.as(max).post('/messages/flags', { messages: ids, op, flag: 'read' }));
  const all = Array.from({ length: MESSAGES }, (_, at) => first + at);
  await mark(
    'remove',
    all.filter((id) => id <= newest - 21_000),
  );
  const read = all.filter((id) => id % 1_000 === 7 || id === newest - 500);
  await mark('add', read);

  const told = all.filter((id) => !read.includes(id)).slice(-TOLD);
  const byTopic = new Map<string, number[]>();
  for (const id of told) {
    const topic = `topic ${((id - first) % TOPICS) + 1}`;
    byTopic.set(topic, [...(byTopic.get(topic) ?? []), id]);
  }
  const streams = [...byTopic].map(([topic, ids]) => ({
    stream_id: channelId,
    topic,
    unread_message_ids: ids,
  }));
  const wanted = ['message', 'update_message_flags'];
  const unread = async () => (await stateOf(app, max, { wanted })).unread_msgs;
  expect(await unread()).toEqual({
    count: TOLD,
    pms: [],
    huddles: [],
    streams: streams.sort((one, other) => (one.topic < other.topic ? -1 : 1)),
    mentions: [newest - 30_002, newest - 3],
    old_unreads_missing: true,
  });

  const left = all.filter((id) => !read.includes(id)).slice(-TOLD - 1);
  await mark(
    'add',
    all.filter((id) => id < (left[0] as number)),
  );
  expect(await unread()).toMatchObject({ count: TOLD, old_unreads_missing: true });
  await mark('add', left.slice(0, 1));
  expect(await unread()).toMatchObject({ count: TOLD, old_unreads_missing: false });

  const topic = 'topic 1';
  expectSuccess(
    await app.as(max).post('/user_topics', { stream_id: channelId, topic, visibility_policy: 1 }),
  );
  const heard = TOLD - (byTopic.get(topic)?.length ?? 0);
  expect(await unread()).toMatchObject({ count: heard, old_unreads_missing: false });
});
