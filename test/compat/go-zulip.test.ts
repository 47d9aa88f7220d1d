import { apiKeyOf } from '../support/account-setup';
import type { Member } from '../support/cast';
import { createChannel } from '../support/channel-setup';
import { makeGroup } from '../support/group-setup';
import { HttpClient, type WireAnswer } from '../support/http-client';
import { sendDirect } from '../support/message-setup';
import { TestApp } from '../support/test-app';

/**
 * What go-zulip sends, and the records that it decodes strictly: a key that it does not know is an error to it. It asks
 * every answer for its content type.
 */
let app: TestApp;
let client: HttpClient;
let channelId: number;

beforeAll(async () => {
  app = await TestApp.start();
  await app.nest.listen(0, '127.0.0.1');
  const { olivia, mia } = app.cast;
  client = await clientOf(olivia);
  const anybody = { direct_members: [mia.id], direct_subgroups: [] };
  channelId = await createChannel(app, olivia, 'lunch', {
    principals: [olivia.id, mia.id],
    can_subscribe_group: anybody,
  });
  await makeGroup(app, olivia, 'cooks', { members: [mia.id], can_join_group: anybody });
});

afterAll(() => app.stop());

async function clientOf(member: Member): Promise<HttpClient> {
  const site = `${await app.nest.getUrl()}/api/v1`;
  const credentials = { email: member.email, apiKey: apiKeyOf(app, member) };
  return new HttpClient(site, credentials, { 'user-agent': 'go-zulip/0.3.0', accept: 'application/json' });
}

async function success(answer: Promise<WireAnswer>) {
  const { contentType, body } = await answer;
  expect(contentType).toMatch(/^application\/json/);
  expect(body).toMatchObject({ result: 'success', msg: '' });
  return body;
}

/** Keys of a record that are none of those known. */
function strangers(record: object, known: readonly string[]): string[] {
  return Object.keys(record).filter((key) => !known.includes(key));
}

const CHANNEL = [
  ...[
    'stream_id',
    'name',
    'description',
    'rendered_description',
    'date_created',
    'creator_id',
    'invite_only',
  ],
  ...['is_web_public', 'is_archived', 'stream_post_policy', 'is_announcement_only', 'message_retention_days'],
  ...[
    'history_public_to_subscribers',
    'first_message_id',
    'folder_id',
    'topics_policy',
    'is_recently_active',
  ],
  ...[
    'subscriber_count',
    'stream_weekly_traffic',
    'can_add_subscribers_group',
    'can_administer_channel_group',
  ],
  ...['can_create_topic_group', 'can_delete_any_message_group', 'can_delete_own_message_group'],
  ...['can_move_messages_out_of_channel_group', 'can_move_messages_within_channel_group'],
  ...['can_remove_subscribers_group', 'can_resolve_topics_group', 'can_send_message_group'],
  'can_subscribe_group',
];

const LISTED_CHANNEL = [...CHANNEL, 'is_default'];

const SUBSCRIPTION = [
  ...CHANNEL,
  ...['color', 'is_muted', 'in_home_view', 'pin_to_top', 'desktop_notifications', 'audible_notifications'],
  ...['push_notifications', 'email_notifications', 'wildcard_mentions_notify', 'subscribers'],
  'partial_subscribers',
];

const GROUP = [
  ...['id', 'name', 'description', 'members', 'direct_subgroup_ids', 'is_system_group', 'creator_id'],
  ...['date_created', 'deactivated', 'can_add_members_group', 'can_join_group', 'can_leave_group'],
  ...['can_manage_group', 'can_mention_group', 'can_remove_members_group'],
];

const GROUP_SETTING = ['direct_members', 'direct_subgroups'];
const RECIPIENT = ['id', 'email', 'full_name', 'is_mirror_dummy'];
const PRESENCE = ['client', 'status', 'timestamp', 'pushable'];
const SLIM_PRESENCE = ['active_timestamp', 'idle_timestamp'];

const SNAPSHOT = [
  ...['topic', 'prev_topic', 'stream', 'prev_stream', 'content', 'rendered_content', 'prev_content'],
  ...['prev_rendered_content', 'content_html_diff', 'user_id', 'timestamp'],
];

