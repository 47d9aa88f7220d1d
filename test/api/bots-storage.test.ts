import { expectError, expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

const robo = () => app.as(app.cast.robo);

describe('A bot’s storage', () => {
  it('keeps texts by key', async () => {
    expectSuccess(await robo().put('/bot_storage', { storage: { a: '1', b: 'zwei', '': 'empty' } }));
    expectSuccess(await robo().put('/bot_storage', { storage: { b: '2' } }));
    expectSuccess(await robo().put('/bot_storage', { storage: {} }));
    const all = expectSuccess(await robo().get('/bot_storage')).storage;
    expect(all).toEqual({ '': 'empty', a: '1', b: '2' });
    const some = expectSuccess(await robo().get('/bot_storage', { keys: ['b', 'b'] })).storage;
    expect(some).toEqual({ b: '2' });
    expect(expectSuccess(await robo().get('/bot_storage', { keys: [] })).storage).toEqual({});
  });

  it('forgets some, or everything', async () => {
    expectSuccess(await robo().put('/bot_storage', { storage: { c: '3', d: '4' } }));
    expectSuccess(await robo().delete('/bot_storage', { keys: ['c'] }));
    expectError(await robo().get('/bot_storage', { keys: ['c'] }), 'Key does not exist.');
    expectError(await robo().delete('/bot_storage', { keys: ['c', 'd'] }), 'Key does not exist.');
    expect(expectSuccess(await robo().get('/bot_storage')).storage).toHaveProperty('d', '4');
    expectSuccess(await robo().delete('/bot_storage'));
    expect(expectSuccess(await robo().get('/bot_storage')).storage).toEqual({});
  });

  it('has an end', async () => {
    const part = 'ä'.repeat(500_000);
    for (let i = 0; i < 19; i++) {
      expectSuccess(
        await robo().put('/bot_storage', { storage: { [`k${i % 10}${i >= 10 ? 'x' : ''}`]: part } }),
      );
    }
    expectSuccess(await robo().put('/bot_storage', { storage: { k0: part } }));
    expectError(
      await robo().put('/bot_storage', { storage: { more: 'x'.repeat(500_000) } }),
      'Request exceeds storage limit by 51 characters. The limit is 10000000 characters.',
    );
  });

  it('holds texts only', async () => {
    expectError(await robo().put('/bot_storage', { storage: { a: 1 } }), 'storage["a"] is not a string');
    expectError(await robo().put('/bot_storage', { storage: ['a'] }), 'storage is not a dict');
  });

  it('is for bots', async () => {
    expectError(await app.as(app.cast.mia).get('/bot_storage'), 'Must be a bot user', {
      code: 'PERMISSION_DENIED',
    });
    expectError(await app.as(app.cast.mia).put('/bot_storage', { storage: {} }), 'Must be a bot user', {
      code: 'PERMISSION_DENIED',
    });
    expectError(await app.as(app.cast.mia).delete('/bot_storage'), 'Must be a bot user', {
      code: 'PERMISSION_DENIED',
    });
  });
});
