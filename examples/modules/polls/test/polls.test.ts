import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { type Parley, startParley } from 'parley/testing';

const PATH = '/modules/polls';
const HOUR = 3_600;
const options = [
  { emoji: 'pizza', text: 'Pizza' },
  { emoji: ':tea:', text: 'Tea only' },
];

let parley: Parley;
before(async () => {
  parley = await startParley({
    modules: [join(__dirname, '../..')],
    settings: { MODULE_POLLS_MAX_DAYS: '7' },
  });
});
beforeEach(() => parley.reset());
after(() => parley.stop());

interface Poll {
  readonly id: number;
  readonly message_id: number;
  readonly is_closed: boolean;
  readonly options: readonly { readonly emoji: string; readonly votes: number | null }[];
}

async function channelId(name: string): Promise<number> {
  return Number((await parley.as('alice').get('/get_stream_id', { stream: name }))['stream_id']);
}

async function open(who: string, channel: string, more: object = {}): Promise<Poll> {
  const input = {
    channel_id: await channelId(channel),
    topic: 'lunch',
    question: 'What today?',
    options,
    seconds: HOUR,
  };
  return (await parley.as(who).post(PATH, { ...input, ...more }))['poll'] as Poll;
}

async function react(who: string, { message_id }: Poll, emoji_name: string): Promise<void> {
  await parley.as(who).post(`/messages/${message_id}/reactions`, { emoji_name });
}

test('people vote by reacting, and the deadline counts', async () => {
  await parley.clock.stop();
  const bob = parley.as('bob');
  const poll = await open('alice', 'lobby');
  const { id } = poll;
  const asked = await parley.expectMessage({ from: 'alice', channel: 'lobby', topic: 'lunch' });
  assert.match(asked.content, /^\*\*What today\?\*\*\n\n- :pizza: Pizza\n- :tea: Tea only\n\nReact/);
  await react('bob', poll, 'pizza');
  await react('gus', poll, 'pizza');
  await react('mona', poll, 'tea');
  await react('mona', poll, 'tada');
  await parley.clock.advance((HOUR - 1) * 1000);
  assert.equal((await parley.messages()).length, 1);
  await parley.clock.advance(2_000);
  const result = await parley.expectMessage({
    channel: 'lobby',
    topic: 'lunch',
    content: /The poll is over/,
  });
  assert.match(result.content, /- \*\*:pizza: Pizza: 2\*\*\n- :tea: Tea only: 1$/);
  const { polls } = await bob.get(PATH);
  assert.deepEqual((polls as Poll[])[0]?.options, [
    { emoji: 'pizza', text: 'Pizza', votes: 2 },
    { emoji: 'tea', text: 'Tea only', votes: 1 },
  ]);
  const events = (await parley.journal({ type: 'module_polls' })).map(({ event, audience }) => {
    const { op, poll } = event as { op: string; poll: Poll };
    return [op, poll.id, poll.is_closed, (audience as string[]).includes('bob')];
  });
  assert.deepEqual(events, [
    ['open', id, false, true],
    ['close', id, true, true],
  ]);
});

test('who opened a poll closes it, once; and administrators do', async () => {
  const poll = await open('alice', 'lobby');
  await assert.rejects(parley.as('bob').post(`${PATH}/${poll.id}/close`), /Only who opened a poll/);
  await parley.as('adam').post(`${PATH}/${poll.id}/close`);
  await assert.rejects(parley.as('alice').post(`${PATH}/${poll.id}/close`), /This poll is closed already/);
  await parley.clock.advance(2 * HOUR * 1000);
  const results = (await parley.messages()).filter(({ content }) => content.startsWith('The poll is over'));
  assert.equal(results.length, 1);
});

test('polls of a private channel are for those who are in it', async () => {
  const poll = await open('alice', 'secret');
  assert.deepEqual((await parley.as('mona').get(PATH))['polls'], []);
  assert.equal(((await parley.as('bob').get(PATH))['polls'] as Poll[]).length, 1);
  await assert.rejects(parley.as('mona').post(`${PATH}/${poll.id}/close`), /Invalid poll ID/);
  await assert.rejects(open('mona', 'secret'), /Invalid channel ID/);
});

test('a poll goes with its message, and where that goes', async () => {
  const [gone, moved] = [
    await open('alice', 'lobby'),
    await open('alice', 'lobby', { question: 'And now?' }),
  ];
  await parley.as('olivia').delete(`/messages/${gone.message_id}`);
  await parley
    .as('olivia')
    .patch(`/messages/${moved.message_id}`, { topic: 'food', propagate_mode: 'change_one' });
  await parley.clock.advance(2 * HOUR * 1000);
  await parley.expectMessage({ channel: 'lobby', topic: 'food', content: /The poll is over: \*\*And now\?/ });
  assert.deepEqual(
    ((await parley.as('alice').get(PATH))['polls'] as Poll[]).map(({ id }) => id),
    [moved.id],
  );
});

test('what makes no poll is refused', async () => {
  await assert.rejects(open('alice', 'lobby', { options: options.slice(0, 1) }), /at least two options/);
  await assert.rejects(open('alice', 'lobby', { options: [options[0], options[0]] }), /emoji of its own/);
  await assert.rejects(
    open('alice', 'lobby', { options: [{ emoji: 'a b', text: 'x' }, options[0]] }),
    /Name an emoji/,
  );
  await assert.rejects(open('alice', 'lobby', { seconds: 8 * 24 * HOUR }), /at most 7 days/);
  await assert.rejects(open('alice', 'lobby', { options: 'pizza' }), /options/);
  assert.deepEqual(await parley.messages(), []);
});
