import { channelNameKey, topicKey } from '../../../channels/channels.module';
import { byQuery, byRows, type Invariant } from './invariant';

interface Named {
  readonly id: number;
  readonly name: string;
  readonly key: string;
}

interface Subscriber {
  readonly user_id: number;
  readonly channel_id: number;
}

const subscriber = ({ user_id, channel_id }: Subscriber) => `Account ${user_id} in channel ${channel_id}`;

/** Invariants of channels, subscriptions and topics. */
export const channelInvariants: readonly Invariant[] = [
  byRows<Named>(
    'channel-names',
    'The form of the name of a channel that must be unique belongs to the name.',
    'SELECT id, name, name_key AS key FROM channel',
    (row) =>
      row.key === channelNameKey(row.name) ? null : `Channel ${row.id}, "${row.name}", has "${row.key}".`,
  ),
  byQuery<{ id: number; name: string }>(
    'channel-privacy',
    'What everybody on the web may read is not private, and shows its history.',
    `SELECT id, name FROM channel WHERE is_web_public AND (is_private OR NOT is_history_public_to_subscribers)`,
    (row) => `Channel ${row.id}, "${row.name}", is both.`,
  ),
  byQuery<{ id: number; first_message_id: number | null; oldest: number | null }>(
    'channel-first-messages',
    'A channel knows its oldest message.',
    `SELECT c.id, c.first_message_id, (SELECT MIN(m.id) FROM message m WHERE m.channel_id = c.id) AS oldest
     FROM channel c WHERE COALESCE(c.first_message_id, 0)
       <> COALESCE((SELECT MIN(m.id) FROM message m WHERE m.channel_id = c.id), 0)`,
    (row) => `Channel ${row.id} says ${row.first_message_id}, and it is ${row.oldest}.`,
  ),
  byQuery<{ id: number; name: string; count: number; messages: number; max: number; newest: number | null }>(
    'topics',
    'A topic knows how many messages it has, and the newest; topics without any are gone.',
    `SELECT t.id, t.name, t.message_count AS count, COUNT(m.id) AS messages, t.max_message_id AS max,
       MAX(m.id) AS newest
     FROM topic t LEFT JOIN message m ON m.topic_id = t.id
     GROUP BY t.id, t.name, t.message_count, t.max_message_id
     HAVING COUNT(m.id) = 0 OR COUNT(m.id) <> t.message_count OR MAX(m.id) <> t.max_message_id`,
    (row) =>
      `Topic ${row.id}, "${row.name}", says ${row.count} up to ${row.max}, and has ${row.messages} up to ${row.newest}.`,
  ),
  byRows<Named>(
    'topic-names',
    'The form of the name of a topic that must be unique belongs to the name.',
    'SELECT id, name, name_key AS key FROM topic',
    (row) => (row.key === topicKey(row.name) ? null : `Topic ${row.id}, "${row.name}", has "${row.key}".`),
  ),
  byRows<{ user_id: number; name: string; key: string }>(
    'topic-preferences',
    'What people chose for a topic is kept under the form of its name that must be unique.',
    'SELECT user_id, topic_name AS name, topic_key AS key FROM user_topic',
    (row) =>
      row.key === topicKey(row.name) ? null : `Account ${row.user_id}: "${row.name}" has "${row.key}".`,
  ),
  byQuery<Subscriber>(
    'subscription-periods',
    'Subscription periods end after they begin, and do not overlap.',
    `SELECT p.user_id, p.channel_id FROM subscription_period p
     WHERE p.last_message_id < p.first_message_id OR EXISTS (
       SELECT 1 FROM subscription_period q
       WHERE q.user_id = p.user_id AND q.channel_id = p.channel_id AND q.id <> p.id
         AND q.first_message_id <= COALESCE(p.last_message_id, q.first_message_id)
         AND p.first_message_id <= COALESCE(q.last_message_id, p.first_message_id))`,
    (row) => `${subscriber(row)} has periods that do not fit.`,
  ),
  byQuery<Subscriber>(
    'open-periods',
    'A period is open exactly where an active account is subscribed.',
    `SELECT s.user_id, s.channel_id FROM subscription s JOIN account a ON a.id = s.user_id
     WHERE (s.is_active AND a.is_active) <> EXISTS (
       SELECT 1 FROM subscription_period p
       WHERE p.user_id = s.user_id AND p.channel_id = s.channel_id AND p.last_message_id IS NULL)
     UNION SELECT p.user_id, p.channel_id FROM subscription_period p
     WHERE p.last_message_id IS NULL AND NOT EXISTS (
       SELECT 1 FROM subscription s WHERE s.user_id = p.user_id AND s.channel_id = p.channel_id)`,
    (row) => `${subscriber(row)}: the subscription and the periods disagree.`,
  ),
];
