import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type BetterSqlite from 'better-sqlite3';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { groupBy } from '../src/platform/collections';
import { blockOf, ReadSet, type StoredBlock } from '../src/features/messages/store/read-set';

/** The parts of the yardstick that its reads use. */
export interface YardstickParts {
  readonly db: BetterSqlite.Database;
  /** @throws Error for an unknown caller */
  readonly caller: (request: FastifyRequest) => { readonly id: number };
  readonly groups: () => object[];
  /** Columns of a channel `c`, with their wire names. */
  readonly channelColumns: string;
  /** File with the response of `POST /register`, except for lists in the database. */
  readonly registerFile: string;
}

interface MessageRow {
  readonly delivery_email: string;
  readonly id: number;
  readonly sender_id: number;
  readonly full_name: string;
  readonly channel_id: number;
  readonly channel_name: string;
  readonly topic: string;
  readonly rendered_content: string;
  readonly client_name: string;
  readonly sent_at: number;
  readonly facts: number;
}

interface PersonRow {
  readonly id: number;
  readonly delivery_email: string;
  readonly role: number;
  readonly is_bot: number;
  readonly date_joined: number;
}

const HAS_REACTIONS = 64;

/** Reads of many rows: messages, and the registration of a client. With a few prepared statements each. */
export function addReads(app: FastifyInstance, parts: YardstickParts): void {
  const { db, caller, groups, channelColumns } = parts;
  const received = `EXISTS (SELECT 1 FROM subscription_period p WHERE p.user_id = @userId AND p.channel_id = m.channel_id
    AND m.id >= p.first_message_id AND (p.last_message_id IS NULL OR m.id <= p.last_message_id))`;
  const messages = (condition: string) =>
    db.prepare<[object], MessageRow>(
      `SELECT m.id, m.sender_id, a.full_name, a.delivery_email, m.channel_id, c.name AS channel_name,
         t.name AS topic, m.rendered_content, m.client_name, m.sent_at, m.facts
       FROM message m JOIN account a ON a.id = m.sender_id JOIN channel c ON c.id = m.channel_id
         JOIN topic t ON t.id = m.topic_id
       WHERE ${condition} AND ${received} ORDER BY m.id DESC LIMIT @limit`,
    );
  const newest = messages('TRUE');
  const found = messages('m.id IN (SELECT rowid FROM message_search WHERE message_search MATCH @word)');
  const reactions = db.prepare<[string], { message_id: number }>(
    `SELECT message_id, emoji_name, emoji_code, user_id FROM reaction
     WHERE message_id IN (SELECT value FROM json_each(?))`,
  );
  const watermark = db.prepare<[number], number>('SELECT message_id FROM read_watermark WHERE user_id = ?');
  const blocks = db.prepare<[number, number], StoredBlock>(
    'SELECT block, bits FROM read_block WHERE user_id = ? AND block >= ?',
  );

  const readBy = (userId: number, oldest: number) =>
    new ReadSet(watermark.pluck().get(userId) ?? 0, blocks.raw().all(userId, blockOf(oldest)));

  const wire = (userId: number, rows: readonly MessageRow[]) => {
    const reads = readBy(userId, rows.at(-1)?.id ?? 0);
    const reacted = rows.filter(({ facts }) => facts & HAS_REACTIONS).map(({ id }) => id);
    const reactionRows = reacted.length > 0 ? reactions.all(JSON.stringify(reacted)) : [];
    const ofMessage = groupBy(reactionRows, (row) => row.message_id);
    return rows.toReversed().map((row) => ({
      id: row.id,
      sender_id: row.sender_id,
      sender_full_name: row.full_name,
      sender_email: row.delivery_email,
      sender_realm_str: '',
      recipient_id: 2 * row.channel_id,
      content: row.rendered_content,
      content_type: 'text/html',
      timestamp: row.sent_at,
      client: row.client_name,
      type: 'stream',
      stream_id: row.channel_id,
      display_recipient: row.channel_name,
      subject: row.topic,
      topic_links: [],
      avatar_url: null,
      is_me_message: false,
      submessages: [],
      reactions: ofMessage.get(row.id) ?? [],
      flags: reads.isRead(row.id) ? ['read'] : [],
    }));
  };

  const success = { result: 'success', msg: '' };
  app.get<{ Querystring: { num_before: string; narrow: string } }>('/api/v1/messages', (request) => {
    const { id: userId } = caller(request);
    const [term] = JSON.parse(request.query.narrow) as [string, string][];
    const word = term?.[1];
    const which = { userId, limit: Number(request.query.num_before), word: `"${word}"` };
    const records = wire(userId, (term ? found : newest).all(which));
    const marked = new RegExp(`\\b${word}\\b`, 'gi');
    const highlight = (text: string) => text.replace(marked, '<span class="highlight">$&</span>');
    const shown = term
      ? records.map((record) => ({
          ...record,
          match_content: highlight(record.content),
          match_subject: highlight(record.subject),
        }))
      : records;
    const ends = { found_anchor: false, found_oldest: false, found_newest: true, history_limited: false };
    return { ...success, anchor: 10_000_000_000_000_000, messages: shown, ...ends };
  });

  const others = JSON.parse(readFileSync(parts.registerFile, 'utf8')) as object;
  const people = db.prepare<[], PersonRow>(
    `SELECT id, delivery_email, avatar_version, role, is_bot, full_name, timezone, date_joined
     FROM account WHERE is_active AND NOT is_system_bot ORDER BY id`,
  );
  // The caller is an owner, who also sees private channels.
  const visible = db.prepare<[], { stream_id: number }>(
    `SELECT ${channelColumns} FROM channel c WHERE NOT c.is_archived`,
  );
  const subscriptions = db.prepare<[number], { channel_id: number; color: string }>(
    'SELECT channel_id, color, is_muted, is_pinned FROM subscription WHERE user_id = ? AND is_active',
  );
  const insertQueue = db.prepare(
    `INSERT INTO event_queue (id, user_id, options, start_number, idle_timeout_seconds, last_seen_at)
     SELECT ?, ?, '{}', MAX(number), 600, ? FROM event_log`,
  );

  app.post('/api/v1/register', (request) => {
    const { id: userId } = caller(request);
    const queueId = randomUUID();
    insertQueue.run(queueId, userId, Date.now());
    const own = new Map(subscriptions.all(userId).map((row) => [row.channel_id, row]));
    const channels = visible.all();
    const notifications = Object.fromEntries(
      ['desktop', 'audible', 'push', 'email'].map((kind) => [`${kind}_notifications`, null]),
    );
    return {
      ...success,
      ...others,
      queue_id: queueId,
      realm_users: people.all().map((person) => ({
        ...person,
        email: person.delivery_email,
        user_id: person.id,
        is_admin: person.role <= 200,
        is_owner: person.role === 100,
        is_guest: person.role === 600,
        is_bot: person.is_bot === 1,
        bot_type: null,
        bot_owner_id: null,
        date_joined: new Date(person.date_joined * 1000).toISOString(),
        is_imported_stub: false,
        avatar_url: null,
        profile_data: {},
      })),
      realm_user_groups: groups(),
      streams: channels,
      subscriptions: channels
        .filter(({ stream_id: id }) => own.has(id))
        .map((channel) => ({
          ...channel,
          color: own.get(channel.stream_id)?.color,
          is_muted: false,
          in_home_view: true,
          pin_to_top: false,
          wildcard_mentions_notify: null,
          ...notifications,
        })),
      never_subscribed: channels.filter(({ stream_id: id }) => !own.has(id)),
    };
  });
}
