import { type Call, form, ROUNDS } from './comparison';
import { SEARCHED, type Seeded } from './seed';

/** A bot's registration. It omits unread messages: here they would be most of a million. */
export const REGISTERED = {
  fetch_event_types: JSON.stringify([
    'realm',
    'realm_emoji',
    'realm_user',
    'realm_user_groups',
    'stream',
    'subscription',
    'user_settings',
    'user_topic',
  ]),
};

/** Lists in the answer to {@link REGISTERED} that the yardstick reads from the database. */
export const REGISTERED_LISTS = [
  'realm_users',
  'realm_user_groups',
  'streams',
  'subscriptions',
  'never_subscribed',
];

const REACTIONS = ['tada', '+1', 'heart', 'octopus', 'smile', 'rocket', 'eyes', 'fire', 'check', 'wave'];

/**
 * The measured calls, with goals for their CPU time as a multiple of the yardstick's.
 * @param count number of messages in the big channel
 */
export function callsOf({ bigChannelId, postedChannelId, firstMessageId }: Seeded, count: number): Call[] {
  let next = 0;
  let reactions = 0;
  let read = 0;
  /** The next messages of the big channel to mark as read. */
  const nextMessages = (some: number) => {
    const ids = Array.from({ length: some }, (_, n) => firstMessageId + ((read + n) % count));
    read += some;
    return form({ messages: JSON.stringify(ids), op: 'add', flag: 'read' });
  };
  return [
    { name: 'own user', goal: 1.1, method: 'GET', path: '/users/me' },
    { name: 'channel list (1,000, 200 visible)', goal: 0.33, method: 'GET', path: '/streams' },
    { name: 'list of user groups (500)', method: 'GET', path: '/user_groups' },
    { name: 'topics of a channel', goal: 1, method: 'GET', path: `/users/me/${bigChannelId}/topics` },
    { name: '100 newest messages', goal: 1.3, method: 'GET', path: newest(100, []) },
    {
      name: `search (${SEARCHED.messages} hits)`,
      goal: 1.3,
      method: 'GET',
      path: newest(SEARCHED.messages, [['search', SEARCHED.word]]),
    },
    { name: 'register', goal: 1.3, method: 'POST', path: '/register', body: () => form(REGISTERED) },
    {
      name: 'subscribe (makes a channel)',
      goal: 1.3,
      method: 'POST',
      path: '/users/me/subscriptions',
      body: () => form({ subscriptions: JSON.stringify([{ name: `made ${next++}`, description: 'New' }]) }),
    },
    {
      name: 'send',
      method: 'POST',
      path: '/messages',
      body: () =>
        form({
          type: 'channel',
          to: String(postedChannelId),
          topic: `topic ${next++ % 20}`,
          content: 'Soup **at noon**?',
        }),
    },
    {
      name: 'add a reaction',
      method: 'POST',
      path: () => `/messages/${firstMessageId + (reactions % count)}/reactions`,
      body: () => form({ emoji_name: REACTIONS[Math.floor(reactions++ / count) % REACTIONS.length] ?? '' }),
    },
    { name: 'mark a message as read', method: 'POST', path: '/messages/flags', body: () => nextMessages(1) },
    {
      name: 'mark 1,000 messages as read',
      goal: 1.2,
      method: 'POST',
      path: '/messages/flags',
      body: () => nextMessages(1000),
      requests: Math.floor(count / 1000 / (ROUNDS + 1)),
    },
  ];
}

function newest(count: number, narrow: readonly unknown[]): string {
  const fields = {
    anchor: 'newest',
    num_before: String(count),
    num_after: '0',
    narrow: JSON.stringify(narrow),
  };
  return `/messages?${form(fields)}`;
}
