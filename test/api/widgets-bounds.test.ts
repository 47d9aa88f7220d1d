import { SubmessageRowsService } from '../../src/features/messages/messages.module';
import type { Member } from '../support/cast';
import { createChannelWith } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { fetchMessage, fetchMessages, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';

const OWN = 'You have added too much widget data to this message.';
const ALL = 'Too much widget data on this message.';
const VOTE = { type: 'vote', key: 'canned,0', vote: 1 };

let app: TestApp;
let channel: number;

beforeAll(async () => {
  app = await TestApp.start();
  const { mia, max, gus } = app.cast;
  channel = await createChannelWith(app, mia, [max, gus], 'kitchen');
});

afterEach(() => jest.restoreAllMocks());
afterAll(() => app.stop());

const poll = () => sendTo(app, app.cast.mia, channel, 'lunch', '/poll');
const attach = (member: Member, message_id: number, data: object = VOTE) =>
  app.as(member).post('/submessage', { message_id, msg_type: 'widget', content: JSON.stringify(data) });

/** Attaches the same so many times, as this person. */
async function fill(ids: readonly number[], person: Member, count: number, content = '{}'): Promise<void> {
  await app.writeRows((tx) =>
    tx.query(
      `INSERT INTO submessage (message_id, sender_id, msg_type, content)
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
       SELECT m.id, CAST(? AS INTEGER), 'widget', CAST(? AS TEXT) FROM message m, n WHERE m.id IN (?)`,
      [person.id, content, ids],
    ),
  );
}

describe('What is attached to a message', () => {
  it('is bounded in number, however many requests there are at a time', async () => {
    const { mia, max, gus, mona } = app.cast;
    const id = await poll();
    await fill([id], max, 1_998);
    const answers = await Promise.all(Array.from({ length: 4 }, () => attach(max, id)));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(2);
    for (const answer of refused) expectError(answer, OWN);
    expectSuccess(await attach(mia, id));
    await fill([id], gus, 1_500);
    await fill([id], mona, 1_497);
    expectSuccess(await attach(mia, id));
    expectError(await attach(mia, id), ALL);
    const { submessages } = await fetchMessage(app, max, id);
    expect(submessages).toHaveLength(5_000);
  });

  it('is bounded in length', async () => {
    const { mia, max, gus } = app.cast;
    const id = await poll();
    const long = JSON.stringify('x'.repeat(9_998));
    const voteOf = (length: number) => ({ ...VOTE, key: 'x'.repeat(length) });
    await fill([id], max, 12, long);
    expectError(await attach(max, id, voteOf(6_000)), OWN);
    expectSuccess(await attach(max, id, voteOf(1_000)));
    await fill([id], gus, 12, long);
    expectError(await attach(mia, id, voteOf(9_900)), ALL);
    expectSuccess(await attach(mia, id, voteOf(1_000)));
  });

  it('is read a few messages at a time where there is much, and all of it is shown', async () => {
    const { mia, max } = app.cast;
    const polls = await createChannelWith(app, mia, [max], 'polls');
    const ids: number[] = [];
    for (let at = 0; at < 20; at++) ids.push(await sendTo(app, mia, polls, 'lunch', '/poll'));
    await fill(ids, max, 400);
    const read = jest.spyOn(SubmessageRowsService.prototype, 'of' as never);
    const { messages } = expectSuccess(await fetchMessages(app, max, [['channel', 'polls']]));
    const shown = messages as { id: number; submessages: object[] }[];
    expect(shown.map(({ id, submessages }) => [id, submessages.length])).toEqual(ids.map((id) => [id, 401]));
    const stretches = await Promise.allSettled(
      read.mock.results.map(({ value }) => value as Promise<unknown>),
    );
    expect(stretches.length).toBeGreaterThan(5);
    for (const stretch of stretches) {
      if (stretch.status === 'fulfilled')
        expect((stretch.value as object[]).length).toBeLessThanOrEqual(1_000);
    }
  });
});
