import { Database } from '../../src/platform/database/database.service';
import type { Parameters } from '../support/api-client';
import type { Member } from '../support/cast';
import { createChannel } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { fetchIds, fetchMessage, fetchMessages, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;
let channels = 0;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

/** A new channel of Mia's, with these people beside her. */
function channelWith(members: readonly Member[], options: Parameters = {}): Promise<number> {
  const { mia } = app.cast;
  const principals = [mia, ...members].map(({ id }) => id);
  return createChannel(app, mia, `channel ${++channels}`, { principals, ...options });
}

const react = (member: Member, id: number, emoji: Parameters = { emoji_name: 'tada' }) =>
  app.as(member).post(`/messages/${id}/reactions`, emoji);
const takeBack = (member: Member, id: number, emoji: Parameters = { emoji_name: 'tada' }) =>
  app.as(member).delete(`/messages/${id}/reactions`, emoji);

/** A message of Mia's to a channel that Max is subscribed to as well. */
const message = async () => sendTo(app, app.cast.mia, await channelWith([app.cast.max]), 'soup');

const reactionsOf = async (id: number) => (await fetchMessage(app, app.cast.mia, id)).reactions;

const TADA = { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' };
const exists = { code: 'REACTION_ALREADY_EXISTS' };
const doesNotExist = { code: 'REACTION_DOES_NOT_EXIST' };

describe('A reaction', () => {
  it('is added by name, shown and told [EP18-message_id, EP18-emoji_name, EP18-response, STATE-reaction-add]', async () => {
    const { mia, max } = app.cast;
    const id = await message();
    const events = await app.captureEvents(async () => {
      expect(expectSuccess(await react(max, id))).toEqual({ result: 'success', msg: '' });
    });
    expect(events).toEqual([
      expect.objectContaining({
        event: {
          type: 'reaction',
          op: 'add',
          ...TADA,
          message_id: id,
          user_id: max.id,
          user: { user_id: max.id, email: max.email, full_name: max.fullName },
        },
        audience: [max.id, mia.id],
      }),
    ]);
    await expect(reactionsOf(id)).resolves.toEqual([{ ...TADA, user_id: max.id }]);
  });

  it('is taken back, and told', async () => {
    const { mia, max } = app.cast;
    const id = await message();
    expectSuccess(await react(max, id));
    const events = await app.captureEvents(async () => {
      expectSuccess(await takeBack(max, id, { emoji_code: '1f389', emoji_name: 'no matter' }));
    });
    expect(events).toEqual([
      expect.objectContaining({
        event: {
          type: 'reaction',
          op: 'remove',
          ...TADA,
          message_id: id,
          user_id: max.id,
          user: { user_id: max.id, email: max.email, full_name: max.fullName },
        },
        audience: [max.id, mia.id],
      }),
    ]);
    await expect(reactionsOf(id)).resolves.toEqual([]);
    expectError(await takeBack(max, id), "Reaction doesn't exist.", doesNotExist);
    expectSuccess(await react(max, id));
  });

  it('is there once a person and emoji [EP18-R2, ERR-REACTION_ALREADY_EXISTS, STATE-reaction-repeat, VER-193]', async () => {
    const { mia, max } = app.cast;
    const id = await message();
    expectSuccess(await react(max, id, { emoji_name: '+1' }));
    for (const emoji_name of ['+1', 'thumbs_up']) {
      expectError(await react(max, id, { emoji_name }), 'Reaction already exists.', exists);
    }
    expectSuccess(await react(max, id, { emoji_name: 'tada' }));
    expectSuccess(await react(mia, id, { emoji_name: 'tada' }));
    await expect(reactionsOf(id)).resolves.toMatchObject([
      { emoji_name: '+1', user_id: max.id },
      { emoji_name: 'tada', user_id: max.id },
      { emoji_name: 'tada', user_id: mia.id },
    ]);
  });

  it('is added once by twenty requests at a time', async () => {
    const { max } = app.cast;
    const id = await message();
    let answers: Awaited<ReturnType<typeof react>>[] = [];
    const events = await app.captureEvents(async () => {
      answers = await Promise.all(Array.from({ length: 20 }, () => react(max, id)));
    });
    expect(events).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(19);
    for (const answer of refused) expectError(answer, 'Reaction already exists.', exists);
    await expect(reactionsOf(id)).resolves.toHaveLength(1);
  });

  it('can be found by narrows while there is one, whoever adds and removes at once', async () => {
    const { mia, max } = app.cast;
    const id = await message();
    const narrow = [['has', 'reaction']];
    await expect(fetchIds(app, mia, narrow)).resolves.not.toContain(id);
    for (let round = 0; round < 5; round++) {
      expectSuccess(await react(max, id));
      await Promise.all([react(mia, id), takeBack(max, id)]);
      await expect(fetchIds(app, mia, narrow)).resolves.toContain(id);
      await Promise.all([takeBack(mia, id), takeBack(max, id)]);
      await expect(fetchIds(app, mia, narrow)).resolves.not.toContain(id);
    }
  });

  it('takes the name that others used before, which a client may know the emoji by [EP18-emoji_code]', async () => {
    const { mia, max } = app.cast;
    const id = await message();
    expectSuccess(await react(max, id, { emoji_name: 'thumbs_up' }));
    const again = { emoji_name: 'old_name', emoji_code: '1f44d', reaction_type: 'unicode_emoji' };
    const events = await app.captureEvents(async () => expectSuccess(await react(mia, id, again)));
    expect(events).toMatchObject([{ event: { emoji_name: 'thumbs_up', user_id: mia.id } }]);
    await expect(reactionsOf(id)).resolves.toMatchObject([
      { emoji_name: 'thumbs_up', user_id: max.id },
      { emoji_name: 'thumbs_up', user_id: mia.id },
    ]);
  });

  it('says which parameters it does not know, the ID in the form among them', async () => {
    const id = await message();
    const answer = await react(app.cast.max, id, { ...TADA, message_id: id });
    expectSuccess(answer, { ignored: ['message_id'] });
    expectSuccess(await takeBack(app.cast.max, id, { ...TADA, message_id: id }), { ignored: ['message_id'] });
  });

  it('is shown with every message of a page, in the order in which all were added', async () => {
    const { mia, max, mona } = app.cast;
    const channel = await channelWith([max, mona]);
    const ids = [
      await sendTo(app, mia, channel, 'soup'),
      await sendTo(app, mia, channel, 'soup'),
      await sendTo(app, mia, channel, 'soup'),
    ] as const;
    expectSuccess(await react(mona, ids[2], { emoji_name: 'zulip' }));
    expectSuccess(await react(max, ids[0]));
    expectSuccess(await react(mia, ids[2]));
    const page = expectSuccess(
      await fetchMessages(app, mia, [{ operator: 'channel', operand: channel }]),
    ).messages;
    const shown = page
      .filter(({ id }: { id: number }) => ids.includes(id))
      .map(({ reactions }: { reactions: unknown }) => reactions);
    expect(shown).toEqual([
      [{ ...TADA, user_id: max.id }],
      [],
      [
        { emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: 'zulip_extra_emoji', user_id: mona.id },
        { ...TADA, user_id: mia.id },
      ],
    ]);
    const events = await app.captureEvents(() => sendTo(app, mia, channel, 'soup'));
    const record = events.find(({ event }) => event.type === 'message')?.event.message;
    expect(record.reactions).toEqual([]);
  });
});

describe('An emoji', () => {
  let id: number;

  beforeEach(async () => {
    id = await message();
  });

  it.each([
    ['by its name', { emoji_name: 'octopus' }, ['octopus', '1f419', 'unicode_emoji']],
    ['by an alias', { emoji_name: 'thumbs_up' }, ['thumbs_up', '1f44d', 'unicode_emoji']],
    ['of several code points', { emoji_name: 'flag_us' }, ['flag_us', '1f1fa-1f1f8', 'unicode_emoji']],
    ['with its code', { emoji_name: 'tada', emoji_code: '1f389' }, ['tada', '1f389', 'unicode_emoji']],
    [
      'with its type',
      { emoji_name: 'tada', reaction_type: 'unicode_emoji' },
      ['tada', '1f389', 'unicode_emoji'],
    ],
    ['of neither kind', { emoji_name: 'zulip' }, ['zulip', 'zulip', 'zulip_extra_emoji']],
  ])(
    'is understood %s [RXN-unicode_emoji, RXN-zulip_extra_emoji, EP18-reaction_type, EP18-emoji_name]',
    async (_how, emoji, [emoji_name, emoji_code, reaction_type]) => {
      expectSuccess(await react(app.cast.max, id, emoji));
      await expect(reactionsOf(id)).resolves.toEqual([
        { emoji_name, emoji_code, reaction_type, user_id: app.cast.max.id },
      ]);
    },
  );

  const given = (emoji_name: string, emoji_code: string, reaction_type: string) => ({
    emoji_name,
    emoji_code,
    reaction_type,
  });

  it.each([
    ["Emoji 'nonsense' does not exist", { emoji_name: 'nonsense' }],
    ["Emoji 'nonsense' does not exist", { emoji_name: 'nonsense', emoji_code: '1f389' }],
    ["Emoji 'nonsense' does not exist", { emoji_name: 'nonsense', reaction_type: 'unicode_emoji' }],
    ["Emoji '' does not exist", { emoji_name: '' }],
    ["Emoji 'Zebra' does not exist", { emoji_name: 'Zebra' }],
    ['Invalid emoji code.', given('tada', '1F389', 'unicode_emoji')],
    ['Invalid emoji code.', given('heart', '2764-fe0f', 'unicode_emoji')],
    ['Invalid emoji code.', given('tada', 'zulip', 'unicode_emoji')],
    ['Invalid emoji code.', { emoji_name: 'tada', emoji_code: '1' }],
    ['Invalid emoji name.', given('octopus', '1f389', 'unicode_emoji')],
    ['Invalid emoji name.', given('nonsense', '1f389', 'unicode_emoji')],
    ['Invalid emoji code.', given('tada', 'tada', 'zulip_extra_emoji')],
    ['Invalid emoji name.', given('tada', 'zulip', 'zulip_extra_emoji')],
    ['Invalid custom emoji.', given('tada', '1f389', 'realm_emoji')],
    ['Invalid custom emoji.', given('tada', '9'.repeat(30), 'realm_emoji')],
    ['Invalid emoji type.', given('tada', '1f389', 'emoji')],
    ['Invalid emoji type.', given('tada', '1f389', '')],
  ])('is refused: %s [EP18-R1, ERR-BAD_REQUEST-emoji]', async (refusal, emoji) => {
    expectError(await react(app.cast.max, id, emoji), refusal);
    await expect(reactionsOf(id)).resolves.toEqual([]);
  });

  it('has to be named [EP18-emoji_name]', async () => {
    const missing = { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'emoji_name' } };
    expectError(
      await react(app.cast.max, id, { emoji_code: '1f389' }),
      "Missing 'emoji_name' argument",
      missing,
    );
    expectError(
      await takeBack(app.cast.max, id, {}),
      'At least one of the following arguments must be present: emoji_name, emoji_code',
    );
    expectError(
      await takeBack(app.cast.max, id, { emoji_name: 'nonsense' }),
      "Emoji 'nonsense' does not exist",
    );
  });

  it('of another kind than Unicode is taken back with its type only', async () => {
    const { max } = app.cast;
    expectSuccess(await react(max, id, { emoji_name: 'zulip' }));
    expectError(await takeBack(max, id, { emoji_name: 'zulip' }), "Reaction doesn't exist.", doesNotExist);
    expectSuccess(await takeBack(max, id, { emoji_name: 'zulip', reaction_type: 'zulip_extra_emoji' }));
  });

  it('is looked at after the message is', async () => {
    expectError(await react(app.cast.gus, id, { emoji_name: 'nonsense' }), 'Invalid message(s)');
    expectError(await takeBack(app.cast.gus, id, {}), 'Invalid message(s)');
  });
});

describe('Whoever reacts', () => {
  it('has the message in their history from then on, read and historical', async () => {
    const { mia, mona } = app.cast;
    const channel = await channelWith([]);
    const id = await sendTo(app, mia, channel, 'soup');
    await expect(fetchIds(app, mona, [])).resolves.not.toContain(id);
    expectSuccess(await react(mona, id));
    await expect(fetchIds(app, mona, [])).resolves.toContain(id);
    expect((await fetchMessage(app, mona, id)).flags).toEqual(['read', 'historical']);
    expectSuccess(await takeBack(mona, id));
    await expect(fetchIds(app, mona, [])).resolves.toContain(id);
    await expect(
      app.get(Database).read.query('SELECT user_id FROM message_flag WHERE message_id = ?', [id]),
    ).resolves.toEqual([{ user_id: mona.id }]);
  });

  it('leaves a message that was received as it is', async () => {
    const id = await message();
    expectSuccess(await react(app.cast.max, id));
    expect((await fetchMessage(app, app.cast.max, id)).flags).toEqual([]);
  });

  it('follows the topic if that is how it was set', async () => {
    const { mia, max } = app.cast;
    expectSuccess(await app.as(max).patch('/settings', { automatically_follow_topics_policy: 1 }));
    const channel = await channelWith([max]);
    const id = await sendTo(app, mia, channel, 'soup');
    const events = await app.captureEvents(() => react(max, id));
    expect(events.map(({ event }) => event.type)).toEqual(['muted_topics', 'user_topic', 'reaction']);
    expect(events[1]).toMatchObject({
      event: { stream_id: channel, topic_name: 'soup', visibility_policy: 3 },
      audience: [max.id],
    });
    expectSuccess(await app.as(max).patch('/settings', { automatically_follow_topics_policy: 3 }));
  });
});
