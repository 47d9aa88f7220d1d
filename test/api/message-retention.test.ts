import { RetentionService } from '../../src/features/message-changes/deletion/retention.service';
import type { Member } from '../support/cast';
import { changeChannel, channelRecord, createChannel } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { fetchIds, fetchMessage, sendDirect, sendTo } from '../support/message-setup';
import {
  columnsNamingMessages,
  copyMessage,
  expectConsistentRows,
  rowsOf,
  topicRows,
} from '../support/message-state';
import { TestApp } from '../support/test-app';
import { OffsetClock } from '../support/test-clocks';
import { attachmentsOf, load, storedFiles, upload } from '../support/upload-setup';

let app: TestApp;
let channels = 0;
const clock = new OffsetClock();
const DAY_MS = 86_400_000;

beforeAll(async () => {
  app = await TestApp.start({ clock });
});

afterAll(() => app.stop());

afterEach(async () => {
  await expectConsistentRows(app);
  await setDefault('unlimited');
});

const newChannel = () =>
  createChannel(app, app.cast.mia, `kept ${++channels}`, { principals: [app.cast.mia.id, app.cast.max.id] });
const keep = async (channel: number, days: number | string) =>
  expectSuccess(await app.as(app.cast.olivia).patch(`/streams/${channel}`, { message_retention_days: days }));
const setDefault = async (days: number | string) =>
  expectSuccess(await app.as(app.cast.olivia).patch('/realm', { message_retention_days: days }));
const expire = () => app.get(RetentionService).expire();
const inChannel = (channel: number) =>
  fetchIds(app, app.cast.mia, [{ operator: 'channel', operand: channel }], { num_before: 1000 });

it('messages go once their channel has kept them for as long as it says [LIM-5]', async () => {
  const { mia, max } = app.cast;
  const channel = await newChannel();
  await keep(channel, 3);
  const old = await sendTo(app, mia, channel, 'lunch');
  await sendTo(app, mia, channel, 'gone');
  clock.aheadMs += 2 * DAY_MS;
  const recent = await sendTo(app, mia, channel, 'Lunch');
  await expire();
  await expect(inChannel(channel)).resolves.toContain(old);
  clock.aheadMs += DAY_MS + 1_000;
  const events = await app.captureEvents(expire);
  await expect(inChannel(channel)).resolves.toEqual([recent]);
  await expect(topicRows(app, channel)).resolves.toEqual([{ name: 'Lunch', max: recent, count: 1 }]);
  await expect(channelRecord(app, channel)).resolves.toMatchObject({ first_message_id: recent });
  const gone = { type: 'delete_message', message_type: 'stream', stream_id: channel };
  expect(events.map(({ event }) => event)).toEqual([
    { ...gone, message_ids: [old], topic: 'Lunch' },
    { ...gone, message_ids: [old + 1], topic: 'gone' },
    {
      type: 'stream',
      op: 'update',
      property: 'first_message_id',
      value: recent,
      stream_id: channel,
      name: `kept ${channels}`,
    },
  ]);
  await expect(fetchIds(app, max, [['is', 'unread']])).resolves.toEqual([recent]);
});

it('a channel that says nothing follows the organization, as direct messages do', async () => {
  const { mia, max } = app.cast;
  const [inherits, forever, shorter] = [await newChannel(), await newChannel(), await newChannel()];
  await keep(forever, 'unlimited');
  await keep(shorter, 1);
  const ids = [];
  for (const channel of [inherits, forever, shorter]) ids.push(await sendTo(app, mia, channel, 'lunch'));
  const direct = await sendDirect(app, mia, [max]);
  clock.aheadMs += 2 * DAY_MS;
  await expire();
  await expect(inChannel(inherits)).resolves.toEqual([ids[0]]);
  await expect(inChannel(shorter)).resolves.toEqual([]);
  await expect(fetchIds(app, max, [['is', 'dm']])).resolves.toContain(direct);
  await setDefault(2);
  clock.aheadMs += 2_000;
  const later = await sendDirect(app, max, [mia]);
  await expire();
  await expect(inChannel(inherits)).resolves.toEqual([]);
  await expect(inChannel(forever)).resolves.toEqual([ids[1]]);
  await expect(fetchIds(app, max, [['is', 'dm']])).resolves.toEqual([later]);
});

it('what moved follows the channel it is in, archived ones included', async () => {
  const { mia, olivia } = app.cast;
  const [short, long] = [await newChannel(), await newChannel()];
  await keep(short, 1);
  const away = await sendTo(app, mia, short, 'lunch');
  const here = await sendTo(app, mia, long, 'lunch');
  const move = async (id: number, to: number) =>
    expectSuccess(
      await app.as(mia).patch(`/messages/${id}`, {
        stream_id: to,
        topic: `moved ${id}`,
        send_notification_to_new_thread: false,
      }),
    );
  await move(away, long);
  await move(here, short);
  expectSuccess(await app.as(olivia).delete(`/streams/${short}`));
  clock.aheadMs += 2 * DAY_MS;
  await expire();
  await expect(inChannel(long)).resolves.toEqual([away]);
  await expect(rowsOf(app, 'SELECT id FROM message WHERE id = ?', [here])).resolves.toEqual([]);
});