/** Outer keys of events beside `id`, `type` and `op`. */
const EVENTS: Readonly<Record<string, readonly string[]>> = {
  message: ['message', 'flags', 'local_message_id'],
  update_message: [
    ...['user_id', 'edit_timestamp', 'message_id', 'message_ids', 'flags', 'rendering_only', 'content'],
    ...['rendered_content', 'orig_content', 'orig_rendered_content', 'is_me_message', 'stream_id'],
    ...['stream_name', 'propagate_mode', 'orig_subject', 'subject', 'topic_links', 'new_stream_id'],
  ],
  delete_message: ['message_ids', 'message_id', 'message_type', 'stream_id', 'topic'],
  reaction: ['user_id', 'user', 'message_id', 'emoji_name', 'emoji_code', 'reaction_type'],
  update_message_flags: ['operation', 'flag', 'messages', 'all', 'message_details'],
  subscription: ['subscriptions', 'property', 'value', 'stream_id', 'stream_ids', 'user_ids'],
  stream: [
    ...['streams', 'stream_ids', 'property', 'value', 'name', 'stream_id', 'rendered_description'],
    ...['history_public_to_subscribers', 'is_web_public'],
  ],
  user_group: ['group', 'group_id', 'data', 'user_ids', 'direct_subgroup_ids'],
  user_topic: ['stream_id', 'topic_name', 'last_updated', 'visibility_policy'],
  realm_user: ['person'],
  heartbeat: [],
};

describe('go-zulip decodes strictly', () => {
  it('channels and subscriptions', async () => {
    const { streams } = await success(client.call('GET', '/streams', { include_default: true }));
    const { stream } = await success(client.call('GET', `/streams/${channelId}`));
    const state = await success(
      client.call('POST', '/register', { fetch_event_types: ['stream', 'subscription'] }),
    );
    const channels = [...streams, stream, ...state.streams, ...state.never_subscribed];
    expect(channels.length).toBeGreaterThan(2);
    for (const channel of channels) expect(strangers(channel, LISTED_CHANNEL)).toEqual([]);

    for (const include_subscribers of ['false', 'true', 'partial']) {
      const parameters = { include_subscribers };
      const { subscriptions } = await success(client.call('GET', '/users/me/subscriptions', parameters));
      expect(subscriptions.length).toBeGreaterThan(0);
      for (const subscription of subscriptions) expect(strangers(subscription, SUBSCRIPTION)).toEqual([]);
    }
    expect(strangers(stream.can_subscribe_group, GROUP_SETTING)).toEqual([]);
  });

  it('user groups, and who may do what with them', async () => {
    const { user_groups } = await success(client.call('GET', '/user_groups'));
    for (const group of user_groups) expect(strangers(group, GROUP)).toEqual([]);
    const cooks = user_groups.find(({ name }: { name: string }) => name === 'cooks');
    expect(cooks.can_join_group).toEqual({ direct_members: [app.cast.mia.id], direct_subgroups: [] });
  });

  it('recipients, and what a message once said', async () => {
    const { olivia, mia } = app.cast;
    const id = await sendDirect(app, olivia, [mia], 'first');
    await success(client.call('PATCH', `/messages/${id}`, { content: 'second' }));
    const { message } = await success(client.call('GET', `/messages/${id}`));
    for (const recipient of message.display_recipient) expect(strangers(recipient, RECIPIENT)).toEqual([]);
    const { message_history } = await success(client.call('GET', `/messages/${id}/history`));
    expect(message_history).toHaveLength(2);
    for (const snapshot of message_history) expect(strangers(snapshot, SNAPSHOT)).toEqual([]);
  });

  it('presences in both forms', async () => {
    const alive = { status: 'active', new_user_input: true };
    const { presences } = await success(client.call('POST', '/users/me/presence', alive));
    const sources = Object.values(presences as Record<string, object>).flatMap((each) => Object.values(each));
    expect(sources.length).toBeGreaterThan(0);
    for (const source of sources) expect(strangers(source as object, PRESENCE)).toEqual([]);
    const slim = { ...alive, slim_presence: true };
    const known = (await success(client.call('POST', '/users/me/presence', slim))).presences;
    expect(Object.keys(known)).toContain(String(app.cast.olivia.id));
    for (const presence of Object.values(known))
      expect(strangers(presence as object, SLIM_PRESENCE)).toEqual([]);
  });

  it('the outer keys of events, of which its first poll takes what is there', async () => {
    const { mia, max } = app.cast;
    const { queue_id, last_event_id } = await success(
      client.call('POST', '/register', { event_types: Object.keys(EVENTS), fetch_event_types: [] }),
    );
    const { id } = await success(
      client.call('POST', '/messages', { type: 'channel', to: channelId, topic: 'a', content: 'b' }),
    );
    const path = `/messages/${id}`;
    await success(client.call('POST', `${path}/reactions`, { emoji_name: 'fish' }));
    await success(client.call('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' }));
    await success(client.call('PATCH', path, { content: 'c' }));
    await success(client.call('PATCH', path, { topic: 'd', propagate_mode: 'change_all' }));
    await success(client.call('DELETE', path));
    const topic = { stream_id: channelId, topic: 'd', visibility_policy: 3 };
    await success(client.call('POST', '/user_topics', topic));
    await success(client.call('PATCH', `/streams/${channelId}`, { description: 'What there is' }));
    const subscriptions = [{ name: 'garden' }];
    const principals = [max.id, mia.id];
    await success(client.call('POST', '/users/me/subscriptions', { subscriptions, principals }));
    const mute = [{ stream_id: channelId, property: 'is_muted', value: true }];
    await success(client.call('POST', '/users/me/subscriptions/properties', { subscription_data: mute }));
    const leave = { subscriptions: ['lunch'], principals: [mia.id] };
    await success(client.call('DELETE', '/users/me/subscriptions', leave));
    const group = { name: 'bakers', description: '', members: [mia.id] };
    const { group_id } = await success(client.call('POST', '/user_groups/create', group));
    await success(client.call('POST', `/user_groups/${group_id}/members`, { add: [max.id] }));
    await success(client.call('POST', `/user_groups/${group_id}/deactivate`));
    await success(client.call('PATCH', `/users/${max.id}`, { full_name: 'Maximilian' }));

    const poll = { queue_id, last_event_id, dont_block: true };
    const { events } = await success(client.call('GET', '/events', poll));
    const unknown = events.flatMap(
      ({ id: _, type, op: _op, ...outer }: { type: string } & Record<string, unknown>) =>
        strangers(outer, EVENTS[type] ?? []).map((key) => `${type}: ${key}`),
    );
    expect(unknown).toEqual([]);
    const kinds = new Set(events.map(({ type }: { type: string }) => type));
    expect(Object.keys(EVENTS).filter((type) => type !== 'heartbeat' && !kinds.has(type))).toEqual([]);
    await success(client.call('DELETE', '/events', { queue_id }));
  });
});

