import { apiKeyOf } from '../support/account-setup';
import type { Member } from '../support/cast';
import { createChannel } from '../support/channel-setup';
import { HttpClient, type WireAnswer } from '../support/http-client';
import { sendDirect, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';

/** What zulip-terminal sends, in its order, and what it fails without. */
let app: TestApp;
let origin: string;
let channelId: number;
let client: HttpClient;

beforeAll(async () => {
  app = await TestApp.start();
  await app.nest.listen(0, '127.0.0.1');
  origin = await app.nest.getUrl();
  const { mia, max } = app.cast;
  channelId = await createChannel(app, mia, 'lunch', { principals: [mia.id, max.id] });
  await sendTo(app, max, channelId, 'Tuesday', 'soup');
  await sendDirect(app, max, [mia], 'psst');
  client = clientOf(mia);
});

afterAll(() => app.stop());

const HEADERS = { 'user-agent': 'ZulipTerminal/0.7.0 (Linux; 6.12)' };

const clientOf = (member: Member) =>
  new HttpClient(`${origin}/api/v1`, { email: member.email, apiKey: apiKeyOf(app, member) }, HEADERS);

function success({ body }: WireAnswer) {
  expect(body).toMatchObject({ result: 'success', msg: '' });
  return body;
}

const REGISTER = {
  event_types: [
    ...['message', 'update_message', 'reaction', 'submessage', 'subscription', 'typing'],
    ...['update_message_flags', 'user_settings', 'realm_emoji', 'realm_user'],
  ],
  fetch_event_types: [
    ...['realm', 'presence', 'subscription', 'message', 'starred_messages', 'update_message_flags'],
    ...['muted_topics', 'realm_user', 'realm_user_groups', 'user_settings', 'realm_emoji'],
    ...['custom_profile_fields', 'zulip_version'],
  ],
  client_gravatar: true,
  apply_markdown: true,
  include_subscribers: true,
};

const INITIAL_MESSAGES = {
  anchor: 0,
  use_first_unread_anchor: true,
  num_before: 30,
  num_after: 10,
  apply_markdown: true,
  client_gravatar: true,
  narrow: [],
};

/** Keys of the answer to registering that the program reads and fails without. */
const READ = [
  ...['queue_id', 'last_event_id', 'user_id', 'email', 'full_name', 'realm_name', 'zulip_version'],
  ...['zulip_feature_level', 'realm_users', 'cross_realm_bots', 'presences', 'subscriptions', 'muted_topics'],
  ...['realm_user_groups', 'unread_msgs', 'starred_messages', 'realm_emoji', 'custom_profile_fields'],
  ...['user_settings', 'realm_message_retention_days', 'realm_allow_message_editing', 'max_message_id'],
  ...['realm_message_content_edit_limit_seconds', 'realm_allow_edit_history', 'max_stream_name_length'],
  ...['max_stream_description_length', 'max_topic_length', 'max_message_length'],
  ...['server_typing_started_expiry_period_milliseconds', 'server_typing_stopped_wait_period_milliseconds'],
  ...['server_typing_started_wait_period_milliseconds', 'server_presence_ping_interval_seconds'],
  'server_presence_offline_threshold_seconds',
];

const SUBSCRIPTION_KEYS = [
  ...['stream_id', 'name', 'subscribers', 'color', 'pin_to_top', 'is_muted', 'desktop_notifications'],
  ...['invite_only', 'is_web_public', 'message_retention_days', 'date_created', 'description'],
];

const SETTINGS = [
  'send_private_typing_notifications',
  'twenty_four_hour_time',
  'pm_content_in_desktop_notifications',
];

describe('zulip-terminal', () => {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the answer as it is
  let state: any;

  it('reads from the settings of the server how to sign in, without signing in', async () => {
    const settings = (await (await fetch(`${origin}/api/v1/server_settings`)).json()) as object;
    for (const key of ['realm_name', 'realm_uri', 'email_auth_enabled', 'require_email_format_usernames']) {
      expect(settings).toHaveProperty(key);
    }
    expect(settings).toHaveProperty('external_authentication_methods', []);
  });

  it('starts: messages and state at the same time, with all keys that it reads', async () => {
    const { mia } = app.cast;
    success(await client.call('POST', '/users/me/presence', { status: 'active', new_user_input: true }));
    const [messages, registered] = await Promise.all([
      client.call('GET', '/messages', INITIAL_MESSAGES),
      client.call('POST', '/register', REGISTER),
    ]);
    expect(success(messages).messages).toHaveLength(2);
    state = success(registered);
    expect(READ.filter((key) => state[key] === undefined)).toEqual([]);
    expect(state.realm_users.map(({ user_id }: { user_id: number }) => user_id)).toContain(mia.id);
    const [subscription] = state.subscriptions;
    expect(SUBSCRIPTION_KEYS.filter((key) => subscription[key] === undefined)).toEqual([]);
    expect(subscription.color).toMatch(/^#([0-9a-f]{3}|[0-9a-f]{6})$/i);
    expect(SETTINGS.filter((key) => state.user_settings[key] === undefined)).toEqual([]);
    expect(state.presences[mia.email]).toMatchObject({
      aggregated: { status: 'active', timestamp: expect.any(Number) },
      website: { status: 'active' },
    });
    for (const list of [...state.unread_msgs.pms, ...state.unread_msgs.streams]) {
      expect(list.unread_message_ids).toHaveLength(1);
    }
  });

  it('says that it is there, and sees who else is', async () => {
    const alive = { status: 'active', ping_only: false, new_user_input: false };
    const { presences } = success(await client.call('POST', '/users/me/presence', alive));
    for (const presence of Object.values(presences)) {
      expect(presence).toHaveProperty('aggregated.timestamp', expect.any(Number));
    }
    expect(presences).toHaveProperty([app.cast.mia.email]);
  });

  it('sends to topics and people in the words of old', async () => {
    const { max } = app.cast;
    const inTopic = {
      type: 'stream',
      to: 'lunch',
      subject: 'Tuesday',
      content: 'stew',
      read_by_sender: true,
    };
    success(await client.call('POST', '/messages', inTopic));
    const direct = { type: 'private', to: [max.id], content: 'hi', read_by_sender: true };
    success(await client.call('POST', '/messages', direct));
    for (const op of ['start', 'stop']) success(await client.call('POST', '/typing', { to: [max.id], op }));
    const { topics } = success(await client.call('GET', `/users/me/${channelId}/topics`));
    expect(topics).toEqual([expect.objectContaining({ name: 'Tuesday' })]);
    const { messages } = success(
      await client.call('GET', '/messages', {
        ...INITIAL_MESSAGES,
        narrow: [['pm-with', [max.email].join(', ')]],
      }),
    );
    expect(messages).toHaveLength(2);
  });

  it('edits, reacts and flags, and reads the text of a message', async () => {
    const { mia } = app.cast;
    const message_id = await sendTo(app, mia, channelId, 'Friday', 'fisch');
    const edit = { message_id, content: 'fish', propagate_mode: 'change_one', topic: 'Friday' };
    success(await client.call('PATCH', `/messages/${message_id}`, edit));
    const reaction = { emoji_name: 'fish', emoji_code: '1f41f', reaction_type: 'unicode_emoji', message_id };
    success(await client.call('POST', `/messages/${message_id}/reactions`, reaction));
    success(await client.call('DELETE', `/messages/${message_id}/reactions`, reaction));
    const flags = { messages: [message_id], flag: 'starred', op: 'add' };
    success(await client.call('POST', '/messages/flags', flags));
    expect(success(await client.call('GET', `/messages/${message_id}`)).raw_content).toBe('fish');
    const { message_history } = success(await client.call('GET', `/messages/${message_id}/history`));
    expect(message_history).toHaveLength(2);
  });

  it('changes a subscription, and writes a path with a slash too many', async () => {
    const subscription_data = [{ stream_id: channelId, property: 'is_muted', value: true }];
    success(await client.call('POST', '/users/me/subscriptions/properties', { subscription_data }));
    const { email } = success(await client.call('GET', `//streams/${channelId}/email_address`));
    expect(email).toContain('@');
  });

  it('polls, finds what it needs in the events, and ends its queue when it ends', async () => {
    const { queue_id, last_event_id } = state;
    const { events } = success(await client.call('GET', '/events', { queue_id, last_event_id }));
    const changed = events.find(({ type }: { type: string }) => type === 'update_message');
    expect(changed).toMatchObject({
      message_ids: [changed.message_id],
      flags: expect.any(Array),
      is_me_message: false,
    });
    const reaction = events.find(({ type }: { type: string }) => type === 'reaction');
    const { id: user_id, email, fullName: full_name } = app.cast.mia;
    expect(reaction).toMatchObject({ op: 'add', user: { user_id, email, full_name } });
    const kinds = events.map(({ type }: { type: string }) => type);
    expect(kinds).toEqual(expect.arrayContaining(['message', 'reaction', 'update_message_flags', 'typing']));
    success(await client.call('DELETE', '/events', { queue_id }));
    const gone = await client.call('GET', '/events', { queue_id, last_event_id });
    expect(gone.body).toMatchObject({ result: 'error', code: 'BAD_EVENT_QUEUE_ID' });
  });
});
