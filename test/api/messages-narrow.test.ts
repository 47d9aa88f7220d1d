import type { Member } from '../support/cast';
import { createChannel, createGroup } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { fetchIds, fetchMessages, sendDirect, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;
let kitchen: number;
/** Messages by what they are. */
const sent: Record<string, number> = {};

beforeAll(async () => {
  app = await TestApp.start();
  const { mia, max, mona, adam, robo } = app.cast;
  kitchen = await createChannel(app, mia, 'kitchen', { principals: [mia.id, max.id, robo.id] });
  await createChannel(app, max, 'garden', { principals: [max.id, mia.id] });
  await createChannel(app, adam, 'board', { invite_only: true, principals: [adam.id] });
  const group = await createGroup(app, 'cooks', [mia.id]);
  await app.writeRows(async (tx) => {
    await tx.query(
      "UPDATE user_group SET can_mention_group = (SELECT id FROM user_group WHERE name = 'role:everyone')",
    );
    tx.touch('groups', [group]);
  });
  sent.soup = await sendTo(app, max, 'kitchen', 'Soup', 'warm https://example.com/soup');
  sent.soupAgain = await sendTo(app, mia, 'kitchen', 'soup', 'cold', { read_by_sender: true });
  sent.empty = await sendTo(app, max, 'kitchen', '', 'nothing said');
  sent.resolved = await sendTo(app, max, 'kitchen', '✔ dishes', 'done');
  sent.roses = await sendTo(app, max, 'garden', 'soup', 'roses');
  sent.mention = await sendTo(app, max, 'garden', 'help', '@**Mia Member** come');
  sent.wildcard = await sendTo(app, max, 'kitchen', 'help', '@**all** come');
  sent.group = await sendTo(app, max, 'kitchen', 'help', '@*cooks* come');
  sent.image = await sendTo(app, max, 'kitchen', 'pictures', '![cake](https://example.com/cake.png)');
  sent.two = await sendDirect(app, max, [mia], 'just us');
  sent.three = await sendDirect(app, max, [mia, mona], 'three of us');
  sent.self = await sendDirect(app, mia, [mia], 'note');
  sent.board = await sendTo(app, adam, 'board', 'secret', 'budget');
});

afterAll(() => app.stop());

const found = async (narrow: unknown[], reader: Member = app.cast.mia) => {
  const ids = await fetchIds(app, reader, narrow);
  return ids.map((id) => Object.keys(sent).find((name) => sent[name] === id) ?? id);
};

const term = (operator: string, operand: unknown, negated?: boolean) => ({ operator, operand, negated });

const expectRefused = async (narrow: unknown[], desc: string) =>
  expectError(await fetchMessages(app, app.cast.mia, narrow), `Invalid narrow operator: ${desc}`, {
    code: 'BAD_NARROW',
    data: { desc },
  });

const inKitchen = ['soup', 'soupAgain', 'empty', 'resolved', 'wildcard', 'group', 'image'];
const direct = ['two', 'three', 'self'];

describe('terms about channels', () => {
  it('find channels by name and ID, in either form and under either name', async () => {
    await expect(found([['stream', 'KITCHEN']])).resolves.toEqual(inKitchen);
    await expect(found([term('channel', kitchen)])).resolves.toEqual(inKitchen);
    await expect(found([term('channel', 'kitchen', true)])).resolves.not.toContain('soup');
    await expect(found([term('channel', 'kitchen', true)])).resolves.toEqual(
      expect.arrayContaining(['roses', ...direct]),
    );
  });

  it('find kinds of channels', async () => {
    await expect(found([term('channels', 'public')])).resolves.toEqual(
      expect.arrayContaining([...inKitchen, 'roses', 'mention']),
    );
    await expect(found([term('channels', 'public')])).resolves.not.toContain('two');
    await expect(found([term('streams', 'web-public')])).resolves.toEqual([]);
    await expect(found([term('channels', 'archived')])).resolves.toEqual([]);
  });

  it('find what is in archived channels', async () => {
    const { mia, max } = app.cast;
    const attic = await createChannel(app, mia, 'attic', { principals: [mia.id, max.id] });
    sent.attic = await sendTo(app, max, 'attic', 'dust', 'old');
    expectSuccess(await app.as(app.cast.adam).delete(`/streams/${attic}`));
    const archived = await fetchIds(app, mia, [term('channels', 'archived'), term('sender', max.id)]);
    expect(archived).toEqual([sent.attic]);
    await expect(found([term('channels', 'archived', true), term('topic', 'dust')])).resolves.toEqual([]);
    await expect(found([term('channels', 'archived')], app.cast.mona)).resolves.toEqual([]);
  });

  it('find topics whose names have quotes, backslashes, braces and commas', async () => {
    const name = String.raw`say "NULL", \"{a,b}\ or 'c' %_ é🍲`;
    const id = await sendTo(app, app.cast.max, 'garden', name, 'odd');
    await expect(found([term('topic', name)])).resolves.toEqual([id]);
    await expect(found([term('topic', 'NULL')])).resolves.toEqual([]);
    expectSuccess(await app.as(app.cast.adam).delete(`/messages/${id}`));
  });

  it('find topics in any case, the empty one by its display name', async () => {
    await expect(found([term('channel', kitchen), term('topic', 'SOUP')])).resolves.toEqual([
      'soup',
      'soupAgain',
    ]);
    await expect(found([term('topic', 'soup')])).resolves.toEqual(['soup', 'soupAgain', 'roses']);
    await expect(found([term('topic', 'general chat')])).resolves.toEqual(['empty']);
    await expect(found([term('channel', kitchen), term('topic', 'soup', true)])).resolves.toEqual(
      inKitchen.slice(2),
    );
    await expect(found([term('topic', 'unheard of')])).resolves.toEqual([]);
  });

  it('find what is resolved', async () => {
    await expect(found([term('is', 'resolved')])).resolves.toEqual(['resolved']);
    await expect(found([term('channel', kitchen), term('is', 'resolved', true)])).resolves.not.toContain(
      'resolved',
    );
  });

  it('name what they do not know', async () => {
    await expectRefused([term('channel', 'nowhere')], 'unknown channel nowhere');
    await expectRefused([term('channel', 99_999)], 'unknown channel 99999');
    await expectRefused([term('channels', 'all')], 'unknown channels operand all');
  });
});

describe('terms about people', () => {
  it('find senders', async () => {
    await expect(found([term('sender', 'MAX@example.com'), term('topic', 'soup')])).resolves.toEqual([
      'soup',
      'roses',
    ]);
    await expect(found([term('sender', app.cast.mia.id)])).resolves.toEqual(['soupAgain', 'self']);
    await expectRefused([term('sender', 'x@example.com')], 'unknown user x@example.com');
  });

  it('find conversations, with or without naming oneself', async () => {
    const { mia, max, mona } = app.cast;
    await expect(found([term('dm', [max.id])])).resolves.toEqual(['two']);
    await expect(found([term('pm-with', `${max.email}, ${mona.email}`)])).resolves.toEqual(['three']);
    await expect(found([term('dm', [mia.id, max.id])])).resolves.toEqual(['two']);
    await expect(found([term('dm', mia.email)])).resolves.toEqual(['self']);
    await expect(found([term('dm', [mona.id])])).resolves.toEqual([]);
    await expectRefused([term('dm', 'x@example.com')], 'unknown user in x@example.com');
  });

  it('find conversations that include somebody', async () => {
    const { max, mona } = app.cast;
    await expect(found([term('dm-including', max.id)])).resolves.toEqual(['two', 'three']);
    await expect(found([term('dm-including', [max.id, mona.id])])).resolves.toEqual(['three']);
    await expect(found([term('group-pm-with', max.email)])).resolves.toEqual(['three']);
    await expect(found([term('is', 'dm')])).resolves.toEqual(direct);
    await expect(found([['is', 'private']])).resolves.toEqual(direct);
    await expect(found([term('is', 'dm', true)])).resolves.not.toContain('two');
  });

  it('find who is mentioned', async () => {
    await expect(found([term('mentions', app.cast.mia.id)])).resolves.toEqual(['mention', 'group']);
    await expect(found([term('mentions', app.cast.max.email)])).resolves.toEqual([]);
  });
});

describe('terms about messages', () => {
  it('find one by its ID, and take note of a place', async () => {
    await expect(found([term('id', sent.roses)])).resolves.toEqual(['roses']);
    await expect(found([term('id', sent.board)])).resolves.toEqual([]);
    await expect(found([term('channel', kitchen), term('near', sent.soup)])).resolves.toEqual(inKitchen);
    await expectRefused([term('id', 'x')], 'Invalid message ID');
  });

  it('find what they hold', async () => {
    await expect(found([term('has', 'link')])).resolves.toEqual(expect.arrayContaining(['soup']));
    await expect(found([term('has', 'image')])).resolves.toEqual(['image']);
    await expect(found([term('has', 'attachment')])).resolves.toEqual([]);
    await expect(found([term('has', 'reaction')])).resolves.toEqual([]);
    expectSuccess(
      await app.as(app.cast.mia).post(`/messages/${sent.soupAgain}/reactions`, { emoji_name: 'tada' }),
    );
    await expect(found([term('has', 'reaction')])).resolves.toEqual(['soupAgain']);
    await expect(found([term('has', 'reaction', true), term('topic', 'soup')])).resolves.toEqual([
      'soup',
      'roses',
    ]);
    await expect(found([term('has', 'link', true), term('topic', 'soup')])).resolves.toEqual([
      'soupAgain',
      'roses',
    ]);
    await expectRefused([term('has', 'hope')], "unknown 'has' operand hope");
  });
});

describe('terms about oneself', () => {
  it('find mentions of every kind', async () => {
    await expect(found([term('is', 'mentioned')])).resolves.toEqual(['mention', 'wildcard', 'group']);
    await expect(found([term('is', 'mentioned'), term('channel', kitchen)])).resolves.toEqual([
      'wildcard',
      'group',
    ]);
    await expect(found([term('is', 'mentioned')], app.cast.max)).resolves.toEqual(['wildcard']);
    await expect(found([term('channel', kitchen), term('is', 'mentioned', true)])).resolves.toEqual(
      inKitchen.filter((name) => !['wildcard', 'group'].includes(name)),
    );
  });

  it('find what is unread and what is read', async () => {
    await expect(found([term('is', 'unread'), term('topic', 'soup')])).resolves.toEqual(['soup', 'roses']);
    await expect(found([term('is', 'unread', true), term('topic', 'soup')])).resolves.toEqual(['soupAgain']);
    await expect(found([term('is', 'unread')])).resolves.toEqual(expect.arrayContaining(['two', 'mention']));
  });

  it('find what is starred or holds an alert word', async () => {
    const { mia, max } = app.cast;
    await expect(found([term('is', 'starred')])).resolves.toEqual([]);
    await expect(found([term('is', 'alerted')])).resolves.toEqual([]);
    expectSuccess(
      await app
        .as(mia)
        .post('/messages/flags', { messages: [sent.roses, sent.two], op: 'add', flag: 'starred' }),
    );
    expectSuccess(await app.as(mia).post('/users/me/alert_words', { alert_words: ['tulips'] }));
    sent.tulips = await sendTo(app, max, 'garden', 'flowers', 'tulips and roses');
    await expect(found([term('is', 'starred')])).resolves.toEqual(['roses', 'two']);
    await expect(found([term('is', 'starred'), term('is', 'dm', true)])).resolves.toEqual(['roses']);
    await expect(found([term('topic', 'soup'), term('is', 'starred', true)])).resolves.not.toContain('roses');
    await expect(found([term('is', 'alerted')])).resolves.toEqual(['tulips']);
    await expect(found([term('is', 'alerted')], max)).resolves.toEqual([]);
    await expect(found([term('topic', 'flowers'), term('is', 'alerted', true)])).resolves.toEqual([]);
  });

  it('find what is followed, and leave out what is muted', async () => {
    const { mia } = app.cast;
    const topic = (name: string, policy: number) =>
      app
        .as(mia)
        .post('/user_topics', { stream_id: kitchen, topic: name, visibility_policy: policy })
        .then(expectSuccess);
    await topic('soup', 3);
    await topic('help', 1);
    await expect(found([term('is', 'followed')])).resolves.toEqual(['soup', 'soupAgain', 'mention']);
    await expect(found([term('is', 'muted')])).resolves.toEqual(['wildcard', 'group']);
    await expect(found([term('in', 'home'), term('channel', kitchen)])).resolves.toEqual(
      inKitchen.filter((name) => !['wildcard', 'group'].includes(name)),
    );
    await app.as(mia).patch(`/users/me/subscriptions/${kitchen}`, { property: 'is_muted', value: true });
    await expect(found([term('in', 'home')])).resolves.toEqual(
      expect.arrayContaining(['soup', 'soupAgain', 'roses', ...direct]),
    );
    await expect(found([term('in', 'home')])).resolves.not.toContain('empty');
    await expect(found([term('in', 'all')])).resolves.toContain('empty');
    await expect(found([term('is', 'muted')])).resolves.toEqual([
      'empty',
      'resolved',
      'wildcard',
      'group',
      'image',
    ]);
    await app.as(mia).patch(`/users/me/subscriptions/${kitchen}`, { property: 'is_muted', value: false });
    await topic('soup', 0);
    await topic('help', 0);
  });
});

describe('a term that leads to a conversation', () => {
  it('replaces those that named another one', async () => {
    await expect(
      found([term('channel', 'garden'), term('topic', 'old'), term('with', sent.soup)]),
    ).resolves.toEqual(['soup', 'soupAgain']);
    await expect(found([term('dm', [app.cast.mona.id]), term('with', String(sent.three))])).resolves.toEqual([
      'three',
    ]);
  });

  it('steps back where its message is out of reach', async () => {
    await expect(
      found([term('channel', kitchen), term('topic', 'soup'), term('with', sent.board)]),
    ).resolves.toEqual(['soup', 'soupAgain']);
    await expectRefused([term('channel', kitchen), term('with', sent.board)], "Invalid 'with' operator");
    await expectRefused([term('with', 99_999)], "Invalid 'with' operator");
  });
});

it('of nothing finds all that the reader received', async () => {
  await expect(found([])).resolves.toEqual(
    expect.arrayContaining([...inKitchen, 'roses', 'mention', ...direct]),
  );
  await expect(found([])).resolves.not.toContain('board');
  await expect(found([], app.cast.mona)).resolves.toContain('three');
  await expect(found([], app.cast.mona)).resolves.not.toContain('soup');
});

it('that contradicts itself is refused', async () => {
  await expectRefused(
    [term('channel', kitchen), term('is', 'dm')],
    'No message can be both a channel message and direct message',
  );
});