describe('go-zulip understands a refusal by its keys', () => {
  const refusals: [string, string, string, object, string, string[]][] = [
    ['a plain one', 'GET', '/streams/9999', {}, 'BAD_REQUEST', []],
    ['a missing parameter', 'POST', '/typing', { op: 'start' }, 'BAD_REQUEST', []],
    ['a missing form field', 'POST', '/messages', {}, 'REQUEST_VARIABLE_MISSING', ['var_name']],
    ['a queue', 'GET', '/events', { queue_id: 'x', last_event_id: -1 }, 'BAD_EVENT_QUEUE_ID', ['queue_id']],
    [
      'a narrow',
      'GET',
      '/messages',
      { anchor: 'newest', narrow: [{ operator: 'sideways', operand: 'x' }] },
      'BAD_NARROW',
      ['desc'],
    ],
    [
      'a channel',
      'POST',
      '/messages',
      { type: 'channel', to: 'nowhere', topic: 'a', content: 'b' },
      'STREAM_DOES_NOT_EXIST',
      ['stream'],
    ],
    [
      'parameters that exclude one another',
      'GET',
      '/messages',
      { message_ids: [1], anchor: 'newest' },
      'BAD_REQUEST',
      ['parameters'],
    ],
  ];

  it.each(refusals)('about %s', async (_what, method, path, values, code, extra) => {
    const { status, contentType, body } = await client.call(method, path, { ...values });
    expect(status).toBe(400);
    expect(contentType).toMatch(/^application\/json/);
    expect(body).toMatchObject({ result: 'error', msg: expect.any(String), code });
    expect(strangers(body, ['result', 'msg', 'code']).sort()).toEqual([...extra].sort());
  });

  it('about too many requests', async () => {
    const busy = await TestApp.start({ env: { RATE_LIMIT_PER_MINUTE: '1' } });
    const mia = busy.as(busy.cast.mia);
    await mia.get('/users/me');
    const { status, body } = await mia.get('/users/me');
    await busy.stop();
    expect({ status, body }).toEqual({
      status: 429,
      body: {
        result: 'error',
        msg: expect.any(String),
        code: 'RATE_LIMIT_HIT',
        'retry-after': expect.any(Number),
      },
    });
  });

  it('about credentials', async () => {
    const stranger = await clientOf(app.cast.mia);
    await app.as(app.cast.mia).post('/users/me/api_key/regenerate');
    const { status, body } = await stranger.call('GET', '/users/me');
    expect({ status, body }).toEqual({
      status: 401,
      body: { result: 'error', msg: 'Invalid API key', code: 'UNAUTHORIZED' },
    });
  });
});
