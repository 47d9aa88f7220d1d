import { byQuery, byRows, type Invariant } from './invariant';
import { BotType, Role } from '../../../../platform/actor';
import { channelNameKey, topicKey } from '../../../channels/channels.module';
import { emailKey } from '../../../users/users.module';

interface AccountRow {
  readonly id: number;
  readonly email: string;
}

const account = ({ id, email }: AccountRow) => `Account ${id} (${email})`;
const ACCOUNT = 'a.id, a.delivery_email AS email';

/** Invariants of people and bots. */
/** The total size of each owner's uploads, including thumbnails. */
const TAKEN = `SELECT a.owner_id, SUM(a.size + COALESCE(p.bytes, 0)) AS bytes
  FROM attachment a LEFT JOIN attachment_picture p ON p.attachment_id = a.id GROUP BY a.owner_id`;

export const accountInvariants: readonly Invariant[] = [
  byQuery(
    'last-owner',
    'There is an active person who is an owner.',
    `SELECT 1 AS missing WHERE EXISTS (SELECT 1 FROM account) AND NOT EXISTS
       (SELECT 1 FROM account WHERE role = ${Role.owner} AND is_active AND NOT is_bot)`,
    () => 'No active user is an owner.',
  ),
  byQuery<AccountRow & { role: number }>(
    'roles',
    'Every account has one of the roles there are.',
    `SELECT ${ACCOUNT}, role FROM account a WHERE role NOT IN (${Object.values(Role).join(', ')})`,
    (row) => `${account(row)} has the role ${row.role}.`,
  ),
  byRows<AccountRow & { key: string }>(
    'account-addresses',
    'The form of an address that must be unique belongs to the address.',
    `SELECT ${ACCOUNT}, a.email_key AS key FROM account a`,
    (row) => (row.key === emailKey(row.email) ? null : `${account(row)} is kept under "${row.key}".`),
  ),
  byQuery<AccountRow>(
    'bots',
    'Bots have a kind and no password, and people own them; people have neither kind nor owner.',
    `SELECT ${ACCOUNT} FROM account a LEFT JOIN account o ON o.id = a.bot_owner_id
     WHERE (a.is_bot AND (a.bot_type IS NULL OR a.password_hash IS NOT NULL OR o.is_bot))
       OR (NOT a.is_bot AND (a.bot_type IS NOT NULL OR a.bot_owner_id IS NOT NULL))`,
    (row) => `${account(row)} is neither a bot nor a person.`,
  ),
  byQuery<AccountRow>(
    'bot-services',
    'Bots with an outgoing webhook have an address to call, and only they.',
    `SELECT ${ACCOUNT} FROM account a LEFT JOIN bot_service s ON s.bot_id = a.id
     WHERE (s.bot_id IS NOT NULL) <> (COALESCE(a.bot_type, 0) = ${BotType.outgoingWebhook})`,
    (row) => `${account(row)} has the webhook of another kind of account, or lacks its own.`,
  ),
  byQuery<AccountRow>(
    'tombstones',
    'Deleted accounts are not active, and nothing of theirs is left to sign in with or to receive by.',
    `SELECT ${ACCOUNT} FROM account a WHERE a.is_deleted AND (a.is_active OR a.password_hash IS NOT NULL
       OR EXISTS (SELECT 1 FROM subscription s WHERE s.user_id = a.id)
       OR EXISTS (SELECT 1 FROM user_group_member m WHERE m.user_id = a.id)
       OR EXISTS (SELECT 1 FROM login_session l WHERE l.user_id = a.id)
       OR EXISTS (SELECT 1 FROM event_queue q WHERE q.user_id = a.id))`,
    (row) => `${account(row)} is deleted, and yet something of it is left.`,
  ),
  byQuery<AccountRow>(
    'login-sessions',
    'Only active people are signed in to the companion interface.',
    `SELECT DISTINCT ${ACCOUNT} FROM login_session l JOIN account a ON a.id = l.user_id
     WHERE a.is_bot OR NOT a.is_active`,
    (row) => `${account(row)} has a session.`,
  ),
  byQuery<{ id: number }>(
    'invitations',
    'An invitation names the address of one person while it is open, and never any other; who came with it is known of used ones alone.',
    `SELECT id FROM invitation WHERE (email <> '') <> (state = 'open' AND NOT is_multiuse)
       OR (ended_at IS NULL) <> (state = 'open') OR (used_by_id IS NOT NULL AND state <> 'used')`,
    ({ id }) => `What is known of invitation ${id} does not fit what became of it.`,
  ),
  byQuery<{ user_id: number }>(
    'muted-users',
    'No user mutes themselves.',
    'SELECT user_id FROM muted_user WHERE user_id = muted_user_id',
    (row) => `Account ${row.user_id} mutes itself.`,
  ),
  byQuery<{ id: number; bytes: number }>(
    'upload-space',
    'What uploads take is counted, for each account and for all together.',
    `SELECT a.id, COALESCE(f.bytes, 0) AS bytes FROM account a LEFT JOIN upload_space s ON s.user_id = a.id
       LEFT JOIN (${TAKEN}) f ON f.owner_id = a.id
       WHERE COALESCE(s.bytes, 0) <> COALESCE(f.bytes, 0)
     UNION ALL SELECT 0, f.bytes FROM (SELECT COALESCE(SUM(bytes), 0) AS bytes FROM (${TAKEN}) each_owner) f
       WHERE f.bytes <> COALESCE((SELECT CAST(value AS bigint) FROM server_state WHERE key = 'upload_space_used'), 0)`,
    ({ id, bytes }) =>
      id === 0 ? `All uploads take ${bytes} bytes.` : `The uploads of account ${id} take ${bytes} bytes.`,
  ),
];

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