it('nothing of them is left, files that no other message links included', async () => {
  const { mia, max } = app.cast;
  const channel = await newChannel();
  const other = await newChannel();
  await keep(channel, 1);
  const [lost, shared] = [await upload(app, mia), await upload(app, mia)];
  const files = storedFiles(app).length;
  const id = await sendTo(app, mia, channel, 'lunch', `@**Max Member** [a](${lost}) [b](${shared})`);
  await sendTo(app, mia, other, 'lunch', `[b](${shared})`);
  expectSuccess(await app.as(max).post(`/messages/${id}/reactions`, { emoji_name: 'tada' }));
  expectSuccess(await app.as(mia).patch(`/messages/${id}`, { topic: 'dinner' }));
  clock.aheadMs += 2 * DAY_MS;
  const events = await app.captureEvents(expire);
  for (const { table, column } of await columnsNamingMessages(app)) {
    const rows = await rowsOf(app, `SELECT ${column} FROM ${table} WHERE ${column} = ?`, [id]);
    expect([table, rows]).toEqual([table, []]);
  }
  expect((await load(app, mia, lost)).status).toBe(404);
  expect((await load(app, max, shared)).status).toBe(200);
  expect(storedFiles(app)).toHaveLength(files - 1);
  await expect(attachmentsOf(app, mia)).resolves.toHaveLength(1);
  expect(events.map(({ event }) => event)).toContainEqual(
    expect.objectContaining({ type: 'attachment', op: 'remove' }),
  );
});

it('those who see them are told that they are gone, and nobody else', async () => {
  const { mia, max, mona } = app.cast;
  const channel = await newChannel();
  await keep(channel, 1);
  await setDefault(1);
  const id = await sendTo(app, mia, channel, 'lunch');
  const left = await sendTo(app, mia, channel, 'dinner');
  expectSuccess(await app.as(mona).post(`/messages/${left}/reactions`, { emoji_name: 'tada' }));
  const direct = await sendDirect(app, mia, [mona]);
  clock.aheadMs += 2 * DAY_MS;
  const events = await app.captureEvents(expire);
  const told = events.filter(({ event }) => [id, left, direct].includes(event.message_ids?.[0]));
  const ids = (...people: Member[]) => people.map((person) => person.id).sort((a, b) => a - b);
  const inPlace = { message_type: 'stream', stream_id: channel };
  expect(told.map(({ event, audience }) => [event, audience])).toEqual([
    [expect.objectContaining({ ...inPlace, topic: 'lunch', message_ids: [id] }), ids(mia, max)],
    [expect.objectContaining({ ...inPlace, topic: 'dinner', message_ids: [left] }), ids(mia, max, mona)],
    [expect.objectContaining({ message_type: 'private', message_ids: [direct] }), ids(mia, mona)],
  ]);
});

it('more topics than one step deletes go as well, each with an event of its own', async () => {
  const { mia } = app.cast;
  const channel = await newChannel();
  await keep(channel, 1);
  const ids = [];
  for (let i = 0; i < 45; i++) ids.push(await sendTo(app, mia, channel, `topic ${i}`));
  clock.aheadMs += 2 * DAY_MS;
  const events = await app.captureEvents(expire);
  const told = events.filter(({ event }) => event.type === 'delete_message');
  expect(told.flatMap(({ event }) => event.message_ids)).toEqual(ids);
  await expect(topicRows(app, channel)).resolves.toEqual([]);
});

it('many go in steps, between which others write, and one event says what is left', async () => {
  const { mia } = app.cast;
  const channel = await newChannel();
  await keep(channel, 1);
  const first = await sendTo(app, mia, channel, 'lunch');
  await copyMessage(app, first, 4_000);
  clock.aheadMs += 2 * DAY_MS;
  let isOver = false;
  const events = await app.captureEvents(async () => {
    const expiring = expire().then(() => (isOver = true));
    let sent = 0;
    while (!isOver) {
      await sendTo(app, mia, channel, 'lunch', `${sent++}`);
      if (sent > 200) break;
    }
    await expiring;
  });
  const kinds = events.map(({ event }) => event.property ?? event.type);
  expect(kinds.filter((kind) => kind === 'first_message_id')).toHaveLength(1);
  expect(kinds.indexOf('message')).toBeLessThan(kinds.lastIndexOf('delete_message'));
  for (const { event } of events) expect(event.message_ids?.length ?? 0).toBeLessThanOrEqual(200);
  const [topic] = await topicRows(app, channel);
  expect(topic?.count).toBe(kinds.filter((kind) => kind === 'message').length);
});

it('a change of mind counts at once', async () => {
  const { mia } = app.cast;
  const channel = await newChannel();
  const id = await sendTo(app, mia, channel, 'lunch');
  await keep(channel, 1);
  clock.aheadMs += 2 * DAY_MS;
  await keep(channel, 'realm_default');
  await expire();
  await expect(fetchMessage(app, mia, id)).resolves.toMatchObject({ id });
  await changeChannel(app, channel, { message_retention_days: 1 });
  await expire();
  await expect(inChannel(channel)).resolves.toEqual([]);
});
