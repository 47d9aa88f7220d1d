import { check, topicOf } from '../check';
import {
  absent,
  boolean,
  expectThat,
  list,
  listWith,
  listWithout,
  number,
  object,
  text,
} from '../expectations';
import type { Scene } from '../scene';

const PAGE = { anchor: 'newest', num_before: 50, num_after: 0 };

/** IDs of the messages that a narrow gives. */
async function idsIn({ owner }: Scene, narrow: readonly object[], page: object = PAGE): Promise<number[]> {
  const { messages } = await owner.client.ok('GET /messages', { ...page, narrow });
  return (messages as { id: number }[]).map(({ id }) => id);
}

/** A check that a narrow finds one message and does not find another. */
function finds(
  operator: string,
  make: (scene: Scene) => Promise<{ operand: unknown; found: number; other?: number }>,
  since?: number,
) {
  return check(
    `narrows by ${operator}`,
    'Clients show views by it.',
    async (scene) => {
      const { operand, found, other } = await make(scene);
      const name = operator.split(':')[0];
      const ids = await idsIn(scene, [{ operator: name, operand }]);
      expectThat(`messages with ${operator}`, ids, listWith(found));
      if (other !== undefined) expectThat(`messages with ${operator}`, ids, listWithout(other));
    },
    { since },
  );
}

/** Fetching messages: ranges, narrows, single ones. */
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
  check('refuses an operator that there is not', 'Clients say so in the search field.', async ({ owner }) => {
    await owner.client.refused(
      'GET /messages',
      { ...PAGE, narrow: [{ operator: 'mood', operand: 'good' }] },
      400,
      'BAD_NARROW',
    );
  }),
  finds('channel', async (scene) => ({ operand: scene.channel.id, found: await scene.send('x') }), 250),
  finds('stream', async (scene) => ({ operand: scene.channel.name, found: await scene.send('x') })),
  finds('topic', async (scene) => {
    const topic = scene.word();
    return { operand: topic, found: await scene.send('x', { topic }), other: await scene.send('x') };
  }),
  finds('sender', async (scene) => ({
    operand: scene.bot.id,
    found: await scene.send('x', { by: scene.bot }),
    other: await scene.send('x'),
  })),
  finds('id', async (scene) => {
    const found = await scene.send('x');
    return { operand: found, found, other: await scene.send('x') };
  }),
  finds('is:starred', async (scene) => {
    const [found, other] = [await scene.send('x'), await scene.send('x')];
    await scene.owner.client.ok('POST /messages/flags', { messages: [found], op: 'add', flag: 'starred' });
    return { operand: 'starred', found, other };
  }),
  finds('is:mentioned', async (scene) => {
    const found = await scene.send(`@**${scene.owner.name}|${scene.owner.id}**`, { by: scene.bot });
    return { operand: 'mentioned', found, other: await scene.send('x') };
  }),
  finds('is:dm', async (scene) => {
    const { id } = await scene.owner.client.ok('POST /messages', {
      type: 'direct',
      to: [scene.bot.id],
      content: 'x',
    });
    return { operand: 'dm', found: Number(id), other: await scene.send('x') };
  }),
  finds('dm', async (scene) => {
    const { id } = await scene.owner.client.ok('POST /messages', {
      type: 'direct',
      to: [scene.bot.id],
      content: 'x',
    });
    return { operand: [scene.bot.id], found: Number(id), other: await scene.send('x') };
  }),
  finds('has:link', async (scene) => ({
    operand: 'link',
    found: await scene.send('https://example.com/x'),
    other: await scene.send('x'),
  })),
  finds(
    'has:reaction',
    async (scene) => {
      const [found, other] = [await scene.send('x'), await scene.send('x')];
      await scene.owner.client.ok(`POST /messages/${found}/reactions`, { emoji_name: 'tada' });
      return { operand: 'reaction', found, other };
    },
    249,
  ),
  finds('search', async (scene) => {
    const word = scene.word();
    return { operand: word, found: await scene.send(`find ${word} here`), other: await scene.send('x') };
  }),
  check('marks what was searched for', 'Clients highlight it.', async (scene) => {
    const word = scene.word();
    const id = await scene.send(`find ${word} here`);
    const { messages } = await scene.owner.client.ok('GET /messages', {
      ...PAGE,
      narrow: [{ operator: 'search', operand: word }],
    });
    expectThat(
      'messages',
      messages,
      listWith({ id, match_content: /<span class="highlight">/, match_subject: text }),
    );
  }),
  check('negates a narrow', 'Clients write a minus before it.', async (scene) => {
    const id = await scene.send('x', { by: scene.bot });
    expectThat(
      'messages',
      await idsIn(scene, [{ operator: 'sender', operand: scene.bot.id, negated: true }]),
      listWithout(id),
    );
  }),
  check('combines narrows', 'All have to hold.', async (scene) => {
    const topic = scene.word();
    const [own, other] = [await scene.send('x', { topic }), await scene.send('x', { topic, by: scene.bot })];
    const ids = await idsIn(scene, [
      { operator: 'topic', operand: topic },
      { operator: 'sender', operand: scene.owner.id },
    ]);
    expectThat('messages', ids, listWith(own));
    expectThat('messages', ids, listWithout(other));
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
  check('refuses direct messages to others', 'They are between those who wrote them.', async (scene) => {
    const { id } = await scene.owner.client.ok('POST /messages', {
      type: 'direct',
      to: [scene.owner.id],
      content: 'a note',
    });
    await scene.bot.client.refused(`GET /messages/${Number(id)}`, {}, 400, 'BAD_REQUEST');
  }),
  check(
    'says which messages fit a narrow',
    'Clients ask it of new messages that they cannot judge.',
    async (scene) => {
      const [found, other] = [await scene.send(scene.word()), await scene.send('x')];
      const { raw_content: word } = await scene.owner.client.ok(`GET /messages/${found}`);
      const { messages } = await scene.owner.client.ok('GET /messages/matches_narrow', {
        msg_ids: [found, other],
        narrow: [{ operator: 'search', operand: word }],
      });
      expectThat(
        'messages',
        messages,
        (value: unknown) =>
          object(value) && String(found) in (value as object) && !(String(other) in (value as object)),
      );
    },
  ),
);
