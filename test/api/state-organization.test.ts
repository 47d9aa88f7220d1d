import sharp from 'sharp';
import { expectSuccess } from '../support/expect-answer';
import { deactivateGroup, makeGroup, systemGroupId } from '../support/group-setup';
import { stateOf } from '../support/initial-state';
import { sendDirect } from '../support/message-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  const env = { MAX_UPLOAD_MIB: '7', SERVER_MODE: 'development', WEB_PUBLIC_STREAMS_ENABLED: 'true' };
  app = await TestApp.start({ env });
  expectSuccess(await app.as(app.cast.olivia).patch('/realm', { enable_spectator_access: true }));
});

afterAll(() => app.stop());

const organization = (member = app.cast.mia) => stateOf(app, member, { wanted: ['realm'] });

describe('The organization in the state', () => {
  it('is what the settings say, and what follows for older clients [EVT-2c]', async () => {
    expectSuccess(
      await app.as(app.cast.olivia).patch('/realm', {
        name: 'Acme',
        description: 'All **of** us',
        message_retention_days: 30,
        topics_policy: 'disable_empty_topic',
        message_edit_history_visibility_policy: 'none',
        message_content_edit_limit_seconds: 'unlimited',
        move_messages_within_stream_limit_seconds: 60,
      }),
    );
    expect(await organization()).toMatchObject({
      realm_name: 'Acme',
      realm_description: 'All **of** us',
      realm_message_retention_days: 30,
      realm_topics_policy: 'disable_empty_topic',
      realm_enable_spectator_access: true,
      realm_mandatory_topics: true,
      realm_message_edit_history_visibility_policy: 'none',
      realm_allow_edit_history: false,
      realm_message_content_edit_limit_seconds: null,
      realm_move_messages_within_stream_limit_seconds: 60,
      realm_new_stream_announcements_stream_id: -1,
      realm_url: 'http://chat.example.com',
      realm_uri: 'http://chat.example.com',
      realm_bot_domain: 'chat.example.com',
    });
  });

  it('has a name that nobody gave it and that is the same for all, by which clients draw pictures', async () => {
    const { realm_uuid: uuid } = await organization();
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(await organization(app.cast.gus)).toMatchObject({ realm_uuid: uuid });
    const change = await app.as(app.cast.olivia).patch('/realm', { uuid: 'mine', name: 'Acme' });
    expectSuccess(change, { ignored: ['uuid'] });
    expect(await organization()).toMatchObject({ realm_uuid: uuid });
  });

  it('gives the lengths and limits of the server, whatever they are set to [EVT-2b]', async () => {
    expect(await organization()).toMatchObject({
      max_stream_name_length: 60,
      max_stream_description_length: 1024,
      max_topic_length: 60,
      max_message_length: 10_000,
      max_file_upload_size_mib: 7,
      password_min_length: 8,
      server_presence_ping_interval_seconds: 60,
      server_presence_offline_threshold_seconds: 200,
      server_typing_started_expiry_period_milliseconds: 45_000,
      server_typing_stopped_wait_period_milliseconds: 12_000,
      server_typing_started_wait_period_milliseconds: 30_000,
      event_queue_longpoll_timeout_seconds: 90,
      development_environment: true,
      server_web_public_streams_enabled: true,
    });
  });

  it('holds the value of every permission, and the older number that goes with some [EVT-2c]', async () => {
    const { olivia, mia } = app.cast;
    const holders = { direct_members: [mia.id], direct_subgroups: [systemGroupId(app, 'role:owners')] };
    expectSuccess(
      await app.as(olivia).patch('/realm', {
        can_create_public_channel_group: { new: systemGroupId(app, 'role:moderators') },
        can_create_private_channel_group: { new: holders },
      }),
    );
    expect(await organization()).toMatchObject({
      realm_can_create_public_channel_group: systemGroupId(app, 'role:moderators'),
      realm_create_public_stream_policy: 4,
      realm_can_create_private_channel_group: holders,
      realm_create_private_stream_policy: 1,
      realm_can_create_web_public_channel_group: systemGroupId(app, 'role:owners'),
      realm_create_web_public_stream_policy: 7,
      realm_can_mention_many_users_group: systemGroupId(app, 'role:administrators'),
      realm_wildcard_mention_policy: 5,
      realm_direct_message_permission_group: systemGroupId(app, 'role:everyone'),
    });
  });

  it('says what each permission accepts', async () => {
    const { realm, stream, group } = (await organization()).server_supported_permission_settings;
    expect(Object.keys(realm)).toHaveLength(25);
    expect(Object.keys(stream)).toHaveLength(11);
    expect(Object.keys(group)).toHaveLength(6);
    expect(realm.can_access_all_users_group).toEqual({
      require_system_group: true,
      allow_internet_group: false,
      allow_nobody_group: false,
      allow_everyone_group: true,
      default_group_name: 'role:everyone',
      default_for_system_groups: null,
      allowed_system_groups: ['role:everyone', 'role:members'],
    });
    expect(stream.can_administer_channel_group).toMatchObject({
      default_group_name: 'channel_creator',
      require_system_group: false,
      allow_everyone_group: false,
      allowed_system_groups: [],
    });
    expect(group.can_manage_group).toMatchObject({
      default_group_name: 'group_creator',
      default_for_system_groups: 'role:nobody',
    });
    expect(group.can_mention_group.allowed_system_groups).not.toContain('role:owners');
    expect(group.can_mention_group.allowed_system_groups).toContain('role:nobody');
  });

  it('looks closed to people without an account', async () => {
    expect(await stateOf(app, null)).toMatchObject({
      realm_allow_message_editing: false,
      realm_presence_disabled: true,
    });
    expect(await organization()).toMatchObject({
      realm_allow_message_editing: true,
      realm_presence_disabled: false,
    });
  });
});

