import type { Answer } from '../support/api-client';
import { createChannel } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';

/** Parameters of a megabyte do not keep everybody waiting: what is too much is refused before it is parsed. */

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

const IDS = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const KEYS = (count: number) => Object.fromEntries(IDS(count).map((id) => [`k${id}`, '']));
const olivia = () => app.as(app.cast.olivia);
/** Permissions of the organization. */
const SETTINGS = [
  'can_add_custom_emoji_group',
  'can_add_subscribers_group',
  'can_create_bots_group',
  'can_create_groups',
  'can_create_private_channel_group',
  'can_create_public_channel_group',
  'can_delete_any_message_group',
  'can_delete_own_message_group',
  'can_manage_all_groups',
  'can_move_messages_between_channels_group',
  'can_move_messages_between_topics_group',
  'can_resolve_topics_group',
  'can_set_topics_policy_group',
];
const robo = () => app.as(app.cast.robo);

describe('Refused before they are parsed are', () => {
  it.each<[string, () => Promise<Answer>, string, Record<string, unknown>?]>([
    [
      'capabilities',
      () => olivia().post('/register', { client_capabilities: KEYS(50_000) }),
      'client_capabilities is too long (limit: 65536 characters)',
    ],
    [
      'keys of bots',
      () => robo().put('/bot_storage', { storage: KEYS(1_001) }),
      'storage is too long (limit: 1000 items)',
    ],
    [
      'people of a permission',
      () =>
        olivia().patch('/realm', {
          can_create_groups: { new: { direct_members: IDS(10_001), direct_subgroups: [] } },
        }),
      'can_create_groups is too long (limit: 10000 items)',
      { expected: expect.any(String) },
    ],
    [
      'settings of channels',
      () =>
        olivia().post('/users/me/subscriptions/properties', {
          subscription_data: IDS(7_000).map((stream_id) => ({ stream_id })),
        }),
      'subscription_data is too long (limit: 131072 characters)',
    ],
    [
      'values of profile fields',
      () => olivia().patch('/users/me/profile_data', { data: IDS(501).map((id) => ({ id, value: 'x' })) }),
      'data is too long (limit: 500 items)',
    ],
    [
      'messages',
      () => olivia().post('/messages/flags', { messages: IDS(120_001), op: 'add', flag: 'read' }),
      'messages is too long (limit: 120000 items)',
    ],
    [
      'linkifiers',
      () => olivia().patch('/realm/linkifiers', { ordered_linkifier_ids: IDS(20_001) }),
      'ordered_linkifier_ids is too long (limit: 20000 items)',
    ],
    [
      'subscribers',
      () => olivia().post('/channels/create', { name: 'crowd', subscribers: IDS(20_001) }),
      'subscribers is too long (limit: 20000 items)',
    ],
    [
      'recipients',
      () => olivia().post('/messages', { type: 'direct', to: IDS(20_000), content: 'x' }),
      'to is too long (limit: 65536 characters)',
    ],
    [
      'drafts',
      () => olivia().post('/drafts', { drafts: Array(7_000).fill([0, 0]) }),
      'drafts is too long (limit: 10000 items)',
    ],
  ])('%s', async (_what, request, message, data = {}) => {
    expectError(await request(), message, { data });
  });
});

it('Refused are parameters that are too much together, and none of which is by itself', async () => {
  const people = { direct_members: IDS(4_900).map((id) => 1_000_000 + id), direct_subgroups: [] };
  const groups = (count: number) => {
    const change = { new: people, old: people };
    return Object.fromEntries(SETTINGS.slice(0, count).map((setting) => [setting, change]));
  };
  expectError(await olivia().patch('/realm', groups(12)), "'old' value does not match the expected value.", {
    code: 'EXPECTATION_MISMATCH',
    data: { field_name: 'old' },
  });
  expectError(
    await olivia().patch('/realm', groups(13)),
    'Too many parameter values in total (limit: 120000)',
  );
});

describe('Taken is what people and programs really send:', () => {
  it('drafts as long as messages, as many as may be kept', async () => {
    const channel = await createChannel(app, app.cast.olivia, 'drafts');
    const draft = (content: string) => ({ type: 'stream', to: [channel], topic: 'x', content });
    const long = Array(50).fill(draft('é'.repeat(10_000)));
    expect(expectSuccess(await olivia().post('/drafts', { drafts: long })).ids).toHaveLength(50);
    const many = Array(450).fill(draft('x'));
    expect(expectSuccess(await olivia().post('/drafts', { drafts: many })).ids).toHaveLength(450);
  });

  it("a bot's value of half a million characters, and a thousand keys", async () => {
    expectSuccess(await robo().put('/bot_storage', { storage: { long: 'x'.repeat(900_000) } }));
    expectSuccess(await robo().put('/bot_storage', { storage: KEYS(1_000) }));
    expectSuccess(await robo().delete('/bot_storage', { keys: Object.keys(KEYS(1_000)) }));
  });

  it('a thousand words', async () => {
    const alert_words = IDS(1_000).map((id) => `${'ж'.repeat(90)}${id}`);
    expect(expectSuccess(await olivia().post('/users/me/alert_words', { alert_words })).alert_words).toEqual(
      expect.arrayContaining(alert_words),
    );
  });

  it('thousands of people of a permission, none of whom is there', async () => {
    const direct_members = IDS(5_000).map((id) => 1_000_000 + id);
    const answer = await olivia().patch('/realm', {
      can_create_groups: { new: { direct_members, direct_subgroups: [] } },
    });
    expectError(answer, 'Invalid user ID: 1000001');
  });
});
