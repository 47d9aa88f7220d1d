import { GroupDirectory } from '../../src/features/user-groups/groups/group.directory';
import { channelRecord, createChannel, createGroup } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { expectWrongGroup } from '../support/group-setup';
import { TestApp } from '../support/test-app';

const GROUP_SETTINGS = [
  'can_add_subscribers_group',
  'can_administer_channel_group',
  'can_create_topic_group',
  'can_delete_any_message_group',
  'can_delete_own_message_group',
  'can_move_messages_out_of_channel_group',
  'can_move_messages_within_channel_group',
  'can_remove_subscribers_group',
  'can_resolve_topics_group',
  'can_send_message_group',
  'can_subscribe_group',
];

let app: TestApp;
/** IDs of the system groups by name. */
let groups: Record<string, number>;

beforeAll(async () => {
  app = await TestApp.start({ env: { WEB_PUBLIC_STREAMS_ENABLED: 'true' } });
  const named = app.get(GroupDirectory).named();
  groups = Object.fromEntries(named.map(({ id, name }) => [name, id]));
});

afterAll(() => app.stop());

let count = 0;
const newName = () => `Channel ${++count}`;

/** Tries to create a channel; the answer is the server's. */
const attempt = (who: keyof TestApp['cast'], parameters: Record<string, unknown>) =>
  app
    .as(app.cast[who])
    .post('/users/me/subscriptions', { subscriptions: [{ name: newName() }], ...parameters });

/** Creates a channel and returns its record. */
const make = async (who: keyof TestApp['cast'], parameters: Record<string, unknown> = {}) =>
  channelRecord(app, await createChannel(app, app.cast[who], newName(), parameters));

/** Sets one organization setting as the owner. */
const setOrganization = async (settings: Record<string, unknown>) =>
  expectSuccess(await app.as(app.cast.olivia).patch('/realm', settings));

describe('a channel without any settings', () => {
  it('is public, with every default [CHAN-stream_id, CHAN-name, CHAN-is_archived, CHAN-date_created, CHAN-creator_id, CHAN-first_message_id, CHAN-folder_id, CHAN-is_recently_active, CHAN-rest, CHAN-is_announcement_only, CHAN-stream_post_policy, TPOL-default, EP1-invite_only, EP1-is_web_public, EP1-is_default_stream, GSV-1, GSV-2, GSV-system]', async () => {
    const { mia } = app.cast;
    const before = Math.floor(Date.now() / 1000);
    const record = await make('mia');
    expect(record.date_created).toBeGreaterThanOrEqual(before);
    expect(record).toEqual({
      stream_id: expect.any(Number),
      name: `Channel ${count}`,
      is_archived: false,
      description: '',
      rendered_description: '',
      date_created: expect.any(Number),
      creator_id: mia.id,
      invite_only: false,
      is_web_public: false,
      stream_post_policy: 1,
      is_announcement_only: false,
      message_retention_days: null,
      history_public_to_subscribers: true,
      topics_policy: 'inherit',
      first_message_id: null,
      folder_id: null,
      is_recently_active: true,
      subscriber_count: 1,
      stream_weekly_traffic: null,
      can_add_subscribers_group: groups['role:nobody'],
      can_administer_channel_group: { direct_members: [mia.id], direct_subgroups: [] },
      can_create_topic_group: groups['role:everyone'],
      can_delete_any_message_group: groups['role:nobody'],
      can_delete_own_message_group: groups['role:nobody'],
      can_move_messages_out_of_channel_group: groups['role:nobody'],
      can_move_messages_within_channel_group: groups['role:nobody'],
      can_remove_subscribers_group: groups['role:administrators'],
      can_resolve_topics_group: groups['role:nobody'],
      can_send_message_group: groups['role:everyone'],
      can_subscribe_group: groups['role:nobody'],
    });
  });
});

