import { createChannel } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
  await createChannel(app, app.cast.mia, 'large');
});

afterAll(() => app.stop());

const mia = () => app.as(app.cast.mia);
const narrowed = (operator: string, operand: unknown) =>
  mia().get('/messages', { anchor: 'newest', num_before: 1, narrow: [{ operator, operand }] });

describe('What is too long', () => {
  it('is not rendered', async () => {
    expectSuccess(await mia().post('/messages/render', { content: '😀'.repeat(10_000) }));
    expectError(
      await mia().post('/messages/render', { content: 'a'.repeat(10_001) }),
      'content is too long (limit: 10000 characters)',
    );
  });

  it('is no password, as clients are told when they register', async () => {
    const state = expectSuccess(await mia().post('/register', { fetch_event_types: ['realm'] }));
    expect(state.password_max_length).toBe(4096);
    const long = 'p'.repeat(4097);
    for (const parameters of [{ old_password: long, new_password: 'any' }, { new_password: long }]) {
      const name = 'old_password' in parameters ? 'old_password' : 'new_password';
      expectError(await mia().patch('/settings', parameters), `${name} is too long (limit: 4096 characters)`);
    }
  });

  it.each(['search', 'topic', 'sender', 'channel'])('is no operand of %s', async (operator) => {
    expectError(await narrowed(operator, 'é'.repeat(2001)), 'operand is too long (limit: 2000 characters)');
  });

  it.each(['dm', 'dm-including', 'group-pm-with'])('is no list of people for %s', async (operator) => {
    const desc = 'too many people (limit: 1000)';
    const refused = { code: 'BAD_NARROW', data: { desc } };
    const { id } = app.cast.max;
    const list = Array.from({ length: 1001 }, () => id);
    if (operator !== 'group-pm-with') {
      expectError(await narrowed(operator, list), `Invalid narrow operator: ${desc}`, refused);
      expectSuccess(await narrowed(operator, list.slice(1)));
    }
    const addresses = list.map(() => app.cast.max.email).join(',');
    expectError(await narrowed(operator, addresses), `Invalid narrow operator: ${desc}`, refused);
  });
});

describe('Messages whose HTML is large', () => {
  const ids: number[] = [];
  const count = 120;
  const search = [{ operator: 'search', operand: 'wide' }];

  beforeAll(async () => {
    const content = `wide ${'👍'.repeat(950)}`;
    for (let i = 0; i < count; i++) ids.push(await sendTo(app, app.cast.mia, 'large', 'large', content));
  });

  const around = async (range: Record<string, unknown>) => {
    const answer = expectSuccess(await mia().get('/messages', { narrow: [['channel', 'large']], ...range }));
    const found = answer.messages.map(({ id }: { id: number }) => ids.indexOf(id)) as number[];
    expect(JSON.stringify(answer).length).toBeLessThan(10_000_000);
    expect(found).toEqual(found.map((_, at) => (found[0] ?? 0) + at));
    return { ...answer, first: found[0] ?? -1, last: found.at(-1) ?? -1 };
  };

  it('have at most 100,000 characters of it', async () => {
    const { message } = expectSuccess(await mia().get(`/messages/${ids[0]}`));
    expect(message.content.length).toBeGreaterThan(70_000);
    const row = '|a\n';
    const table = `${row}|-\n${row.repeat(3300)}`;
    const emoji = '👍'.repeat(5000);
    for (const content of [table, emoji]) {
      const { rendered } = expectSuccess(await mia().post('/messages/render', { content }));
      expect(rendered.length).toBeLessThanOrEqual(100_000);
    }
  });

  it('come in answers of bounded size, the nearest first, with what is left out not called found', async () => {
    const newest = await around({ anchor: 'newest', num_before: 5000 });
    expect(newest).toMatchObject({ last: count - 1, found_newest: true, found_oldest: false });
    expect(newest.first).toBeGreaterThan(0);

    const oldest = await around({ anchor: 'oldest', num_after: 5000 });
    expect(oldest).toMatchObject({ first: 0, found_newest: false, found_oldest: true });
    expect(oldest.last).toBeLessThan(count - 1);

    const middle = count / 2;
    const both = await around({ anchor: ids[middle], num_before: 2000, num_after: 2000 });
    expect(both).toMatchObject({ found_anchor: true, found_newest: false, found_oldest: false });
    expect(both.first).toBeLessThan(middle);
    expect(both.last).toBeGreaterThan(middle);

    const rest = await around({ anchor: ids[newest.first], include_anchor: false, num_before: 5000 });
    expect(rest).toMatchObject({ first: 0, last: newest.first - 1, found_oldest: true });
  });

  it('are not left out where they are asked for by their IDs', async () => {
    const refusal = 'Response too large. Request fewer messages.';
    expectError(await mia().get('/messages', { message_ids: ids }), refusal);
    expectError(await mia().get('/messages/matches_narrow', { msg_ids: ids, narrow: search }), refusal);
    const few = ids.slice(0, 10);
    expect(expectSuccess(await mia().get('/messages', { message_ids: few })).messages).toHaveLength(10);
    const { messages } = expectSuccess(
      await mia().get('/messages/matches_narrow', { msg_ids: few, narrow: search }),
    );
    expect(Object.keys(messages)).toHaveLength(10);
  });
});

describe('A search', () => {
  it('looks at sixty words of one operand, and takes no more than twice as many in a narrow', async () => {
    await createChannel(app, app.cast.mia, 'words');
    const words = Array.from({ length: 60 }, (_, at) => `w${at}x`);
    const id = await sendTo(app, app.cast.mia, 'words', 'words', words.join(' '));
    const operand = `"${words.join(' ')}" beyond what is looked at`;
    const found = expectSuccess(await narrowed('search', operand)).messages;
    expect(found.map((message: { id: number }) => message.id)).toEqual([id]);
    const terms = (count: number) =>
      mia().get('/messages', {
        anchor: 'newest',
        num_before: 1,
        narrow: Array.from({ length: count }, () => ({ operator: 'search', operand, negated: false })),
      });
    expectSuccess(await terms(2));
    const desc = 'too many words to search for (limit: 120)';
    expectError(await terms(3), `Invalid narrow operator: ${desc}`, { code: 'BAD_NARROW', data: { desc } });
  });

  it('for one word again and again keeps nobody waiting', async () => {
    const content = 'a '.repeat(5000);
    for (let i = 0; i < 40; i++) await sendTo(app, app.cast.mia, 'words', 'repeated', content);
    const phrases = Array.from({ length: 20 }, (_, at) => `"${'a '.repeat(60 - at)}"`).join(' ');
    const query = () =>
      mia().get('/messages', {
        anchor: 'newest',
        num_before: 1000,
        narrow: [{ operator: 'search', operand: phrases.slice(0, 2000) }],
      });
    const began = process.cpuUsage();
    expect(expectSuccess(await query()).messages).toHaveLength(40);
    const { user, system } = process.cpuUsage(began);
    expect((user + system) / 1e6).toBeLessThan(2.5);
  });
});
