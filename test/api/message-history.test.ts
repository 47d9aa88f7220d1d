import type { Parameters } from '../support/api-client';
import type { Member } from '../support/cast';
import { createChannel } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { fetchMessage, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';
import { OffsetClock } from '../support/test-clocks';

let app: TestApp;
let channels = 0;
const clock = new OffsetClock();

beforeAll(async () => {
  app = await TestApp.start({ clock });
});

afterAll(() => app.stop());

const channelWith = (people: readonly Member[] = [app.cast.max], options: Parameters = {}) =>
  createChannel(app, app.cast.mia, `history ${++channels}`, {
    principals: [app.cast.mia, ...people].map(({ id }) => id),
    ...options,
  });
const edit = async (member: Member, id: number, changes: Parameters) => {
  clock.aheadMs += 1_000;
  const answer = await app
    .as(member)
    .patch(`/messages/${id}`, { send_notification_to_new_thread: false, ...changes });
  expectSuccess(answer);
};
const history = (reader: Member, id: number, more: Parameters = {}) =>
  app.as(reader).get(`/messages/${id}/history`, more);
const setVisibility = async (policy: string) =>
  expectSuccess(
    await app.as(app.cast.olivia).patch('/realm', { message_edit_history_visibility_policy: policy }),
  );

it('a message that was never edited has one snapshot', async () => {
  const { mia, max } = app.cast;
  const id = await sendTo(app, mia, await channelWith(), 'lunch', '**soup**');
  const { timestamp, ...record } = await fetchMessage(app, max, id);
  expect(record).not.toHaveProperty('edit_history');
  expect(expectSuccess(await history(max, id)).message_history).toEqual([
    {
      content: '**soup**',
      rendered_content: '<p><strong>soup</strong></p>',
      topic: 'lunch',
      timestamp,
      user_id: mia.id,
    },
  ]);
});

it('each edit shows what it changed, oldest first; in the record newest first', async () => {
  const { mia, max } = app.cast;
  const [from, to] = [await channelWith(), await channelWith()];
  const id = await sendTo(app, mia, from, 'lunch', 'one');
  await edit(mia, id, { content: 'two' });
  await edit(max, id, { topic: 'dinner' });
  await edit(mia, id, { topic: 'supper', content: 'three' });
  await edit(max, id, { stream_id: to });
  const { message_history: snapshots } = expectSuccess(await history(max, id));
  const at = snapshots.map(({ timestamp }: { timestamp: number }) => timestamp);
  expect(at).toEqual([...at].sort((a, b) => a - b));
  const difference = (inserted: string, deleted: string) =>
    `<div><p><span class="highlight_text_inserted">${inserted}</span>` +
    `<span class="highlight_text_deleted">${deleted}</span></p></div>`;
  expect(snapshots).toEqual([
    { content: 'one', rendered_content: '<p>one</p>', topic: 'lunch', timestamp: at[0], user_id: mia.id },
    {
      content: 'two',
      rendered_content: '<p>two</p>',
      prev_content: 'one',
      prev_rendered_content: '<p>one</p>',
      content_html_diff: difference('two', 'one'),
      topic: 'lunch',
      timestamp: at[1],
      user_id: mia.id,
    },
    {
      content: 'two',
      rendered_content: '<p>two</p>',
      topic: 'dinner',
      prev_topic: 'lunch',
      timestamp: at[2],
      user_id: max.id,
    },
    {
      content: 'three',
      rendered_content: '<p>three</p>',
      prev_content: 'two',
      prev_rendered_content: '<p>two</p>',
      content_html_diff: difference('three', 'two'),
      topic: 'supper',
      prev_topic: 'dinner',
      timestamp: at[3],
      user_id: mia.id,
    },
    {
      content: 'three',
      rendered_content: '<p>three</p>',
      topic: 'supper',
      prev_stream: from,
      stream: to,
      timestamp: at[4],
      user_id: max.id,
    },
  ]);
  await expect(fetchMessage(app, mia, id)).resolves.toMatchObject({
    last_edit_timestamp: at[3],
    last_moved_timestamp: at[4],
    edit_history: [
      { user_id: max.id, timestamp: at[4], prev_stream: from, stream: to },
      {
        user_id: mia.id,
        timestamp: at[3],
        prev_content: 'two',
        prev_rendered_content: '<p>two</p>',
        prev_topic: 'dinner',
        topic: 'supper',
      },
      { user_id: max.id, timestamp: at[2], prev_topic: 'lunch', topic: 'dinner' },
      { user_id: mia.id, timestamp: at[1], prev_content: 'one', prev_rendered_content: '<p>one</p>' },
    ],
  });
});

it('of a topic that moves, every message has the move in its history', async () => {
  const { mia } = app.cast;
  const channel = await channelWith();
  const ids = [await sendTo(app, mia, channel, 'lunch'), await sendTo(app, mia, channel, 'lunch')];
  await edit(mia, ids[1] as number, { topic: '✔ lunch', propagate_mode: 'change_all', content: 'done' });
  const { messages } = expectSuccess(await app.as(mia).get('/messages', { message_ids: ids }));
  expect(messages.map(({ edit_history: edits }: { edit_history: unknown }) => edits)).toMatchObject([
    [{ prev_topic: 'lunch', topic: '✔ lunch' }],
    [{ prev_topic: 'lunch', topic: '✔ lunch', prev_content: 'hello' }],
  ]);
});

it('names the empty topic as the client wants it', async () => {
  const { mia } = app.cast;
  const id = await sendTo(app, mia, await channelWith(), '', 'one');
  await edit(mia, id, { topic: 'lunch' });
  const topics = async (more: Parameters) =>
    expectSuccess(await history(mia, id, more)).message_history.map(
      ({ topic, prev_topic: before }: Record<string, unknown>) => [topic, before],
    );
  await expect(topics({})).resolves.toEqual([
    ['general chat', undefined],
    ['lunch', 'general chat'],
  ]);
  await expect(topics({ allow_empty_topic_name: true })).resolves.toEqual([
    ['', undefined],
    ['lunch', ''],
  ]);
  for (const [allow, shown] of [
    [false, 'general chat'],
    [true, ''],
  ]) {
    await expect(fetchMessage(app, mia, id, { allow_empty_topic_name: allow })).resolves.toMatchObject({
      edit_history: [{ prev_topic: shown, topic: 'lunch' }],
    });
  }
});

describe('The organization decides', () => {
  afterEach(() => setVisibility('all'));

  it('that only moves are seen, each with the content of its time, and no edit of it', async () => {
    const { mia } = app.cast;
    const channel = await channelWith();
    const id = await sendTo(app, mia, channel, 'lunch', 'one');
    const edited = await sendTo(app, mia, channel, 'lunch', 'one');
    await edit(mia, id, { content: 'two' });
    await edit(mia, id, { content: 'three', topic: 'dinner' });
    await edit(mia, id, { topic: 'supper' });
    await edit(mia, id, { content: 'four' });
    await edit(mia, edited, { content: 'two' });
    await setVisibility('moves');
    const { message_history: snapshots } = expectSuccess(await history(mia, id));
    const at = { timestamp: expect.any(Number), user_id: mia.id };
    expect(snapshots).toEqual([
      { content: 'one', rendered_content: '<p>one</p>', topic: 'lunch', ...at },
      { content: 'three', rendered_content: '<p>three</p>', topic: 'dinner', prev_topic: 'lunch', ...at },
      { content: 'three', rendered_content: '<p>three</p>', topic: 'supper', prev_topic: 'dinner', ...at },
    ]);
    const record = await fetchMessage(app, mia, id);
    expect(record.edit_history).toEqual([
      { ...at, prev_topic: 'dinner', topic: 'supper' },
      { ...at, prev_topic: 'lunch', topic: 'dinner' },
    ]);
    await expect(fetchMessage(app, mia, edited)).resolves.not.toHaveProperty('edit_history');
  });

  it('that the content of its time is shown to the author alone', async () => {
    const { mia, max, olivia } = app.cast;
    const [from, to] = [await channelWith([max, olivia]), await channelWith([max, olivia])];
    const id = await sendTo(app, mia, from, 'lunch', 'one secret');
    await edit(mia, id, { content: 'two secret' });
    await edit(max, id, { topic: 'dinner' });
    await edit(mia, id, { topic: 'supper', content: 'three secret' });
    await edit(olivia, id, { stream_id: to });
    await edit(mia, id, { content: 'harmless' });
    await setVisibility('moves');
    const present = {
      content: 'harmless',
      rendered_content: '<p>harmless</p>',
      timestamp: expect.any(Number),
    };
    for (const reader of [max, olivia]) {
      expect(expectSuccess(await history(reader, id)).message_history).toEqual([
        { ...present, topic: 'lunch', user_id: mia.id },
        { ...present, topic: 'dinner', prev_topic: 'lunch', user_id: max.id },
        { ...present, topic: 'supper', prev_topic: 'dinner', user_id: mia.id },
        { ...present, topic: 'supper', prev_stream: from, stream: to, user_id: olivia.id },
      ]);
      expect(JSON.stringify(await fetchMessage(app, reader, id))).not.toContain('secret');
    }
    const { message_history: own } = expectSuccess(await history(mia, id));
    expect(own.map(({ content }: { content: string }) => content)).toEqual([
      'one secret',
      'two secret',
      'three secret',
      'three secret',
    ]);
  });

  it.each(['moves', 'none'])('with %s that events show no former content', async (policy) => {
    const { mia, max } = app.cast;
    await setVisibility(policy);
    const id = await sendTo(app, mia, await channelWith(), 'lunch', 'one secret');
    const events = await app.captureEvents(() => edit(mia, id, { content: '*harmless*', topic: 'dinner' }));
    const update = events.find(({ event }) => event.type === 'update_message');
    expect(update).toMatchObject({
      event: {
        content: '*harmless*',
        orig_content: '*harmless*',
        orig_rendered_content: '<p><em>harmless</em></p>',
        orig_subject: 'lunch',
      },
      audience: expect.arrayContaining([max.id]),
    });
    expect(JSON.stringify(events)).not.toContain('secret');
  });

  it('that nothing is seen', async () => {
    const { mia } = app.cast;
    const id = await sendTo(app, mia, await channelWith(), 'lunch', 'one');
    await edit(mia, id, { content: 'two', topic: 'dinner' });
    await setVisibility('none');
    expectError(await history(mia, id), 'Message edit history is disabled in this organization');
    const record = await fetchMessage(app, mia, id);
    expect(record).not.toHaveProperty('edit_history');
    expect(record).toHaveProperty('last_edit_timestamp');
  });
});

it('is for those who can see the message', async () => {
  const { mia, max } = app.cast;
  const id = await sendTo(app, mia, await channelWith([], { invite_only: true }), 'lunch');
  expectError(await history(max, id), 'Invalid message(s)');
  expectError(await history(max, 999_999_999), 'Invalid message(s)');
  expectSuccess(await history(mia, id));
});

it('does not grow without end', async () => {
  const { mia } = app.cast;
  const channel = await channelWith();
  const ids = [
    await sendTo(app, mia, channel, 'lunch', 'one'),
    await sendTo(app, mia, channel, 'lunch', 'one'),
  ];
  const [often, once] = ids as [number, number];
  await edit(mia, once, { content: 'two' });
  await edit(mia, often, { content: 'two' });
  await app.writeRows(async (tx) => {
    await tx.query(
      `WITH RECURSIVE copy (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copy WHERE n < 300)
       INSERT INTO message_edit (message_id, user_id, edited_at, prev_content, prev_rendered_content)
       SELECT ?, ?, ?, ?, ? FROM copy`,
      [often, mia.id, 1, 'x'.repeat(10_000), `<p>${'x'.repeat(90_000)}</p>`],
    );
  });
  const { message_history: snapshots } = expectSuccess(await history(mia, often));
  expect(snapshots).toHaveLength(84);
  const { messages } = expectSuccess(await app.as(mia).get('/messages', { message_ids: ids }));
  expect(messages.map(({ edit_history: edits }: { edit_history: unknown[] }) => edits.length)).toEqual([
    20, 1,
  ]);
});