describe('User groups in the state', () => {
  it('are those of GET /user_groups, and those out of use for clients that know such', async () => {
    const { olivia, mia } = app.cast;
    await makeGroup(app, olivia, 'crew', { members: [mia.id] });
    await deactivateGroup(app, await makeGroup(app, olivia, 'gone'));
    for (const deactivated of [false, true]) {
      const state = await stateOf(app, mia, {
        wanted: ['realm_user_groups'],
        capabilities: deactivated ? ['include_deactivated_groups'] : [],
      });
      const listed = await app.as(mia).get('/user_groups', { include_deactivated_groups: deactivated });
      expect(state).toEqual({ realm_user_groups: expectSuccess(listed).user_groups });
    }
  });
});

describe('Bots in the state', () => {
  it('are told to their owner and to administrators, without keys', async () => {
    const { adam, mia, max, robo, gus } = app.cast;
    const { user_id } = expectSuccess(
      await app.as(max).post('/bots', {
        full_name: 'Caller',
        short_name: 'caller',
        bot_type: 3,
        payload_url: '"https://example.com/hook"',
        service_name: 'hook',
      }),
    );
    const bots = async (member = mia) => (await stateOf(app, member, { wanted: ['realm_bot'] })).realm_bots;
    const plain = {
      user_id: robo.id,
      default_sending_stream: null,
      default_events_register_stream: null,
      default_all_public_streams: false,
      services: [],
    };
    const caller = {
      ...plain,
      user_id,
      services: [{ base_url: 'https://example.com/hook', interface: 1, token: expect.any(String) }],
    };
    expect(await bots(mia)).toEqual([plain]);
    expect(await bots(max)).toEqual([caller]);
    expect(await bots(adam)).toEqual([plain, caller]);
    expect(await bots(gus)).toEqual([]);
    expect((await stateOf(app, null)).realm_bots).toEqual([]);
  });
});

describe('Direct messages in the state', () => {
  it('are conversations, the one with the newest message first, without the reader', async () => {
    const { mia, max, gus, olivia } = app.cast;
    const alone = await sendDirect(app, mia, [mia]);
    const group = await sendDirect(app, max, [mia, gus]);
    const pair = await sendDirect(app, mia, [max]);
    await sendDirect(app, olivia, [max]);
    const recent = async (member = mia) => (await stateOf(app, member)).recent_private_conversations;
    expect(await recent(mia)).toEqual([
      { max_message_id: pair, user_ids: [max.id] },
      { max_message_id: group, user_ids: [max.id, gus.id] },
      { max_message_id: alone, user_ids: [] },
    ]);
    const again = await sendDirect(app, gus, [max, mia]);
    expect((await recent(gus))[0]).toEqual({ max_message_id: again, user_ids: [max.id, mia.id] });
    expect((await stateOf(app, null)).recent_private_conversations).toEqual([]);
  });
});

describe('Emoji in the state', () => {
  it('are those of GET /realm/emoji', async () => {
    const { mia } = app.cast;
    const content = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#0f0' } })
      .png()
      .toBuffer();
    expectSuccess(await app.as(mia).upload('/realm/emoji/green', { name: 'e.png', content }));
    const { emoji } = expectSuccess(await app.as(mia).get('/realm/emoji'));
    expect(await stateOf(app, mia, { wanted: ['realm_emoji'] })).toEqual({ realm_emoji: emoji });
    expect(Object.values(emoji)).toMatchObject([{ name: 'green' }]);
  });

  it('come with the address of all names of Unicode emoji, which anybody may load', async () => {
    const address = new URL((await organization()).server_emoji_data_url);
    expect(address.origin).toBe('http://chat.example.com');
    const answer = await app.client().send({ method: 'GET', url: `${address.pathname}${address.search}` });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.headers['cache-control']).toContain('immutable');
    expect(answer.body.code_to_names['1f44d'][0]).toBe('+1');
    expect(Object.keys(answer.body.code_to_names).length).toBeGreaterThan(1000);
  });
});
