import { changeAccount } from '../support/account-setup';
import type { Parameters } from '../support/api-client';
import type { Member } from '../support/cast';
import { createChannel } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { makeGroup, peopleAlone, systemGroupId } from '../support/group-setup';
import { sendDirect, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;
let staff: number;
let kitchen: number;
/** IDs of channels by what they are like. */
let channels: Record<'open' | 'closed' | 'sealed' | 'led' | 'archived', number>;

beforeAll(async () => {
  app = await TestApp.start();
  const { mia, max, mona, adam, robo } = app.cast;
  kitchen = await makeGroup(app, mia, 'kitchen', { members: [max.id] });
  staff = await makeGroup(app, mia, 'staff', { members: [mona.id], subgroups: [kitchen] });
  const privately = { invite_only: true };
  channels = {
    open: await createChannel(app, mia, 'open', { can_send_message_group: staff }),
    closed: await createChannel(app, mia, 'closed', { ...privately, can_subscribe_group: staff }),
    sealed: await createChannel(app, mia, 'sealed', {
      ...privately,
      history_public_to_subscribers: false,
      principals: [mia.id, robo.id],
    }),
    led: await createChannel(app, mia, 'led', { can_administer_channel_group: peopleAlone(max) }),
    archived: await createChannel(app, mia, 'archived'),
  };
  expectSuccess(await app.as(adam).delete(`/streams/${channels.archived}`));
});

afterAll(() => app.stop());

const ask = (asker: Member, person: Member, action: string, object: Parameters = {}) =>
  app.as(asker).get('/permissions/explain', { user_id: person.id, action, ...object });

const explain = async (person: Member, action: string, object: Parameters = {}) => {
  const { allowed, chain } = expectSuccess(await ask(app.cast.adam, person, action, object));
  return { allowed, chain };
};

const group = (id: number, name: string) => `group ${id} (${name})`;

describe('a permission is explained', () => {
  it('by the groups through which it holds, down to the person', async () => {
    const { max, mona } = app.cast;
    const channel_id = channels.open;
    await expect(explain(max, 'send_message', { channel_id })).resolves.toEqual({
      allowed: true,
      chain: [
        'can_send_message_group',
        group(staff, 'staff'),
        group(kitchen, 'kitchen'),
        'direct member',
        'public channel',
      ],
    });
    await expect(explain(mona, 'can_send_message_group', { channel_id })).resolves.toEqual({
      allowed: true,
      chain: ['can_send_message_group', group(staff, 'staff'), 'direct member', 'public channel'],
    });
  });

  it('by what decides: whoever holds a permission of a channel has to get in as well', async () => {
    const { mia, max, adam } = app.cast;
    const channel_id = await createChannel(app, mia, 'locked', {
      invite_only: true,
      history_public_to_subscribers: true,
      can_send_message_group: systemGroupId(app, 'role:everyone'),
      can_resolve_topics_group: systemGroupId(app, 'role:members'),
    });
    for (const action of ['can_send_message_group', 'send_message', 'can_resolve_topics_group']) {
      await expect(explain(mia, action, { channel_id })).resolves.toMatchObject({ allowed: true });
      await expect(explain(max, action, { channel_id })).resolves.toMatchObject({
        allowed: false,
        chain: expect.arrayContaining(['not a subscriber', 'can_subscribe_group', 'not a member']),
      });
    }
    await expect(explain(adam, 'can_administer_channel_group', { channel_id })).resolves.toEqual({
      allowed: true,
      chain: ['administrator'],
    });
    for (const [setting, action] of [
      ['can_create_topic_group', 'create_topic'],
      ['can_add_subscribers_group', 'add_subscribers'],
      ['can_remove_subscribers_group', 'remove_subscribers'],
      ['can_subscribe_group', 'subscribe'],
    ] as const) {
      for (const person of [mia, max, adam]) {
        expect(await explain(person, setting, { channel_id })).toEqual(
          await explain(person, action, { channel_id }),
        );
      }
    }
  });

  it('by the system groups of roles', async () => {
    const members = systemGroupId(app, 'role:members');
    const moderators = systemGroupId(app, 'role:moderators');
    const full = systemGroupId(app, 'role:fullmembers');
    await expect(explain(app.cast.mona, 'can_create_groups')).resolves.toEqual({
      allowed: true,
      chain: [
        'can_create_groups',
        group(members, 'role:members'),
        group(full, 'role:fullmembers'),
        group(moderators, 'role:moderators'),
        'direct member',
      ],
    });
  });

  it('by what does not hold', async () => {
    const { max, gus, adam, olivia } = app.cast;
    const owners = systemGroupId(app, 'role:owners');
    await expect(explain(max, 'can_manage_all_groups')).resolves.toEqual({
      allowed: false,
      chain: ['can_manage_all_groups', group(owners, 'role:owners'), 'not a member'],
    });
    await expect(explain(gus, 'can_create_groups')).resolves.toEqual({
      allowed: false,
      chain: [
        'can_create_groups',
        group(systemGroupId(app, 'role:members'), 'role:members'),
        'not open to guests',
      ],
    });
    await expect(explain(adam, 'read', { channel_id: channels.sealed })).resolves.toMatchObject({
      allowed: false,
      chain: expect.arrayContaining(['not a subscriber', 'can_subscribe_group', 'not a member']),
    });
    await expect(explain(olivia, 'send_message', { channel_id: channels.archived })).resolves.toMatchObject({
      allowed: false,
      chain: expect.arrayContaining(['archived channel']),
    });
  });

  it('by subscriptions, roles and openness of channels', async () => {
    const { mia, max, adam, gus } = app.cast;
    const cases: [Member, string, keyof typeof channels, string[]][] = [
      [mia, 'read', 'sealed', ['subscriber']],
      [adam, 'see', 'sealed', ['administrator']],
      [max, 'read', 'open', ['public channel']],
      [max, 'subscribe', 'closed', ['can_subscribe_group', group(staff, 'staff'), group(kitchen, 'kitchen')]],
      [max, 'administer', 'led', ['can_administer_channel_group', 'people and groups chosen one by one']],
      [adam, 'administer', 'led', ['administrator']],
      [adam, 'remove_subscribers', 'open', ['administrator']],
      [max, 'add_subscribers', 'open', ['public channel', 'can_add_subscribers_group']],
      [mia, 'create_topic', 'led', ['can_send_message_group']],
    ];
    for (const [person, action, channel, start] of cases) {
      const { allowed, chain } = await explain(person, action, { channel_id: channels[channel] });
      expect({ action, channel, allowed }).toEqual({ action, channel, allowed: true });
      expect(chain.slice(0, start.length)).toEqual(start);
    }
    await expect(explain(gus, 'see', { channel_id: channels.open })).resolves.toMatchObject({
      allowed: false,
    });
  });

  it('of bots, which may post what their owner may', async () => {
    const { robo, mia } = app.cast;
    const channel_id = await createChannel(app, mia, 'by owner', {
      can_send_message_group: peopleAlone(mia),
    });
    await expect(explain(robo, 'send_message', { channel_id })).resolves.toEqual({
      allowed: true,
      chain: [
        'owner of the bot',
        'can_send_message_group',
        'people and groups chosen one by one',
        'direct member',
        'public channel',
      ],
    });
  });

  it('of groups', async () => {
    const { mia, olivia, max } = app.cast;
    const group_id = kitchen;
    await expect(explain(mia, 'update', { group_id })).resolves.toEqual({
      allowed: true,
      chain: ['can_manage_group', 'people and groups chosen one by one', 'direct member'],
    });
    await expect(explain(olivia, 'deactivate', { group_id })).resolves.toMatchObject({
      allowed: true,
      chain: expect.arrayContaining(['can_manage_all_groups']),
    });
    await expect(explain(max, 'leave', { group_id })).resolves.toMatchObject({
      allowed: true,
      chain: expect.arrayContaining(['can_leave_group']),
    });
    await expect(explain(max, 'remove_members', { group_id })).resolves.toMatchObject({ allowed: false });
    await expect(explain(max, 'mention', { group_id })).resolves.toMatchObject({ allowed: true });
    await expect(
      explain(olivia, 'update', { group_id: systemGroupId(app, 'role:members') }),
    ).resolves.toEqual({ allowed: false, chain: ['system group'] });
  });

  it('of deactivated accounts, which may do nothing', async () => {
    const { mona, olivia } = app.cast;
    expectSuccess(await app.as(olivia).delete(`/users/${mona.id}`));
    await expect(explain(mona, 'see', { channel_id: channels.open })).resolves.toEqual({
      allowed: false,
      chain: ['deactivated account'],
    });
    expectSuccess(await app.as(olivia).post(`/users/${mona.id}/reactivate`));
  });
});

describe('what is explained is what happens', () => {
  const attempts: Record<string, (who: Member, channelId: number) => Promise<{ status: number }>> = {
    see: (who, id) => app.as(who).get(`/streams/${id}`),
    read: (who, id) => app.as(who).get(`/users/me/${id}/topics`),
    send_message: (who, id) =>
      app.as(who).post('/messages', { type: 'channel', to: id, topic: 'tea', content: 'Hello' }),
    administer: (who, id) => app.as(who).patch(`/streams/${id}`, { description: 'As it should be' }),
  };

  it.each(Object.keys(attempts))('when people want to %s', async (action) => {
    for (const [like, channelId] of Object.entries(channels)) {
      for (const person of Object.values(app.cast)) {
        const { allowed } = await explain(person, action, { channel_id: channelId });
        const { status } = await (attempts[action] as (typeof attempts)['see'])(person, channelId);
        expect({ person: person.fullName, like, allowed }).toEqual({
          person: person.fullName,
          like,
          allowed: status === 200,
        });
      }
    }
  });

  it('when people want to change a group', async () => {
    for (const person of Object.values(app.cast)) {
      const { allowed } = await explain(person, 'update', { group_id: staff });
      const { status } = await app.as(person).patch(`/user_groups/${staff}`, { description: 'Us' });
      expect({ person: person.fullName, allowed }).toEqual({
        person: person.fullName,
        allowed: status === 200,
      });
    }
  });
});

describe('taking bots out of channels is explained', () => {
  it('by owning them and seeing the channel [AUTH-5b]', async () => {
    const { mia, max, mona, adam, robo } = app.cast;
    const id = await createChannel(app, mona, 'of bots', { principals: [mona.id, robo.id] });
    expectSuccess(
      await app.as(mona).patch(`/streams/${id}`, {
        can_remove_subscribers_group: { new: systemGroupId(app, 'role:nobody') },
      }),
    );
    const why = (person: Member, action: string, channel_id = id) => explain(person, action, { channel_id });
    await expect(why(mia, 'remove_own_bots')).resolves.toEqual({
      allowed: true,
      chain: ['owner of the bot', 'public channel'],
    });
    await expect(why(mia, 'remove_subscribers')).resolves.toMatchObject({ allowed: false });
    await expect(why(max, 'remove_own_bots')).resolves.toEqual({ allowed: false, chain: ['owns no bot'] });
    await expect(why(adam, 'remove_own_bots')).resolves.toEqual({ allowed: true, chain: ['administrator'] });
    const subscriptions = ['of bots'];
    const remove = (who: Member) =>
      app.as(who).delete('/users/me/subscriptions', { subscriptions, principals: [robo.id] });
    expectError(await remove(max), 'Insufficient permission');
    expectSuccess(await remove(mia));
    const hidden = await createChannel(app, mona, 'hidden', { invite_only: true });
    expectError(await ask(mia, mia, 'remove_own_bots', { channel_id: hidden }), 'Invalid channel ID');
    await expect(why(mia, 'remove_own_bots', hidden)).resolves.toMatchObject({ allowed: false });
  });
});

describe('moving a message is explained', () => {
  const change = async (parameters: Parameters) =>
    expectSuccess(await app.as(app.cast.olivia).patch('/realm', parameters));

  it('by what happens, whoever holds the permissions', async () => {
    const { mia, mona } = app.cast;
    const channel = await createChannel(app, mia, 'departures', {
      can_move_messages_out_of_channel_group: staff,
      can_move_messages_within_channel_group: peopleAlone(mia),
      can_resolve_topics_group: peopleAlone(mona),
    });
    const restricted = { new: systemGroupId(app, 'role:administrators') };
    await change({
      can_move_messages_between_topics_group: restricted,
      can_move_messages_between_channels_group: restricted,
      can_resolve_topics_group: restricted,
    });
    const ways: Record<string, Parameters> = {
      change_topic: { topic: 'elsewhere' },
      change_channel: { stream_id: channels.led },
      resolve_topic: { topic: '✔ lunch', propagate_mode: 'change_all' },
    };
    const seen = new Set<string>();
    for (const [action, parameters] of Object.entries(ways)) {
      for (const person of Object.values(app.cast)) {
        const message_id = await sendTo(app, mia, channel, 'lunch');
        const { allowed } = await explain(person, action, { message_id });
        const { status } = await app.as(person).patch(`/messages/${message_id}`, parameters);
        expect({ person: person.fullName, action, allowed }).toEqual({
          person: person.fullName,
          action,
          allowed: status === 200,
        });
        seen.add(`${action} ${allowed}`);
      }
    }
    expect(seen.size).toBe(6);
  });

  it('by the permissions of the organization and of the channel', async () => {
    const { mia, max, adam, gus } = app.cast;
    const message_id = await sendTo(app, mia, 'departures', 'lunch');
    const why = (person: Member, action: string) => explain(person, action, { message_id });
    await expect(why(adam, 'change_topic')).resolves.toMatchObject({
      allowed: true,
      chain: expect.arrayContaining(['can_move_messages_between_topics_group', 'direct member']),
    });
    await expect(why(max, 'change_channel')).resolves.toEqual({
      allowed: true,
      chain: [
        'can_move_messages_out_of_channel_group',
        group(staff, 'staff'),
        group(kitchen, 'kitchen'),
        'direct member',
      ],
    });
    await expect(why(max, 'resolve_topic')).resolves.toEqual({
      allowed: false,
      chain: ["You don't have permission to resolve topics in this channel."],
    });
    await expect(why(gus, 'change_topic')).resolves.toEqual({
      allowed: false,
      chain: ['Invalid message(s)'],
    });
  });

  it('by its age, and by its kind', async () => {
    const { mia, max, adam } = app.cast;
    const message_id = await sendTo(app, mia, 'departures', 'lunch');
    await app.writeRows((tx) => tx.query('UPDATE message SET sent_at = 1 WHERE id = ?', [message_id]));
    await expect(explain(mia, 'change_topic', { message_id })).resolves.toEqual({
      allowed: false,
      chain: ["The time limit for editing this message's topic has passed."],
    });
    await expect(explain(max, 'change_channel', { message_id })).resolves.toEqual({
      allowed: false,
      chain: ["The time limit for editing this message's channel has passed"],
    });
    await expect(explain(adam, 'change_channel', { message_id })).resolves.toMatchObject({ allowed: true });
    const direct = await sendDirect(app, mia, [adam]);
    for (const [action, reason] of [
      ['change_topic', 'Direct messages cannot have topics.'],
      ['resolve_topic', 'Direct messages cannot have topics.'],
      ['change_channel', 'Direct messages cannot be moved to channels.'],
    ] as const) {
      await expect(explain(mia, action, { message_id: direct })).resolves.toEqual({
        allowed: false,
        chain: [reason],
      });
    }
  });
});

describe('reasons for programs', () => {
  it('name settings, groups with their IDs, and facts', async () => {
    const { max, adam, mia } = app.cast;
    const { steps } = expectSuccess(await ask(adam, max, 'send_message', { channel_id: channels.open }));
    expect(steps).toEqual([
      { kind: 'setting', name: 'can_send_message_group', group_id: null },
      { kind: 'group', name: 'staff', group_id: staff },
      { kind: 'group', name: 'kitchen', group_id: kitchen },
      { kind: 'fact', name: 'direct member', group_id: null },
      { kind: 'fact', name: 'public channel', group_id: null },
    ]);
    const channel_id = await createChannel(app, mia, 'chosen', { can_send_message_group: peopleAlone(max) });
    const chosen = expectSuccess(await ask(adam, max, 'can_send_message_group', { channel_id }));
    expect(chosen.steps).toContainEqual({ kind: 'group', name: null, group_id: null });
    expect(chosen.chain).toContain('people and groups chosen one by one');
  });

  it('come for all actions at once, as one by one', async () => {
    const { adam, max } = app.cast;
    const message_id = await sendTo(app, max, channels.open, 'soup');
    const objects = { channel_id: channels.open, group_id: staff, message_id };
    for (const object of [{}, ...Object.entries(objects).map(([name, id]) => ({ [name]: id }))]) {
      const answer = await app.as(adam).get('/permissions/actions', { user_id: max.id, ...object });
      const { actions }: { actions: { action: string }[] } = expectSuccess(answer);
      const names = actions.map(({ action }) => action);
      expect(names).toEqual([...new Set(names)].sort());
      expectError(await ask(adam, max, 'fly', object), 'Invalid action', { data: { actions: names } });
      for (const { action, ...explanation } of actions.slice(0, 9)) {
        expect(expectSuccess(await ask(adam, max, action, object))).toMatchObject(explanation);
      }
    }
  });

  it('are refused to others, and of what the asker does not see', async () => {
    const { mia, max, adam, gus } = app.cast;
    const all = (asker: Member, about: Member, object: Parameters = {}) =>
      app.as(asker).get('/permissions/actions', { user_id: about.id, ...object });
    expectSuccess(await all(mia, mia));
    expectError(await all(gus, max), 'Must be an organization administrator', {
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
    expectError(await all(max, max, { channel_id: channels.sealed }), 'Invalid channel ID');
    expectError(await all(adam, max, { message_id: 999_999 }), 'Invalid message(s)');
    expectError(
      await all(adam, max, { channel_id: channels.open, group_id: staff }),
      "Can't decide between 'channel_id' and 'group_id' arguments",
      { code: 'REQUEST_CONFUSING_VAR', data: { var_name1: 'channel_id', var_name2: 'group_id' } },
    );
  });
});

describe('explanations', () => {
  it('are for administrators and the person asked about', async () => {
    const { mia, max, gus, mona } = app.cast;
    for (const who of [mia, gus]) expectSuccess(await ask(who, who, 'can_create_groups'));
    for (const who of [mia, mona, gus]) {
      expectError(await ask(who, max, 'can_create_groups'), 'Must be an organization administrator', {
        code: 'UNAUTHORIZED_PRINCIPAL',
      });
    }
  });

  it('take an address for the ID, where the asker may find the person by it', async () => {
    const { adam, mia, max } = app.cast;
    const why = (asker: Member, user_id: string) =>
      app.as(asker).get('/permissions/explain', { user_id, action: 'can_create_groups' });
    const byId = expectSuccess(await ask(adam, mia, 'can_create_groups'));
    expect(expectSuccess(await why(adam, 'MIA@example.com'))).toEqual(byId);
    expect(expectSuccess(await why(mia, 'mia@example.com'))).toEqual(byId);
    expectError(await why(adam, 'nobody@example.com'), 'No such user');
    for (const address of ['max@example.com', 'nobody@example.com']) {
      expectError(await why(mia, address), 'Must be an organization administrator', {
        code: 'UNAUTHORIZED_PRINCIPAL',
      });
    }
    expectError(await why(adam, 'mia'), 'user_id is not valid JSON');
    await changeAccount(app, max, { emailVisibility: 4 });
    expectError(await why(adam, 'max@example.com'), 'No such user');
    expectSuccess(await why(adam, `user${max.id}@chat.example.com`));
    await changeAccount(app, max, { emailVisibility: 1 });
  });

  it('do not tell of channels that the asker does not see', async () => {
    const { max } = app.cast;
    expectError(await ask(max, max, 'read', { channel_id: channels.sealed }), 'Invalid channel ID');
    expectError(await ask(max, max, 'read', { channel_id: 99_999 }), 'Invalid channel ID');
  });

  it('need a person, an action and at most one object that exist', async () => {
    const { adam, mia } = app.cast;
    expectError(
      await app.as(adam).get('/permissions/explain', { action: 'read' }),
      "Missing 'user_id' argument",
      {
        code: 'REQUEST_VARIABLE_MISSING',
        data: { var_name: 'user_id' },
      },
    );
    expectError(await ask(adam, { ...mia, id: 99_999 }, 'can_create_groups'), 'No such user');
    const inOrganization = { data: { actions: expect.arrayContaining(['can_create_groups']) } };
    expectError(await ask(adam, mia, 'fly'), 'Invalid action', inOrganization);
    expectError(await ask(adam, mia, 'read'), 'Invalid action', inOrganization);
    expectError(await ask(adam, mia, 'update', { group_id: 99_999 }), 'Invalid user group');
    expectError(
      await ask(adam, mia, 'read', { channel_id: channels.open, group_id: staff }),
      "Can't decide between 'channel_id' and 'group_id' arguments",
      { code: 'REQUEST_CONFUSING_VAR', data: { var_name1: 'channel_id', var_name2: 'group_id' } },
    );
  });
});

describe('what is done to a message is explained', () => {
  it('by the rules of the endpoints, and their refusals', async () => {
    const { mia, max, adam, gus, olivia } = app.cast;
    const message_id = await sendTo(app, mia, channels.led, 'soup');
    const why = (person: Member, action: string) => explain(person, action, { message_id });
    await expect(why(mia, 'edit')).resolves.toEqual({ allowed: true, chain: ['sender'] });
    await expect(why(mia, 'delete')).resolves.toMatchObject({ allowed: true });
    const mayNotEdit = "You don't have permission to edit this message";
    await expect(why(olivia, 'edit')).resolves.toEqual({ allowed: false, chain: [mayNotEdit] });
    await expect(why(adam, 'delete')).resolves.toMatchObject({
      allowed: true,
      chain: expect.arrayContaining(['can_delete_any_message_group']),
    });
    await expect(why(max, 'delete')).resolves.toEqual({
      allowed: false,
      chain: ["You don't have permission to delete this message"],
    });
    await expect(why(max, 'react')).resolves.toMatchObject({ allowed: true });
    for (const action of ['read', 'react', 'edit', 'delete']) {
      await expect(why(gus, action)).resolves.toEqual({ allowed: false, chain: ['Invalid message(s)'] });
    }
    expectError(await ask(gus, gus, 'read', { message_id }), 'Invalid message(s)');
    const actions = ['change_channel', 'change_topic', 'delete', 'edit', 'react', 'read', 'resolve_topic'];
    expectError(await ask(adam, mia, 'fly', { message_id }), 'Invalid action', { data: { actions } });
    const sealed = await sendTo(app, mia, channels.sealed, 'soup');
    expectError(await ask(adam, mia, 'read', { message_id: sealed }), 'Invalid message(s)');
  });
});
