import { check, topicOf } from '../check';
import { absent, expectThat, listWith, listWithout, object, text } from '../expectations';
import { type Scene, idsIn, PAGE, PICTURE } from '../scene';

/** A check that a narrow matches one message and excludes another. */
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
      await scene.eventually(async () => {
        const ids = await idsIn(scene, [{ operator: name, operand }]);
        expectThat(`messages with ${operator}`, ids, listWith(found));
        if (other !== undefined) expectThat(`messages with ${operator}`, ids, listWithout(other));
      });
    },
    { since },
  );
}

/** A message in the channel of the run, and one in another channel. */
function inChannel(operandOf: (channel: Scene['channel']) => unknown) {
  return async (scene: Scene) => {
    const { name } = await scene.makeChannel();
    const { id } = await scene.owner.client.ok('POST /messages', {
      type: 'stream',
      to: name,
      topic: 'x',
      content: 'x',
    });
    return { operand: operandOf(scene.channel), found: await scene.send('x'), other: Number(id) };
  };
}

/** Narrows: what each operator matches and excludes. */
export const NARROWS = topicOf(
  'narrows',
  check('refuses an operator that there is not', 'Clients say so in the search field.', async ({ owner }) => {
    await owner.client.refused(
      'GET /messages',
      { ...PAGE, narrow: [{ operator: 'mood', operand: 'good' }] },
      400,
      'BAD_NARROW',
    );
  }),
  finds(
    'channel',
    inChannel(({ id }) => id),
    250,
  ),
  finds(
    'stream',
    inChannel(({ name }) => name),
  ),
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
    const found = await scene.tell([scene.bot.id], 'x');
    return { operand: 'dm', found, other: await scene.send('x') };
  }),
  finds('dm', async (scene) => {
    const found = await scene.tell([scene.bot.id], 'x');
    return { operand: [scene.bot.id], found, other: await scene.send('x') };
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
    await scene.eventually(async () => {
      const { messages } = await scene.owner.client.ok('GET /messages', {
        ...PAGE,
        narrow: [{ operator: 'search', operand: word }],
      });
      expectThat(
        'messages',
        messages,
        listWith({
          id,
          match_content: new RegExp(`<span class="highlight">${word}</span>`),
          match_subject: text,
        }),
      );
    });
  }),
  check('negates a narrow', 'Clients write a minus before it.', async (scene) => {
    const id = await scene.send('x', { by: scene.bot });
    const own = await scene.send('x');
    const ids = await idsIn(scene, [{ operator: 'sender', operand: scene.bot.id, negated: true }]);
    expectThat('messages', ids, listWith(own));
    expectThat('messages', ids, listWithout(id));
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
  finds('is:unread', async (scene) => {
    const [found, other] = [
      await scene.send('x', { by: scene.bot }),
      await scene.send('x', { by: scene.bot }),
    ];
    await scene.owner.client.ok('POST /messages/flags', { messages: [other], op: 'add', flag: 'read' });
    return { operand: 'unread', found, other };
  }),
  finds('is:resolved', async (scene) => ({
    operand: 'resolved',
    found: await scene.send('x', { topic: `✔ ${scene.word()}` }),
    other: await scene.send('x'),
  })),
  finds(
    'is:followed',
    async (scene) => {
      const topic = scene.word();
      const other = await scene.send('x', { topic: scene.word(), by: scene.bot });
      const found = await scene.send('x', { topic, by: scene.bot });
      const policy = { stream_id: scene.channel.id, topic };
      await scene.owner.client.ok('POST /user_topics', { ...policy, visibility_policy: 3 });
      scene.later('POST /user_topics', { ...policy, visibility_policy: 0 });
      return { operand: 'followed', found, other };
    },
    265,
  ),
  finds('dm-including', async (scene) => ({
    operand: scene.bot.id,
    found: await scene.tell([scene.bot.id], 'x'),
    other: await scene.send('x'),
  })),
  finds('has:attachment', async (scene) => {
    const { body } = await scene.owner.client.upload(
      'POST /user_uploads',
      `${scene.word()}.txt`,
      Buffer.from('hello'),
      'text/plain',
    );
    const found = await scene.send(`[a file](${String(body['uri'])})`);
    return { operand: 'attachment', found, other: await scene.send('x') };
  }),
  finds('has:image', async (scene) => {
    const { body } = await scene.owner.client.upload(
      'POST /user_uploads',
      `${scene.word()}.png`,
      PICTURE,
      'image/png',
    );
    const found = await scene.send(`[a picture](${String(body['uri'])})`);
    return { operand: 'image', found, other: await scene.send('x') };
  }),
  finds(
    'channels:public',
    async (scene) => {
      const { name } = await scene.makeChannel({ invite_only: true });
      const found = await scene.send('x');
      const { id } = await scene.owner.client.ok('POST /messages', {
        type: 'stream',
        to: name,
        topic: 'x',
        content: 'x',
      });
      return { operand: 'public', found, other: Number(id) };
    },
    250,
  ),
  finds(
    'with',
    async (scene) => {
      const topic = scene.word();
      const [found, other] = [await scene.send('x', { topic }), await scene.send('x')];
      await scene.owner.client.ok(`PATCH /messages/${found}`, {
        topic: `${topic} b`,
        propagate_mode: 'change_all',
        send_notification_to_new_thread: false,
      });
      return { operand: found, found, other };
    },
    271,
  ),
  check('searches for several words at once', 'All of them have to be there.', async (scene) => {
    const [one, two] = [scene.word(), scene.word()];
    const [both, single] = [await scene.send(`${two} and ${one}`), await scene.send(one)];
    await scene.eventually(async () => {
      const ids = await idsIn(scene, [{ operator: 'search', operand: `${one} ${two}` }]);
      expectThat('messages', ids, listWith(both));
      expectThat('messages', ids, listWithout(single));
    });
  }),
  check('searches for phrases', 'Words in quotation marks follow each other.', async (scene) => {
    const [one, two] = [scene.word(), scene.word()];
    const [phrase, words] = [await scene.send(`${one} ${two}`), await scene.send(`${two} x ${one}`)];
    await scene.eventually(async () => {
      const ids = await idsIn(scene, [{ operator: 'search', operand: `"${one} ${two}"` }]);
      expectThat('messages', ids, listWith(phrase));
      expectThat('messages', ids, listWithout(words));
    });
  }),
  check(
    'refuses a narrow to a channel that there is not',
    'The link that led there is old.',
    async (scene) => {
      const narrow = [{ operator: 'stream', operand: scene.word() }];
      await scene.owner.client.refused('GET /messages', { ...PAGE, narrow }, 400, 'BAD_NARROW');
    },
  ),
  check('refuses a narrow to an unknown user', 'Unknown users match no one.', async (scene) => {
    const narrow = [{ operator: 'sender', operand: `${scene.word()}@example.com` }];
    await scene.owner.client.refused('GET /messages', { ...PAGE, narrow }, 400, 'BAD_NARROW');
  }),
  check(
    'says which messages fit a narrow',
    'Clients ask it of new messages that they cannot judge.',
    async (scene) => {
      const [found, other] = [await scene.send(scene.word()), await scene.send('x')];
      const { raw_content: word } = await scene.owner.client.ok(`GET /messages/${found}`);
      await scene.eventually(async () => {
        const { messages } = await scene.owner.client.ok('GET /messages/matches_narrow', {
          msg_ids: [found, other],
          narrow: [{ operator: 'search', operand: word }],
        });
        expectThat('messages', messages, { [String(found)]: object, [String(other)]: absent });
      });
    },
  ),
);
