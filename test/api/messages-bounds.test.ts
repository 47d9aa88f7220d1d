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

  it('is no password', async () => {
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
