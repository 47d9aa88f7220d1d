import { check, topicOf } from '../check';
import { absent, boolean, expectThat, list, listWith, number } from '../expectations';

import { idsIn, PAGE } from '../scene';

/** Fetching messages: ranges and single ones. */
export const FETCHING = topicOf(
  'fetching messages',
  check('gives the newest', 'Clients begin at the end.', async (scene) => {
    const id = await scene.send('newest');
    expectThat('GET /messages', await scene.owner.client.ok('GET /messages', { ...PAGE, num_before: 3 }), {
      messages: listWith({ id }),
      found_newest: true,
      found_oldest: boolean,
      found_anchor: boolean,
      history_limited: boolean,
      anchor: number,
    });
  }),
  check('gives messages in the order of their IDs', 'Clients rely on it.', async (scene) => {
    for (const content of ['1', '2', '3']) await scene.send(content);
    const ids = await idsIn(scene, []);
    expectThat('IDs', ids.join(), ids.toSorted((a, b) => a - b).join());
  }),
  check('gives those around an anchor', 'The anchor is among them.', async (scene) => {
    const topic = scene.word();
    const sent = [
      await scene.send('1', { topic }),
      await scene.send('2', { topic }),
      await scene.send('3', { topic }),
    ];
    const ids = await idsIn(scene, [{ operator: 'topic', operand: topic }], {
      anchor: sent[1],
      num_before: 1,
      num_after: 1,
    });
    expectThat('IDs', ids.join(), sent.join());
  }),
  check('leaves the anchor out where it is asked to', 'Clients ask for the page after.', async (scene) => {
    const topic = scene.word();
    const [first, second] = [await scene.send('1', { topic }), await scene.send('2', { topic })];
    const page = { anchor: second, num_before: 5, num_after: 0, include_anchor: false };
    expectThat(
      'IDs',
      (await idsIn(scene, [{ operator: 'topic', operand: topic }], page)).join(),
      String(first),
    );
  }),
  check('begins at the oldest', 'It says that there is nothing before.', async ({ owner }) => {
    expectThat(
      'GET /messages',
      await owner.client.ok('GET /messages', { anchor: 'oldest', num_before: 0, num_after: 1 }),
      { messages: list, found_oldest: true },
    );
  }),
  check('says that an anchor is not there', 'It is somewhere else then.', async (scene) => {
    const topic = scene.word();
    const elsewhere = await scene.send('x');
    await scene.send('x', { topic });
    const narrow = [{ operator: 'topic', operand: topic }];
    const answer = await scene.owner.client.ok('GET /messages', {
      anchor: elsewhere,
      num_before: 1,
      num_after: 1,
      narrow,
    });
    expectThat('GET /messages', answer, { found_anchor: false });
  }),
  check('refuses more messages than it gives at once', 'Clients page.', async ({ owner }) => {
    await owner.client.refused('GET /messages', { anchor: 'newest', num_before: 5_001, num_after: 0 });
  }),
  check('refuses an anchor that is none', 'It is an error of the request.', async ({ owner }) => {
    await owner.client.refused('GET /messages', { anchor: 'yesterday', num_before: 1, num_after: 0 });
  }),
  check(
    'gives messages by their IDs',
    'Those that cannot be read are left out.',
    async (scene) => {
      const ids = [await scene.send('x'), await scene.send('y')];
      const { messages } = await scene.owner.client.ok('GET /messages', {
        message_ids: [...ids, 2_000_000_000],
      });
      expectThat('messages', (messages as { id: number }[]).map(({ id }) => id).join(), ids.join());
    },
    { since: 300 },
  ),
  check('gives a single message, with its Markdown', 'Clients quote it.', async (scene) => {
    const id = await scene.send('**x**');
    expectThat('GET /messages/…', await scene.owner.client.ok(`GET /messages/${id}`), {
      message: { id, reactions: list, edit_history: absent },
      raw_content: '**x**',
    });
  }),
  check('refuses a message that there is not', 'It is an error of the request.', async ({ owner }) => {
    await owner.client.refused('GET /messages/2000000000', {}, 400, 'BAD_REQUEST');
  }),
  check(
    'refuses messages of private channels to others',
    'They are answered as if there were none.',
    async (scene) => {
      const { name } = await scene.makeChannel({ invite_only: true });
      const { id } = await scene.owner.client.ok('POST /messages', {
        type: 'stream',
        to: name,
        topic: 'x',
        content: 'secret',
      });
      await scene.bot.client.refused(`GET /messages/${Number(id)}`, {}, 400, 'BAD_REQUEST');
    },
  ),
  check('refuses direct messages to others', 'They are private to the conversation.', async (scene) => {
    const { id } = await scene.owner.client.ok('POST /messages', {
      type: 'direct',
      to: [scene.owner.id],
      content: `a note ${scene.word()}`,
    });
    await scene.bot.client.refused(`GET /messages/${Number(id)}`, {}, 400, 'BAD_REQUEST');
  }),
);