describe('privacy', () => {
  it('invite_only makes it private, with protected history [EP1-invite_only, CHAN-invite_only, CHAN-history_public_to_subscribers]', async () => {
    await expect(make('mia', { invite_only: true })).resolves.toMatchObject({
      invite_only: true,
      history_public_to_subscribers: false,
    });
  });

  it('private history can be shared, public history is always shared [EP1-history_public_to_subscribers, CHAN-history_public_to_subscribers]', async () => {
    const shared = await make('mia', { invite_only: true, history_public_to_subscribers: true });
    expect(shared.history_public_to_subscribers).toBe(true);
    const open = await make('mia', { history_public_to_subscribers: false });
    expect(open.history_public_to_subscribers).toBe(true);
  });

  it('who may create channels is asked for public and private ones apart', async () => {
    const nobody = groups['role:nobody'];
    await setOrganization({ can_create_public_channel_group: { new: nobody } });
    expectError(await attempt('mia', {}), 'Insufficient permission');
    await make('mia', { invite_only: true });
    await setOrganization({
      can_create_public_channel_group: { new: groups['role:members'] },
      can_create_private_channel_group: { new: nobody },
    });
    expectError(await attempt('mia', { invite_only: true }), 'Insufficient permission');
    await setOrganization({ can_create_private_channel_group: { new: groups['role:members'] } });
  });

  it('a web-public channel needs the organization and the group [EP1-is_web_public, EP1-is_web_public-organization, EP1-is_web_public-group, AUTH-6d, CHAN-is_web_public, VER-98]', async () => {
    expectError(await attempt('olivia', { is_web_public: true }), 'Web-public channels are not enabled.');
    await setOrganization({ enable_spectator_access: true });
    expectError(await attempt('adam', { is_web_public: true }), 'Insufficient permission');
    await expect(make('olivia', { is_web_public: true })).resolves.toMatchObject({
      is_web_public: true,
      invite_only: false,
      history_public_to_subscribers: true,
    });
    await setOrganization({ can_create_web_public_channel_group: { new: groups['role:moderators'] } });
    await expect(make('mona', { is_web_public: true })).resolves.toMatchObject({ is_web_public: true });
  });

  it('a channel cannot be private and web-public', async () => {
    expectError(await attempt('olivia', { is_web_public: true, invite_only: true }), 'Invalid parameters');
  });
});

describe('default channels', () => {
  it('are made by administrators, and are public [EP1-is_default_stream, VER-200]', async () => {
    expectError(await attempt('mia', { is_default_stream: true }), 'Insufficient permission');
    expectError(
      await attempt('adam', { is_default_stream: true, invite_only: true }),
      'A default channel cannot be private.',
    );
    const { stream_id: id } = await make('adam', { is_default_stream: true });
    const { streams } = expectSuccess(await app.as(app.cast.mia).get('/streams', { include_default: true }));
    expect(streams.find((record: { stream_id: number }) => record.stream_id === id).is_default).toBe(true);
  });
});

