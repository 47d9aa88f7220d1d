import { startParley } from 'parley/testing';

// Jest and Vitest have them under the same names.
const { afterAll, beforeAll, beforeEach, expect, test } = globalThis;

let parley;
beforeAll(async () => {
  parley = await startParley();
});
beforeEach(() => parley.reset());
afterAll(() => parley.stop());

test('Bob hears of lunch', async () => {
  await parley.as('alice').send({ channel: 'lobby', topic: 'lunch', content: 'Soup **at noon**?' });
  const message = await parley.expectMessage({ from: 'alice', to: 'bob', content: /noon/ });
  expect(message).toMatchObject({ topic: 'lunch' });
});

test('nothing is left of the test before', async () => {
  expect(await parley.messages()).toEqual([]);
});

test('what is not said is missed, and the failure tells what was', async () => {
  await parley.as('alice').send({ channel: 'lobby', topic: 'lunch', content: 'Pasta' });
  await expect(parley.expectMessage({ content: 'Soup' }, { withinMs: 100 })).rejects.toThrow(/Pasta/);
});

test('a refusal is an error with its code', async () => {
  const sent = parley.as('gus').send({ channel: 'team', topic: 'lunch', content: 'Let me in' });
  await expect(sent).rejects.toMatchObject({ status: 400, code: 'STREAM_DOES_NOT_EXIST' });
});

test('a client comes back after a lost answer', async () => {
  await parley.fault({ path: '/messages', person: 'alice', cut: 'after', times: 1 });
  await expect(
    parley.as('alice').send({ channel: 'lobby', topic: 'lunch', content: 'Soup' }),
  ).rejects.toThrow();
  expect(await parley.messages()).toHaveLength(1);
});

test('what is due comes when its time comes', async () => {
  await parley.clock.stop();
  const { now_ms: now } = await parley.clock.now();
  const alice = parley.as('alice');
  const { stream_id: to } = await alice.get('/get_stream_id', { stream: 'lobby' });
  const at = Math.floor(now / 1000) + 3600;
  const lunch = { type: 'channel', to, topic: 'lunch', content: 'Soup!', scheduled_delivery_timestamp: at };
  await alice.post('/scheduled_messages', lunch);
  expect(await parley.messages()).toEqual([]);
  await parley.clock.advance(3_600_000);
  await parley.expectMessage({ content: 'Soup!' });
});
