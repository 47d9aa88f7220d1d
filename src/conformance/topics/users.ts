import { check, topicOf } from '../check';
import {
  boolean,
  expectThat,
  list,
  listWith,
  listWithout,
  number,
  numberIfAny,
  object,
  text,
  textOrNull,
} from '../expectations';

/** People and bots: their records, finding and creating them. */
export const USERS = topicOf(
  'users',
  check('knows who asks', 'Clients learn their own ID.', async ({ owner }) => {
    expectThat('GET /users/me', await owner.client.ok('GET /users/me'), {
      user_id: owner.id,
      full_name: owner.name,
      is_owner: true,
      is_admin: true,
      is_guest: false,
      is_bot: false,
      is_active: true,
      role: 100,
      timezone: text,
      date_joined: text,
      profile_data: object,
    });
  }),
  check('lists everybody', 'The list has the bot of this run.', async ({ owner, bot }) => {
    expectThat(
      'members',
      (await owner.client.ok('GET /users'))['members'],
      listWith({ user_id: bot.id, is_bot: true, full_name: bot.name }),
    );
  }),
  check('has what clients show in each record', 'A client reads each of these.', async ({ owner }) => {
    const { members } = await owner.client.ok('GET /users');
    for (const member of members as object[]) {
      expectThat('a member', member, {
        user_id: number,
        email: text,
        full_name: text,
        is_active: boolean,
        is_admin: boolean,
        is_owner: boolean,
        is_guest: boolean,
        is_bot: boolean,
        role: number,
        bot_type: numberIfAny,
        bot_owner_id: numberIfAny,
        timezone: text,
        date_joined: text,
      });
    }
  }),
  check(
    'leaves avatars to the client where it asks for that',
    'Clients that work out addresses by themselves need none.',
    async ({ owner }) => {
      const { members } = await owner.client.ok('GET /users', { client_gravatar: true });
      for (const member of members as object[]) expectThat('a member', member, { avatar_url: textOrNull });
    },
  ),
  check('finds a person by ID', 'Clients ask for people whom they do not know.', async ({ owner, bot }) => {
    expectThat('user', (await owner.client.ok(`GET /users/${bot.id}`))['user'], {
      user_id: bot.id,
      full_name: bot.name,
      is_bot: true,
    });
  }),
  check('says who owns a bot', 'Owners look after their bots.', async ({ owner, bot }) => {
    expectThat('user', (await owner.client.ok(`GET /users/${bot.id}`))['user'], {
      bot_owner_id: owner.id,
      bot_type: 1,
    });
  }),
  check('finds a person by address', 'Programs know addresses rather than IDs.', async ({ owner, bot }) => {
    expectThat('user', (await owner.client.ok(`GET /users/${encodeURIComponent(bot.email)}`))['user'], {
      user_id: bot.id,
    });
  }),
  check('gives custom profile data where it is asked for', 'It is left out otherwise.', async ({ owner }) => {
    expectThat(
      'user',
      (await owner.client.ok(`GET /users/${owner.id}`, { include_custom_profile_fields: true }))['user'],
      { profile_data: object },
    );
  }),
  check('refuses an unknown ID', 'It is an error of the request.', async ({ owner }) => {
    await owner.client.refused('GET /users/2000000000', {}, 400, 'BAD_REQUEST');
  }),
  check('lists custom profile fields', 'Clients show them in profiles.', async ({ owner }) => {
    expectThat('GET /realm/profile_fields', await owner.client.ok('GET /realm/profile_fields'), {
      custom_fields: list,
    });
  }),
  check('lists the bots of whom asks', 'Owners see them in their settings.', async ({ owner, bot }) => {
    expectThat(
      'bots',
      (await owner.client.ok('GET /bots'))['bots'],
      listWith({ username: bot.email, full_name: bot.name }),
    );
  }),
  check('renames a bot', 'The owner of a bot may.', async (scene) => {
    const { owner, bot } = scene;
    const name = `Conformance ${scene.word()}`;
    await owner.client.ok(`PATCH /bots/${bot.id}`, { full_name: name });
    expectThat('user', (await owner.client.ok(`GET /users/${bot.id}`))['user'], { full_name: name });
    await owner.client.ok(`PATCH /bots/${bot.id}`, { full_name: bot.name });
  }),
  check('tells clients of a new name', 'They show it at once.', async (scene) => {
    const queue = await scene.listen(['realm_user']);
    const name = `Conformance ${scene.word()}`;
    await scene.owner.client.ok(`PATCH /bots/${scene.bot.id}`, { full_name: name });
    await queue.next({
      type: 'realm_user',
      op: 'update',
      person: { user_id: scene.bot.id, full_name: name },
    });
    await scene.owner.client.ok(`PATCH /bots/${scene.bot.id}`, { full_name: scene.bot.name });
    await queue.end();
  }),
  check('refuses a bot with the name of nothing', 'Names have at least two letters.', async (scene) => {
    await scene.owner.client.refused('POST /bots', { full_name: '', short_name: scene.word(), bot_type: 1 });
  }),
  check('deactivates bots, and their keys', 'Keys of deactivated accounts are refused.', async (scene) => {
    const { owner, anonymous } = scene;
    const name = `Conformance ${scene.word()}`;
    const made = await owner.client.ok('POST /bots', {
      full_name: name,
      short_name: scene.word(),
      bot_type: 1,
    });
    const id = Number(made['user_id']);
    const { email } = (await owner.client.ok(`GET /users/${id}`))['user'] as { email: string };
    await owner.client.ok(`DELETE /bots/${id}`);
    expectThat('user', (await owner.client.ok(`GET /users/${id}`))['user'], { is_active: false });
    const gone = anonymous.as({ email, apiKey: String(made['api_key']) });
    expectThat('status for a deactivated bot', (await gone.ask('GET /users/me')).status, 401);
  }),
  check('lets the owner make people', 'Where the server allows it.', async ({ owner, person }) => {
    expectThat(
      'members',
      (await owner.client.ok('GET /users'))['members'],
      listWith({ user_id: person.id, full_name: person.name, role: 400 }),
    );
  }),
  check('refuses a second account with an address', 'Addresses are unique.', async ({ owner, person }) => {
    await owner.client.refused('POST /users', {
      email: person.email,
      password: 'a long enough lantern',
      full_name: 'Twice',
    });
  }),
  check('changes the role of a person', 'The record says it at once.', async ({ owner, person }) => {
    await owner.client.ok(`PATCH /users/${person.id}`, { role: 300 });
    expectThat('user', (await owner.client.ok(`GET /users/${person.id}`))['user'], { role: 300 });
    await owner.client.ok(`PATCH /users/${person.id}`, { role: 400 });
  }),
  check('reactivates accounts, and sends an event', 'Clients list active accounts only.', async (scene) => {
    const { client } = scene.owner;
    const full_name = `Conformance ${scene.word()}`;
    const bot = await client.ok('POST /bots', { full_name, short_name: scene.word(), bot_type: 1 });
    const id = Number(bot['user_id']);
    scene.later(`DELETE /bots/${id}`);
    const queue = await scene.listen(['realm_user']);
    for (const [route, isActive] of [
      [`DELETE /bots/${id}`, false],
      [`POST /users/${id}/reactivate`, true],
    ] as const) {
      await client.ok(route);
      await queue.next({ type: 'realm_user', op: 'update', person: { user_id: id, is_active: isActive } });
      expectThat('user', (await client.ok(`GET /users/${id}`))['user'], { is_active: isActive });
    }
    await queue.end();
  }),
  check('lets no member change others', 'That is for administrators.', async ({ owner, person }) => {
    await person.client.refused(`PATCH /users/${owner.id}`, { full_name: 'Nobody' });
  }),
  check(
    'mutes people and unmutes them',
    'Muted people are told to the client that muted them.',
    async (scene) => {
      const queue = await scene.listen(['muted_users']);
      await scene.owner.client.ok(`POST /users/me/muted_users/${scene.bot.id}`);
      await queue.next({
        type: 'muted_users',
        muted_users: listWith({ id: scene.bot.id, timestamp: number }),
      });
      await scene.owner.client.ok(`DELETE /users/me/muted_users/${scene.bot.id}`);
      await queue.next({ type: 'muted_users', muted_users: listWithout({ id: scene.bot.id }) });
      await queue.end();
    },
  ),
  check('refuses to mute oneself', 'It would hide what one writes.', async ({ owner }) => {
    await owner.client.refused(`POST /users/me/muted_users/${owner.id}`, {}, 400, 'BAD_REQUEST');
  }),
  check('keeps alert words', 'They are added and removed by themselves.', async (scene) => {
    const word = scene.word();
    expectThat(
      'alert_words',
      (await scene.owner.client.ok('POST /users/me/alert_words', { alert_words: [word] }))['alert_words'],
      listWith(word),
    );
    expectThat(
      'alert_words',
      (await scene.owner.client.ok('DELETE /users/me/alert_words', { alert_words: [word] }))['alert_words'],
      listWithout(word),
    );
  }),
  check('changes personal settings, and sends an event', 'All clients of a person follow.', async (scene) => {
    const capabilities = { notification_settings_null: true, user_settings_object: true };
    const queue = await scene.listen(['user_settings'], scene.owner, { client_capabilities: capabilities });
    const { twenty_four_hour_time: before } = queue.state['user_settings'] as {
      twenty_four_hour_time: boolean;
    };
    for (const value of [!before, before]) {
      await scene.owner.client.ok('PATCH /settings', { twenty_four_hour_time: value });
      await queue.next({ type: 'user_settings', op: 'update', property: 'twenty_four_hour_time', value });
    }
    await queue.end();
  }),
);

