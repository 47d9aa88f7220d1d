import { GroupDirectory } from '../../src/features/user-groups/groups/group.directory';
import type { Member } from '../support/cast';
import { changeAccount } from '../support/account-setup';
import { changeChannel, createChannel, createGroup } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { fetchMessage, fetchMessages, sendTo } from '../support/message-setup';
import { addBot } from '../support/permissions/actors';
import { TestApp } from '../support/test-app';
import type { Parameters } from '../support/api-client';

let app: TestApp;
let channel: number;

beforeAll(async () => {
  app = await TestApp.start();
  const { mia, max, robo } = app.cast;
  channel = await createChannel(app, mia, 'lunch', { principals: [mia.id, max.id, robo.id] });
});

afterAll(() => app.stop());

const send = (who: Member, parameters: Parameters) =>
  app
    .as(who)
    .post('/messages', { type: 'channel', to: 'lunch', topic: 'soup', content: 'hello', ...parameters });

const only = (...members: Member[]) => ({
  direct_members: members.map(({ id }) => id),
  direct_subgroups: [],
});

/** Sets a permission of the test channel. */
const permit = (id: number, setting: string, value: unknown) =>
  app.as(app.cast.olivia).patch(`/streams/${id}`, { [setting]: { new: value } });

describe('permission to post', () => {
  it('is what the sending group of the channel says, and for a bot also what it says of the owner', async () => {
    const { mia, max, robo, adam } = app.cast;
    const id = await createChannel(app, mia, 'board', { principals: [mia.id, max.id, adam.id] });
    expectSuccess(await permit(id, 'can_send_message_group', only(mia)));
    expectSuccess(await send(mia, { to: id }));
    expectSuccess(await send(robo, { to: id }));
    expectError(await send(max, { to: id }), 'You do not have permission to post in this channel.');
    expectError(await send(adam, { to: id }), 'You do not have permission to post in this channel.');
  });

  it('ends with the archiving of a channel', async () => {
    const { mia } = app.cast;
    const id = await createChannel(app, mia, 'attic');
    await changeChannel(app, id, { is_archived: true });
    expectError(await send(mia, { to: id }), "Not authorized to send to channel 'attic'");
  });

  it('of a private channel takes a subscription, or access that opens its history', async () => {
    const { mia, max, olivia, robo } = app.cast;
    const protectedId = await createChannel(app, mia, 'safe', {
      invite_only: true,
      can_subscribe_group: only(mia, max),
    });
    const sharedId = await createChannel(app, mia, 'club', {
      invite_only: true,
      history_public_to_subscribers: true,
      can_subscribe_group: only(mia, max),
    });
    const refusal = (name: string) => `Not authorized to send to channel '${name}'`;
    expectError(await send(olivia, { to: protectedId }), refusal('safe'));
    expectError(await send(max, { to: protectedId }), refusal('safe'));
    expectError(await send(olivia, { to: sharedId }), refusal('club'));
    expectSuccess(await send(max, { to: sharedId }));
    expectSuccess(await send(robo, { to: protectedId }));
  });

  it('tells nobody by its ID of a channel that they do not see', async () => {
    const { mia, max, gus } = app.cast;
    const secret = await createChannel(app, mia, 'secret', { invite_only: true });
    const open = await createChannel(app, mia, 'open', { principals: [mia.id] });
    const bot = await app.addAccount({
      deliveryEmail: 'guessing-bot@example.com',
      fullName: 'Guessing Bot',
      role: max.role,
      isBot: true,
      botType: 1,
      botOwnerId: max.id,
    });
    for (const [who, to] of [
      [max, secret],
      [bot, secret],
      [gus, secret],
      [gus, open],
    ] as const) {
      expectError(await send(who, { to }), `Channel with ID '${to}' does not exist`, {
        code: 'STREAM_DOES_NOT_EXIST',
        data: { stream_id: to },
      });
    }
    const [notice] = expectSuccess(await fetchMessages(app, max, [['is', 'dm']])).messages;
    expect(notice.content).toContain(`a channel that does not exist: ID ${secret}`);
  });

  it('quotes to owners of bots the name of a channel that does not exist, as nothing but code', async () => {
    const { mia, max } = app.cast;
    const hidden = await createChannel(app, mia, 'hidden', { invite_only: true });
    const sent = await sendTo(app, mia, hidden, 'plan');
    for (const end of ['\n\n', '\r\n\r\n', '`', '\u2028\u2028', '\u2029', '\v\f\u0085', '``\n\n```\n']) {
      const bot = await addBot(app, max);
      const to = JSON.stringify(`no such${end}#**hidden>plan@${sent}** **bold** @**all**${'x'.repeat(1000)}`);
      expect((await send(bot, { to })).body.code).toBe('STREAM_DOES_NOT_EXIST');
      const [notice] = expectSuccess(
        await fetchMessages(app, max, [['is', 'dm']], { num_before: 1 }),
      ).messages;
      const [, code] = /^<p>Your bot <strong>.*?<\/strong> tried .*: <code>([^<]*)<\/code>\.<\/p>$/.exec(
        notice.content,
      ) ?? [null, notice.content];
      expect(code).toMatch(/^no such #\*\*hidden&gt;plan@\d+\*\* \*\*bold\*\* @\*\*all\*\*x{3,}$/);
    }
  });

  it('lets guests post where they are subscribed', async () => {
    const { mia, gus } = app.cast;
    const id = await createChannel(app, mia, 'open house', { principals: [mia.id, gus.id] });
    expectSuccess(await send(gus, { to: id }));
    expectError(await send(gus, { to: 'lunch' }), "Channel 'lunch' does not exist", {
      code: 'STREAM_DOES_NOT_EXIST',
      data: { stream: 'lunch' },
    });
  });

  it('does not take a subscription to a public channel, but who is not subscribed does not receive', async () => {
    const { mia, mona } = app.cast;
    const [told] = await app.captureEvents(() => send(mona, {}));
    expect(told?.audience).toContain(mia.id);
    expect(told?.audience).not.toContain(mona.id);
    await expect(fetchMessage(app, mona, told?.event.message.id)).resolves.toMatchObject({
      flags: ['read', 'historical'],
    });
  });

  it('may leave new topics to a group', async () => {
    const { mia, max } = app.cast;
    const id = await createChannel(app, mia, 'agenda', { principals: [mia.id, max.id] });
    await sendTo(app, mia, id, 'Known');
    expectSuccess(await permit(id, 'can_create_topic_group', only(mia)));
    expectSuccess(await send(max, { to: id, topic: 'known' }));
    expectError(
      await send(max, { to: id, topic: 'new' }),
      'You do not have permission to create topics in this channel.',
    );
    expectSuccess(await send(mia, { to: id, topic: 'new' }));
  });

  it('follows the topics policy of channel and organization [TPOL-inherit, TPOL-allow_empty_topic, TPOL-disable_empty_topic, TPOL-empty_topic_only]', async () => {
    const { mia, olivia } = app.cast;
    const id = await createChannel(app, mia, 'policies');
    const refused = 'Sending messages to the general chat is not allowed in this channel.';
    const data = { empty_topic_display_name: 'general chat' };
    const policy = async (value: string) =>
      expectSuccess(await app.as(olivia).patch(`/streams/${id}`, { topics_policy: value }));

    expectSuccess(await send(mia, { to: id, topic: '' }));
    expectSuccess(await app.as(olivia).patch('/realm', { topics_policy: 'disable_empty_topic' }));
    expectError(await send(mia, { to: id, topic: '' }), refused, { data });
    await policy('allow_empty_topic');
    expectSuccess(await send(mia, { to: id, topic: '' }));
    expectSuccess(await app.as(olivia).patch('/realm', { topics_policy: 'allow_empty_topic' }));
    await policy('disable_empty_topic');
    expectError(await send(mia, { to: id, topic: '(no topic)' }), refused, { data });
    await policy('empty_topic_only');
    expectSuccess(await send(mia, { to: id, topic: 'general chat' }));
    expectError(
      await send(mia, { to: id, topic: 'x' }),
      'Only the general chat topic is allowed in this channel.',
      { data },
    );
  });
});

describe('bots', () => {
  it('may leave the channel out where they have a default', async () => {
    const { robo } = app.cast;
    await changeAccount(app, robo, { defaultSendingChannelId: channel });
    const { id } = expectSuccess(await send(robo, { to: undefined }));
    await expect(fetchMessage(app, robo, id)).resolves.toMatchObject({ stream_id: channel });
  });

  it('that receive webhooks may send, and nothing else', async () => {
    const hook = await app.addAccount({
      deliveryEmail: 'hook-bot@example.com',
      fullName: 'Hook Bot',
      role: 400,
      isBot: true,
      botType: 2,
      botOwnerId: app.cast.mia.id,
    });
    expectSuccess(await send(hook, {}));
    expectError(
      await app.as(hook).get('/messages', { anchor: 'newest' }),
      'This API is not available to incoming webhook bots.',
      { code: 'UNAUTHORIZED', status: 401 },
    );
  });

  it('that talk to nobody let their owner know, once in a while', async () => {
    const { mia, robo } = app.cast;
    const told = () =>
      app.as(mia).get('/messages', { anchor: 'newest', num_before: 50, narrow: [['is', 'dm']] });
    expect((await send(robo, { to: 'nowhere' })).body.code).toBe('STREAM_DOES_NOT_EXIST');
    expect((await send(robo, { to: 'nowhere else' })).body.code).toBe('STREAM_DOES_NOT_EXIST');
    const { messages } = expectSuccess(await told());
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatchObject({ sender_full_name: 'Notification Bot', type: 'private' });
    expect(messages[0].content).toContain('nowhere');
  });
});

describe('mentions', () => {
  it('set flags of those who are mentioned and received the message', async () => {
    const { mia, max, mona } = app.cast;
    const id = await sendTo(
      app,
      mia,
      'lunch',
      'soup',
      '@**Max Member** @**Mona Moderator** @_**Mia Member**',
    );
    await expect(fetchMessage(app, max, id)).resolves.toMatchObject({ flags: ['mentioned'] });
    await expect(fetchMessage(app, mia, id)).resolves.toMatchObject({ flags: [] });
    await expect(fetchMessage(app, mona, id)).resolves.toMatchObject({ flags: ['read', 'historical'] });
  });

  it('of everybody take a permission in channels of more than 15', async () => {
    const { mia, olivia } = app.cast;
    const crowd: number[] = [];
    for (let i = 0; i < 15; i++) {
      const account = { deliveryEmail: `crowd${i}@example.com`, fullName: `Crowd ${i}`, role: 400 as const };
      crowd.push((await app.addAccount(account)).id);
    }
    const id = await createChannel(app, mia, 'stadium', { principals: [mia.id, olivia.id, ...crowd] });
    const refusal = 'You do not have permission to use channel wildcard mentions in this channel.';
    expectError(await send(mia, { to: id, content: '@**all** look' }), refusal, {
      code: 'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    });
    expectSuccess(await send(mia, { to: id, content: '@_**all** look, `@**all**`' }));
    expectSuccess(await send(olivia, { to: id, content: '@**everyone** look' }));
    expectSuccess(await send(mia, { to: 'lunch', content: '@**all** look' }));
  });

  it('of everybody show for all who received the message', async () => {
    const { mia, max, mona } = app.cast;
    const id = await sendTo(app, mia, 'lunch', 'soup', '@**channel** ready');
    const flags = ['stream_wildcard_mentioned', 'wildcard_mentioned'];
    await expect(fetchMessage(app, max, id)).resolves.toMatchObject({ flags });
    await expect(fetchMessage(app, mona, id)).resolves.toMatchObject({ flags: ['read', 'historical'] });
  });

  it('of a topic reach those who have sent to it, or reacted to what is in it', async () => {
    const { mia, max, robo } = app.cast;
    const first = await sendTo(app, max, 'lunch', 'participants');
    const reaction = { emoji_name: 'tada' };
    expectSuccess(await app.as(robo).post(`/messages/${first}/reactions`, reaction));
    const id = await sendTo(app, mia, 'lunch', 'participants', '@**topic** ready');
    const flags = ['topic_wildcard_mentioned', 'wildcard_mentioned'];
    for (const member of [mia, max, robo]) {
      await expect(fetchMessage(app, member, id)).resolves.toMatchObject({ flags });
    }
    expectSuccess(await app.as(robo).delete(`/messages/${first}/reactions`, reaction));
    const later = await sendTo(app, mia, 'lunch', 'participants', '@**topic** again');
    await expect(fetchMessage(app, max, later)).resolves.toMatchObject({ flags });
    await expect(fetchMessage(app, robo, later)).resolves.toMatchObject({ flags: [] });
  });

  it('of a group take its permission, and reach its members at any depth', async () => {
    const { mia, max, robo } = app.cast;
    const inner = await createGroup(app, 'inner', [max.id]);
    const outer = await createGroup(app, 'cooks', []);
    const everyone = app.get(GroupDirectory).systemGroupId('role:everyone');
    const nobody = app.get(GroupDirectory).systemGroupId('role:nobody');
    const mentioning = (groupId: number) =>
      app.writeRows(async (tx) => {
        await tx.query('UPDATE user_group SET can_mention_group = ? WHERE id = ?', [groupId, outer]);
        tx.touch('groups', [outer]);
      });
    await app.writeRows(async (tx) => {
      await tx.query('INSERT INTO user_group_subgroup (group_id, subgroup_id) VALUES (?, ?)', [outer, inner]);
      tx.touch('groups', [outer]);
    });
    await mentioning(nobody);
    expectError(
      await send(mia, { content: '@*cooks* ready' }),
      "You are not allowed to mention user group 'cooks'.",
    );
    expectSuccess(await send(mia, { content: '@_*cooks* ready' }));
    await mentioning(everyone);
    const { id } = expectSuccess(await send(mia, { content: '@*cooks* ready' }));
    await expect(fetchMessage(app, max, id)).resolves.toMatchObject({ flags: ['mentioned'] });
    await expect(fetchMessage(app, robo, id)).resolves.toMatchObject({ flags: [] });
  });
});
