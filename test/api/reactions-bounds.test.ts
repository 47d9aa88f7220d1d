import { MessageFact } from '../../src/features/messages/messages.module';
import { ReactionRows } from '../../src/features/reactions/reaction-rows';
import { namesOfAllCodes } from '../../src/platform/emoji/emoji';
import type { Member } from '../support/cast';
import { createChannelWith } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { fetchMessage, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';

const OF_PERSON = 50;
const OF_EMOJI = 200;
const OF_ALL = 10_000;
const REFUSAL = `Too many reactions. A message can have up to ${OF_PERSON} reactions per user, ${OF_EMOJI} different emoji and ${OF_ALL} reactions in total.`;

const names = [...namesOfAllCodes().values()].map(([name]) => name as string);

let app: TestApp;
let channel: number;

beforeAll(async () => {
  app = await TestApp.start();
  const { mia, max, mona } = app.cast;
  channel = await createChannelWith(app, mia, [max, mona], 'kitchen');
});

afterEach(() => jest.restoreAllMocks());
afterAll(() => app.stop());

const message = (content = 'soup') => sendTo(app, app.cast.mia, channel, 'lunch', content);
const react = (member: Member, id: number, emoji_name = 'tada') =>
  app.as(member).post(`/messages/${id}/reactions`, { emoji_name });
const reactionsOf = async (id: number): Promise<object[]> =>
  (await fetchMessage(app, app.cast.mia, id)).reactions;

/** Writes so many reactions of different emoji for each of these people. */
async function fill(ids: readonly number[], people: readonly Member[], emoji: number): Promise<void> {
  await app.writeRows(async (tx) => {
    await tx.query(
      `INSERT INTO reaction (message_id, user_id, emoji_type, emoji_code, emoji_name)
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${emoji})
       SELECT m.id, a.id, 'realm_emoji', CAST(n.i AS TEXT), 'emoji' FROM message m, account a, n
       WHERE m.id IN (?) AND a.id IN (?)`,
      [ids, people.map(({ id }) => id)],
    );
    await tx.query('UPDATE message SET facts = facts | ? WHERE id IN (?)', [MessageFact.hasReaction, ids]);
  });
}

describe('A message', () => {
  it('takes so many reactions of one person, however many requests there are at a time', async () => {
    const { mia, max } = app.cast;
    const id = await message();
    const answers = await Promise.all(names.slice(0, OF_PERSON + 10).map((name) => react(max, id, name)));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(10);
    for (const answer of refused) expectError(answer, REFUSAL);
    const added = await reactionsOf(id);
    expect(added).toHaveLength(OF_PERSON);
    const [first] = added as [{ emoji_name: string }];
    expectError(await react(max, id, first.emoji_name), 'Reaction already exists.', {
      code: 'REACTION_ALREADY_EXISTS',
    });
    expectError(await react(max, id, 'no_such_emoji'), "Emoji 'no_such_emoji' does not exist");
    expectSuccess(await react(mia, id, names[OF_PERSON + 20]));
    expectSuccess(await app.as(max).delete(`/messages/${id}/reactions`, { emoji_name: first.emoji_name }));
    expectSuccess(await react(max, id, names[OF_PERSON + 20]));
    expectError(await react(max, id, names[OF_PERSON + 21]), REFUSAL);
  });

  it('takes so many different emoji, and then only those that it has', async () => {
    const { olivia, mia, max, mona } = app.cast;
    const id = await message();
    expectSuccess(await react(mona, id, 'octopus'));
    await fill([id], [olivia], OF_EMOJI - 2);
    const answers = await Promise.all(['tada', 'heart', 'smile'].map((name) => react(max, id, name)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers) if (answer.status !== 200) expectError(answer, REFUSAL);
    expectSuccess(await react(mia, id, 'octopus'));
    expect(await reactionsOf(id)).toHaveLength(OF_EMOJI + 1);
  });

  it('takes so many reactions in all', async () => {
    const { olivia, adam, mia, max, mona, robo } = app.cast;
    const id = await message();
    expectSuccess(await react(mona, id));
    await fill([id], [olivia, adam, robo], 3_333);
    expectError(await react(max, id), REFUSAL);
    expectSuccess(await app.as(mona).delete(`/messages/${id}/reactions`, { emoji_name: 'tada' }));
    expectError(await react(mia, id), REFUSAL);
    expect(await reactionsOf(id)).toHaveLength(OF_ALL - 1);
  });
});

describe('History in which every message has very many reactions', () => {
  it('is read a few messages at a time, and answered as far as it fits', async () => {
    const { olivia, adam, mia } = app.cast;
    const large = await createChannelWith(app, mia, [], 'large');
    const ids: number[] = [];
    for (let at = 0; at < 40; at++) ids.push(await sendTo(app, mia, large, 'lunch', 'soup'));
    await fill(ids, [olivia, adam], 1_500);
    const read = jest.spyOn(ReactionRows.prototype, 'fields');
    const around = { anchor: 'newest', num_before: 100, num_after: 0, narrow: [['channel', 'large']] };
    const answer = expectSuccess(await app.as(mia).get('/messages', around));
    const shown = answer.messages as { id: number; reactions: object[] }[];
    expect(JSON.stringify(answer).length).toBeLessThan(10_000_000);
    expect(answer.found_oldest).toBe(false);
    expect(shown.length).toBeGreaterThan(10);
    expect(shown.map(({ id }) => id)).toEqual(ids.slice(-shown.length));
    for (const { reactions } of shown) expect(reactions).toHaveLength(3_000);
    const stretches = await Promise.allSettled(
      read.mock.results.map(({ value }) => value as Promise<unknown>),
    );
    for (const stretch of stretches) {
      if (stretch.status === 'rejected') continue;
      const counts = [...(stretch.value as Map<number, { reactions: object[] }>).values()];
      expect(counts.flatMap(({ reactions }) => reactions).length).toBeLessThanOrEqual(OF_ALL);
    }
  });
});