/** Invitation links. No email is sent. */
export const INVITATIONS = topicOf(
  'invitations',
  check(
    'makes a link, lists and revokes it',
    'Administrators look after who can join.',
    async ({ owner }) => {
      const { client } = owner;
      const { invite_link: link } = await client.ok('POST /invites/multiuse', {
        invite_expires_in_minutes: 60,
        invite_as: 400,
        stream_ids: [],
      });
      expectThat('invite_link', link, /^https?:\/\/.+\/join\/.+/);
      const listed = async () => (await client.ok('GET /invites'))['invites'];
      const record = {
        id: number,
        invited_by_user_id: owner.id,
        invited: number,
        invited_as: 400,
        is_multiuse: true,
        link_url: link,
      };
      const before = await listed();
      expectThat('invites', before, listWith(record));
      const { id } = (before as { id: number; link_url?: string }[]).find(
        (each) => each.link_url === link,
      ) ?? {
        id: 0,
      };
      await client.ok(`DELETE /invites/multiuse/${id}`);
      expectThat('invites', await listed(), listWithout({ link_url: link }));
    },
  ),
  check('tells administrators that there is something new', 'Their lists are up to date.', async (scene) => {
    const { client } = scene.owner;
    const queue = await scene.listen(['invites_changed']);
    const { invite_link: link } = await client.ok('POST /invites/multiuse', { stream_ids: [] });
    await queue.next({ type: 'invites_changed' });
    const { invites } = await client.ok('GET /invites');
    for (const { id, link_url } of invites as { id: number; link_url?: string }[])
      if (link_url === link) await client.ok(`DELETE /invites/multiuse/${id}`);
    await queue.end();
  }),
  check(
    'refuses to revoke a link that there is not',
    'It may have been revoked by another.',
    async ({ owner }) => {
      await owner.client.refused('DELETE /invites/multiuse/2000000000', {}, 400, 'BAD_REQUEST');
    },
  ),
  check('lets no member invite with more than they are', 'Only owners create owners.', async ({ person }) => {
    await person.client.refused('POST /invites/multiuse', { invite_as: 100, stream_ids: [] });
  }),
);
