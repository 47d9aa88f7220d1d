import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Answer, Parameters } from '../support/api-client';
import type { Member } from '../support/cast';
import { createChannel } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { fetchMessage, sendTo } from '../support/message-setup';
import { copyMessage, expectConsistentRows, rowsOf, topicRows } from '../support/message-state';
import { TestApp } from '../support/test-app';

let app: TestApp;
let channels = 0;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

afterEach(() => expectConsistentRows(app));

async function newChannel(): Promise<number> {
  const { mia, max, adam } = app.cast;
  const principals = [mia.id, max.id, adam.id];
  return createChannel(app, mia, `crossing ${++channels}`, { principals });
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index);
const fill = async (channel: number, topic: string, count: number) => {
  const ids: number[] = [];
  for (const i of range(count)) ids.push(await sendTo(app, app.cast.mia, channel, topic, `${i}`));
  return ids;
};
const update = (member: Member, id: number, changes: Parameters) =>
  app.as(member).patch(`/messages/${id}`, changes);
const moveAll = (member: Member, id: number, changes: Parameters) =>
  update(member, id, { propagate_mode: 'change_all', ...changes });

/** Whatever came first, a request is done or refused for a reason. */
function expectSettled(answers: readonly Answer[]): void {
  expect(answers.filter(({ status }) => status !== 200 && status !== 400)).toEqual([]);
}

const topicsOf = async (ids: readonly number[]) => {
  const rows = await rowsOf<{ id: number }>(
    app,
    'SELECT DISTINCT topic_id AS id FROM message WHERE id IN (?)',
    [ids],
  );
  return rows.map(({ id }) => id);
};

it('moves of one topic to many places at once keep it together', async () => {
  const { mia, max } = app.cast;
  const channel = await newChannel();
  const ids = await fill(channel, 'lunch', 5);
  const answers = await Promise.all(
    range(10).map((i) => moveAll(i % 2 ? mia : max, ids[i % 5] as number, { topic: `place ${i}` })),
  );
  answers.forEach((answer) => expectSuccess(answer));
  await expect(topicsOf(ids)).resolves.toHaveLength(1);
});

it('topics that change places at once do not get stuck', async () => {
  const { mia, max } = app.cast;
  const [one, two] = [await newChannel(), await newChannel()];
  const [first, second] = [await fill(one, 'a', 3), await fill(two, 'b', 3)];
  for (const round of range(4)) {
    const [here, there] = round % 2 ? [one, two] : [two, one];
    const answers = await Promise.all([
      moveAll(mia, first[0] as number, { stream_id: here, topic: round % 2 ? 'a' : 'b' }),
      moveAll(max, second[0] as number, { stream_id: there, topic: round % 2 ? 'b' : 'a' }),
    ]);
    expectSettled(answers);
    await expectConsistentRows(app);
  }
});

it('what is sent into a topic that moves is in one of the two, and counted', async () => {
  const { mia, max } = app.cast;
  const channel = await newChannel();
  const [id] = (await fill(channel, 'from', 1)) as [number];
  const answers = await Promise.all([
    ...range(30).map(() =>
      app.as(max).post('/messages', { type: 'channel', to: channel, topic: 'from', content: 'x' }),
    ),
    ...range(5).map((i) => moveAll(mia, id, { topic: i % 2 ? 'from' : 'to' })),
    ...range(30).map(() =>
      app.as(max).post('/messages', { type: 'channel', to: channel, topic: 'to', content: 'x' }),
    ),
  ]);
  expectSettled(answers);
  expect(answers.filter(({ status, body }) => status === 200 && 'id' in body)).toHaveLength(60);
  const topics = await topicRows(app, channel);
  expect(topics.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThanOrEqual(61);
});

it('edits and deletions of one message at once end with the message gone', async () => {
  const { mia, adam } = app.cast;
  const channel = await newChannel();
  for (const round of range(5)) {
    const [id] = (await fill(channel, `topic ${round}`, 1)) as [number];
    const answers = await Promise.all([
      ...range(4).map((i) => update(mia, id, { content: `edit ${i}` })),
      app.as(adam).delete(`/messages/${id}`),
      ...range(4).map((i) => update(mia, id, { topic: `moved ${round} ${i}` })),
    ]);
    expectSettled(answers);
    expect(answers[4]?.status).toBe(200);
    await expect(rowsOf(app, 'SELECT id FROM message WHERE id = ?', [id])).resolves.toEqual([]);
    await expect(rowsOf(app, 'SELECT id FROM message_edit WHERE message_id = ?', [id])).resolves.toEqual([]);
  }
});

it('edits of the content at once are all in the history, each with what was before it', async () => {
  const { mia } = app.cast;
  const channel = await newChannel();
  const [id] = (await fill(channel, 'lunch', 1)) as [number];
  const answers = await Promise.all(range(10).map((i) => update(mia, id, { content: `edit ${i}` })));
  answers.forEach((answer) => expectSuccess(answer));
  const { message_history: history } = expectSuccess(await app.as(mia).get(`/messages/${id}/history`));
  expect(history).toHaveLength(11);
  for (const at of range(10)) expect(history[at + 1].prev_content).toBe(history[at].content);
  await expect(fetchMessage(app, mia, id, { apply_markdown: false })).resolves.toMatchObject({
    content: history[10].content,
  });
});

it('a topic that is deleted while it moves and grows is gone where it was looked for', async () => {
  const { mia, max, adam } = app.cast;
  const channel = await newChannel();
  const ids = await fill(channel, 'doomed', 10);
  const answers = await Promise.all([
    moveAll(mia, ids[5] as number, { topic: 'elsewhere', propagate_mode: 'change_later' }),
    app.as(adam).post(`/streams/${channel}/delete_topic`, { topic_name: 'doomed' }),
    ...range(5).map(() =>
      app.as(max).post('/messages', { type: 'channel', to: channel, topic: 'doomed', content: 'x' }),
    ),
  ]);
  expectSettled(answers);
});

it('a large topic moves as one, and others can read meanwhile', async () => {
  const { mia, max } = app.cast;
  const channel = await newChannel();
  const target = await newChannel();
  const [id] = (await fill(channel, 'large', 1)) as [number];
  await copyMessage(app, id, 5_000);
  let isMoved = false;
  const moving = moveAll(mia, id, { stream_id: target, topic: 'moved' }).then((answer) => {
    isMoved = true;
    return answer;
  });
  let reads = 0;
  while (!isMoved) {
    expectSuccess(await app.as(max).get('/users/me'));
    await nextTurn();
    if (!isMoved) reads++;
  }
  expectSuccess(await moving);
  expect(reads).toBeGreaterThan(1);
  await expect(topicRows(app, target)).resolves.toMatchObject([{ name: 'moved', count: 5_002 }]);
  await expect(topicRows(app, channel)).resolves.toEqual([]);
});
