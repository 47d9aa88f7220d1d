import { Flag, isCanonicalBlock, membersKey, MessageFact } from '../../../messages/messages.module';
import { byQuery, byRows, type Invariant } from './invariant';

const ALL_FLAGS = 2 ** 12 - 1;

/** Invariants of messages, and of reactions, flags and similar data. */
export const messageInvariants: readonly Invariant[] = [
  byQuery<{ id: number }>(
    'message-places',
    'A message is in a topic of its channel, or else in a conversation.',
    `SELECT m.id FROM message m LEFT JOIN topic t ON t.id = m.topic_id
     WHERE (m.channel_id IS NULL) <> (m.topic_id IS NULL) OR (m.channel_id IS NULL) = (m.conversation_id IS NULL)
       OR t.channel_id <> m.channel_id OR m.sent_channel_id = m.channel_id`,
    (row) => `Message ${row.id} is nowhere, or in two places.`,
  ),
  byQuery<{ id: number; max: number; newest: number | null }>(
    'conversations',
    'A conversation knows its newest message.',
    `SELECT d.id, d.max_message_id AS max, (SELECT MAX(m.id) FROM message m WHERE m.conversation_id = d.id) AS newest
     FROM direct_conversation d WHERE d.max_message_id
       <> COALESCE((SELECT MAX(m.id) FROM message m WHERE m.conversation_id = d.id), 0)`,
    (row) => `Conversation ${row.id} says ${row.max}, and it is ${row.newest}.`,
  ),
  {
    name: 'conversation-members',
    about: 'A conversation is found by the accounts that are in it.',
    find: async (db) => {
      const rows = await db.query<{ id: number; key: string; user_id: number | null }>(
        `SELECT d.id, d.members_key AS key, m.user_id FROM direct_conversation d
         LEFT JOIN direct_conversation_member m ON m.conversation_id = d.id ORDER BY d.id, m.user_id`,
      );
      const members = new Map<string, number[]>();
      for (const { id, key, user_id: userId } of rows) {
        const name = `${id} ${key}`;
        members.set(name, [...(members.get(name) ?? []), ...(userId === null ? [] : [userId])]);
      }
      return [...members].flatMap(([name, ids]) => {
        const [id, key] = name.split(' ');
        return key === membersKey(ids)
          ? []
          : [`Conversation ${id} is kept under ${key}, and has ${ids.join(',')}.`];
      });
    },
  },
  byQuery<{ id: number }>(
    'reaction-facts',
    'A message says that it has reactions exactly when it has.',
    `SELECT m.id FROM message m WHERE ((m.facts & ${MessageFact.hasReaction}) <> 0)
       <> EXISTS (SELECT 1 FROM reaction r WHERE r.message_id = m.id)`,
    (row) => `Message ${row.id} says otherwise.`,
  ),
  byQuery<{ id: number; code: string }>(
    'custom-reactions',
    'Reactions with an emoji of the organization name one that is there.',
    `SELECT r.id, r.emoji_code AS code FROM reaction r
     WHERE r.emoji_type = 'realm_emoji'
       AND NOT EXISTS (SELECT 1 FROM custom_emoji e WHERE CAST(e.id AS TEXT) = r.emoji_code)`,
    (row) => `Reaction ${row.id} names the emoji ${row.code}.`,
  ),
  byQuery<{ user_id: number; message_id: number; flags: number }>(
    'message-flags',
    'Flags are kept where there are any, and never whether a message was read.',
    `SELECT user_id, message_id, flags FROM message_flag
     WHERE flags = 0 OR (flags & ${Flag.read}) <> 0 OR flags > ${ALL_FLAGS}`,
    (row) => `Account ${row.user_id} has the flags ${row.flags} on message ${row.message_id}.`,
  ),
  byQuery<{ id: number; message_id: number }>(
    'message-edits',
    'The history of a message goes with it.',
    `SELECT e.id, e.message_id FROM message_edit e
     WHERE NOT EXISTS (SELECT 1 FROM message m WHERE m.id = e.message_id)`,
    (row) => `Edit ${row.id} is of message ${row.message_id}, which is gone.`,
  ),
  byRows<{ user_id: number; block: number; bits: string }>(
    'read-blocks',
    'What people have read is written in the one way there is for it.',
    'SELECT user_id, block, bits FROM read_block',
    (row) =>
      row.block >= 0 && isCanonicalBlock(row.bits)
        ? null
        : `Account ${row.user_id}: block ${row.block} is written otherwise.`,
  ),
  {
    name: 'message-numbers',
    about: 'Received and read messages have IDs that exist.',
    find: async (db) => {
      const last =
        db.engine === 'sqlite'
          ? `(SELECT COALESCE(MAX(seq), 0) FROM sqlite_sequence WHERE name = 'message')`
          : `(SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM message_id_seq)`;
      const rows = await db.query<{ user_id: number; id: number }>(
        `SELECT user_id, message_id AS id FROM read_watermark WHERE message_id > ${last}
         UNION ALL SELECT user_id, last_message_id FROM subscription_period WHERE last_message_id > ${last}
         UNION ALL SELECT user_id, first_message_id FROM subscription_period WHERE first_message_id > ${last} + 1
         UNION ALL SELECT user_id, block * 1024 FROM read_block WHERE block * 1024 > ${last}`,
      );
      return rows.map((row) => `Account ${row.user_id} is said to have got as far as message ${row.id}.`);
    },
  },
  byQuery<{ id: number; kind: string; key: string | null }>(
    'message-jobs',
    'What has yet to be told of a message is about one that is there.',
    `SELECT j.id, j.kind, j.key FROM job j LEFT JOIN message m ON m.id = CAST(j.key AS integer)
     WHERE j.kind IN ('outgoing_webhook', 'messaging_answer') AND m.id IS NULL`,
    (row) => `Job ${row.id} (${row.kind}) is about message ${row.key}, which is not there.`,
  ),
  byQuery<{ what: string; id: number }>(
    'scheduled-deliveries',
    'Every scheduled message and every reminder that has not failed is going to be delivered.',
    `SELECT w.what, w.id FROM (
       SELECT 'scheduled_message' AS what, id FROM scheduled_message WHERE NOT has_failed
       UNION ALL SELECT 'reminder', id FROM reminder WHERE NOT has_failed) w
     LEFT JOIN job j ON j.kind = w.what AND j.key = CAST(w.id AS text) WHERE j.id IS NULL`,
    (row) => `${row.what} ${row.id} has no job.`,
  ),
];