describe('message retention', () => {
  it.each([
    ['days', 30, 30],
    ['the word realm_default', 'realm_default', null],
    ['the word realm_default in quotes', '"realm_default"', null],
    ['the word unlimited', 'unlimited', -1],
    ['the word unlimited in quotes', '"unlimited"', -1],
  ])(
    'takes %s [EP1-message_retention_days, EP1-message_retention_days-realm_default, EP1-message_retention_days-unlimited, CHAN-message_retention_days, LIM-5, VER-91]',
    async (_, sent, stored) => {
      expect((await make('olivia', { message_retention_days: sent })).message_retention_days).toBe(stored);
    },
  );

  it.each([
    ['zero', 0, 0],
    ['a negative number', -1, -1],
    ['an older word', '"forever"', 'forever'],
    ['digits in quotes', '"5"', '5'],
    ['more than a column holds', 2 ** 31, 2 ** 31],
  ])('refuses %s [EP1-message_retention_days, VER-91]', async (_, sent, bad) => {
    expectError(
      await attempt('olivia', { message_retention_days: sent }),
      `Bad value for 'message_retention_days': ${bad}`,
      {
        code: 'REQUEST_VARIABLE_INVALID',
        data: { var_name: 'message_retention_days', bad_value: bad },
      },
    );
  });

  it('refuses text that is no JSON [EP1-message_retention_days]', async () => {
    expectError(
      await attempt('olivia', { message_retention_days: 'forever' }),
      'message_retention_days["json[str]"] is not valid JSON',
    );
  });

  it('is the decision of owners', async () => {
    expectError(await attempt('adam', { message_retention_days: 30 }), 'Must be an organization owner', {
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
  });
});

describe('topics policy', () => {
  it.each(['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'])(
    'takes %s, bare and in quotes [EP1-topics_policy, CHAN-topics_policy, VER-392, VER-404]',
    async (policy) => {
      expect((await make('mia', { topics_policy: policy })).topics_policy).toBe(policy);
      expect((await make('mia', { topics_policy: `"${policy}"` })).topics_policy).toBe(policy);
    },
  );

  it('refuses other words [EP1-topics_policy]', async () => {
    expectError(await attempt('mia', { topics_policy: '"whatever"' }), 'Invalid topics_policy');
    expectError(await attempt('mia', { topics_policy: 'whatever' }), 'topics_policy is not valid JSON');
  });

  it('other than inherit needs a permission of the organization', async () => {
    await setOrganization({ can_set_topics_policy_group: { new: groups['role:administrators'] } });
    expectError(await attempt('mia', { topics_policy: 'empty_topic_only' }), 'Insufficient permission');
    await make('mia', { topics_policy: 'inherit' });
    await setOrganization({ can_set_topics_policy_group: { new: groups['role:members'] } });
  });
});

describe('folders', () => {
  it('puts the channel into a folder that exists [EP1-rest, CHAN-folder_id]', async () => {
    expectError(await attempt('mia', { folder_id: 4711 }), 'Invalid channel folder ID');
    expectError(await attempt('mia', { folder_id: 2 ** 40 }), 'Invalid channel folder ID');
    const [folder] = await app.writeRows((tx) =>
      tx.query<{ id: number }>(
        `INSERT INTO channel_folder (name, name_key, description, rendered_description, date_created, position, is_archived)
         VALUES ('Work', 'work', '', '', 0, 0, ?) RETURNING id`,
        [false],
      ),
    );
    expect((await make('mia', { folder_id: folder?.id })).folder_id).toBe(folder?.id);
  });
});

describe('permissions of a new channel', () => {
  it.each(GROUP_SETTINGS)('%s takes a named group, a system group and people', async (setting) => {
    const { mia } = app.cast;
    const group = await createGroup(app, `Crew for ${setting}`, [mia.id]);
    expect((await make('olivia', { [setting]: group }))[setting]).toBe(group);
    const people = { direct_members: [mia.id], direct_subgroups: [group] };
    expect((await make('olivia', { [setting]: people }))[setting]).toEqual(people);
    expect((await make('olivia', { [setting]: groups['role:moderators'] }))[setting]).toBe(
      groups['role:moderators'],
    );
  });

  it('are all taken together [EP1-can_add_subscribers_group, EP1-can_remove_subscribers_group, EP1-can_administer_channel_group, EP1-can_delete_any_message_group, EP1-can_delete_own_message_group, EP1-can_move_messages_out_of_channel_group, EP1-can_move_messages_within_channel_group, EP1-rest, CHAN-can_add_subscribers_group, CHAN-can_remove_subscribers_group, CHAN-can_administer_channel_group, CHAN-can_delete_any_message_group, CHAN-can_delete_own_message_group, CHAN-can_move_messages_out_of_channel_group, CHAN-can_move_messages_within_channel_group, CHAN-rest, VER-325, VER-342, VER-357, VER-396, VER-407, GSV-2]', async () => {
    const { mia, max } = app.cast;
    const people = { direct_members: [mia.id, max.id].sort((a, b) => a - b), direct_subgroups: [] };
    const chosen = Object.fromEntries(GROUP_SETTINGS.map((setting) => [setting, people]));
    await expect(make('olivia', chosen)).resolves.toMatchObject(chosen);
  });

  it('are answered in canonical form [GSV-1, GSV-2]', async () => {
    const { mia } = app.cast;
    const record = await make('olivia', {
      can_send_message_group: { direct_members: [], direct_subgroups: [groups['role:moderators']] },
      can_subscribe_group: { direct_members: [], direct_subgroups: [] },
      can_resolve_topics_group: { direct_members: [mia.id, mia.id], direct_subgroups: [], more: true },
    });
    expect(record).toMatchObject({
      can_send_message_group: groups['role:moderators'],
      can_subscribe_group: groups['role:nobody'],
      can_resolve_topics_group: { direct_members: [mia.id], direct_subgroups: [] },
    });
  });

  it.each([
    ['an unknown group', 4711, 'Invalid user group'],
    ['text', '"members"', 'can_subscribe_group["int"] is not an integer'],
    ['half an object', { direct_members: [] }, 'can_subscribe_group["int"] is not an integer'],
  ])('refuse %s', async (_, value, message) => {
    expectWrongGroup(await attempt('olivia', { can_subscribe_group: value }), message);
  });

  it('say what a right value looks like where one is wrong', async () => {
    const expected = async (value: unknown) =>
      (await attempt('olivia', { can_subscribe_group: value })).body.expected;
    await expect(expected('role:members')).resolves.toBe(
      '11 or {"direct_members":[8,9],"direct_subgroups":[11]}, where 11 is the ID of a group, as GET /user_groups ' +
        'lists them, and 8 the ID of a user',
    );
    await expect(expected(4711)).resolves.toContain(`${groups['role:members']} (role:members)`);
    await expect(expected(groups['role:everyone'])).resolves.not.toContain('role:everyone');
  });

  it('refuse an unknown person and an unknown subgroup', async () => {
    const person = { direct_members: [4711], direct_subgroups: [] };
    expectError(await attempt('olivia', { can_subscribe_group: person }), 'Invalid user ID: 4711');
    const group = { direct_members: [app.cast.mia.id], direct_subgroups: [4711] };
    expectError(await attempt('olivia', { can_subscribe_group: group }), 'Invalid user group ID: 4711');
  });

  it.each([
    ['can_add_subscribers_group', 'role:everyone'],
    ['can_administer_channel_group', 'role:everyone'],
    ['can_subscribe_group', 'role:everyone'],
    ['can_send_message_group', 'role:internet'],
  ])('%s refuses %s', async (setting, group) => {
    expectWrongGroup(
      await attempt('olivia', { [setting]: groups[group] }),
      `'${setting}' setting cannot be set to '${group}' group.`,
    );
  });

  it('leave deactivated people out [GSV-deactivated, VER-303]', async () => {
    const { mia, max } = app.cast;
    const { stream_id: id } = await make('olivia', {
      can_subscribe_group: { direct_members: [mia.id, max.id], direct_subgroups: [] },
    });
    const setActive = (isActive: boolean) =>
      app.writeRows(async (tx) => {
        await tx.query('UPDATE account SET is_active = ? WHERE id = ?', [isActive, max.id]);
        tx.touch('accounts', [max.id]);
      });
    await setActive(false);
    expect((await channelRecord(app, id)).can_subscribe_group.direct_members).toEqual([mia.id]);
    const { streams } = expectSuccess(await app.as(app.cast.olivia).get('/streams'));
    const listed = streams.find((record: { stream_id: number }) => record.stream_id === id);
    expect(listed.can_subscribe_group.direct_members).toEqual([mia.id]);
    await setActive(true);
  });

  it('to delete messages are for those who may set such policies', async () => {
    const value = { direct_members: [app.cast.mia.id], direct_subgroups: [] };
    expectError(await attempt('mia', { can_delete_any_message_group: value }), 'Insufficient permission');
    expectError(await attempt('mia', { can_delete_own_message_group: value }), 'Insufficient permission');
    await make('mia', { can_delete_own_message_group: groups['role:nobody'] });
    await make('mona', { can_delete_own_message_group: value });
  });

  it('to create topics go with visible history only', async () => {
    const restricted = { invite_only: true, can_create_topic_group: groups['role:moderators'] };
    expectError(
      await attempt('mia', restricted),
      'Unsupported parameter combination: history_public_to_subscribers, can_create_topic_group',
      { data: { parameters: 'history_public_to_subscribers, can_create_topic_group' } },
    );
    await make('mia', { ...restricted, history_public_to_subscribers: true });
    await make('mia', { ...restricted, can_create_topic_group: groups['role:everyone'] });
  });

  it('are not looked at when the channel exists', async () => {
    const id = await createChannel(app, app.cast.mia, 'Exists');
    const parameters = { subscriptions: [{ name: 'exists' }], can_subscribe_group: 4711 };
    expectSuccess(await app.as(app.cast.mia).post('/users/me/subscriptions', parameters));
    expect((await channelRecord(app, id)).can_subscribe_group).toBe(groups['role:nobody']);
  });

  it.each([
    ['role:administrators', 2],
    ['role:fullmembers', 3],
    ['role:moderators', 4],
    ['role:everyone', 1],
    ['role:members', 1],
    ['role:nobody', 1],
  ])(
    'to post are approximated by a number: %s [CHAN-stream_post_policy, CHAN-is_announcement_only, VER-333]',
    async (group, policy) => {
      await expect(make('olivia', { can_send_message_group: groups[group] })).resolves.toMatchObject({
        stream_post_policy: policy,
        is_announcement_only: policy === 2,
      });
    },
  );
});
