import { createHash } from 'node:crypto';
import Database from 'better-sqlite3';
import fastify, { type FastifyRequest } from 'fastify';
import { freeColor } from '../src/features/channels/subscriptions/personal-settings';
import { blockOf, ReadSet, type StoredBlock } from '../src/features/messages/store/read-set';
import { addReads } from './yardstick-reads';
import emojiTable from '../src/platform/emoji/emoji-table.json';

/**
 * The baseline for Parley: bare Fastify with hand-written, prepared SQL on a copy of the same database with the same
 * pragmas. It answers the same calls with the same keys and writes the same rows and events, but checks no permissions,
 * renders no Markdown, counts no requests and logs nothing.
 *
 * Arguments: database file, port, the only account's address and key, and the file with the response of `POST
 * /register` without lists.
 */
const [file, port, email, key, registerFile] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
];
const db = new Database(file);
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
db.pragma('foreign_keys = ON');

interface Account {
  id: number;
  delivery_email: string;
  full_name: string;
  role: number;
  is_active: number;
  is_bot: number;
  timezone: string;
  date_joined: number;
  avatar_version: number;
  is_imported_stub: number;
}

const CHANNEL_COLUMNS = `c.id AS stream_id, c.name, c.is_archived, c.description, c.rendered_description,
  c.date_created, c.creator_id, c.is_private AS invite_only, c.is_web_public, 1 AS stream_post_policy,
  0 AS is_announcement_only, c.message_retention_days,
  c.is_history_public_to_subscribers AS history_public_to_subscribers, c.topics_policy, c.first_message_id,
  c.folder_id, 1 AS is_recently_active, NULL AS stream_weekly_traffic, c.can_add_subscribers_group,
  c.can_administer_channel_group, c.can_create_topic_group, c.can_delete_any_message_group,
  c.can_delete_own_message_group, c.can_move_messages_out_of_channel_group,
  c.can_move_messages_within_channel_group, c.can_remove_subscribers_group, c.can_resolve_topics_group,
  c.can_send_message_group, c.can_subscribe_group,
  (SELECT COUNT(*) FROM subscription s WHERE s.channel_id = c.id AND s.is_active) AS subscriber_count`;

const accountByEmail = db.prepare('SELECT * FROM account WHERE email_key = ?');
const profileValues = db.prepare('SELECT field_id, value FROM custom_profile_value WHERE user_id = ?');
const newestMessage = db.prepare('SELECT MAX(id) AS id FROM message').pluck();
const visibleChannels = db.prepare(
  `SELECT ${CHANNEL_COLUMNS} FROM channel c WHERE NOT c.is_archived AND (NOT c.is_private OR EXISTS (
     SELECT 1 FROM subscription s WHERE s.channel_id = c.id AND s.user_id = ? AND s.is_active)) ORDER BY c.name`,
);
const topicsOf = db.prepare(
  'SELECT name, max_message_id AS max_id FROM topic WHERE channel_id = ? ORDER BY max_message_id DESC',
);

const groups = db.prepare(
  `SELECT g.id, g.name, g.creator_id, g.date_created, g.description,
     (SELECT json_group_array(m.user_id ORDER BY m.user_id) FROM user_group_member m
      JOIN account a ON a.id = m.user_id WHERE m.group_id = g.id AND a.is_active AND NOT a.is_system_bot) AS members,
     (SELECT json_group_array(s.subgroup_id ORDER BY s.subgroup_id) FROM user_group_subgroup s
      WHERE s.group_id = g.id) AS direct_subgroup_ids, g.is_system AS is_system_group,
     g.can_add_members_group, g.can_join_group, g.can_leave_group, g.can_manage_group, g.can_mention_group,
     g.can_remove_members_group
   FROM user_group g WHERE g.name IS NOT NULL AND NOT g.is_deactivated ORDER BY g.id`,
);

const channelByName = db.prepare('SELECT id FROM channel WHERE name_key = ?');
const channelById = db.prepare(`SELECT ${CHANNEL_COLUMNS} FROM channel c WHERE c.id = ?`);
const template = db.prepare('SELECT * FROM channel ORDER BY id LIMIT 1').get() as Record<string, unknown>;
const channelColumns = Object.keys(template).filter((column) => column !== 'id');
const insertGroup = db.prepare(
  "INSERT INTO user_group (description, is_system, is_deactivated) VALUES ('', 0, 0)",
);
const insertGroupMember = db.prepare('INSERT INTO user_group_member (group_id, user_id) VALUES (?, ?)');
const insertChannel = db.prepare(
  `INSERT INTO channel (${channelColumns.join()}) VALUES (${channelColumns.map((column) => `@${column}`).join()})`,
);
const colorsInUse = db.prepare('SELECT DISTINCT color FROM subscription WHERE user_id = ?').pluck();
const insertSubscription = db.prepare(
  'INSERT INTO subscription (user_id, channel_id, is_active, color, is_muted, is_pinned) VALUES (?, ?, 1, ?, 0, 0)',
);
const insertPeriod = db.prepare(
  `INSERT INTO subscription_period (user_id, channel_id, first_message_id)
   VALUES (?, ?, (SELECT COALESCE(MAX(id), 0) + 1 FROM message))`,
);

const upsertTopic = db.prepare(
  `INSERT INTO topic (channel_id, name, name_key, max_message_id, message_count) VALUES (?, ?, ?, 0, 1)
   ON CONFLICT (channel_id, name_key) DO UPDATE SET name = excluded.name, message_count = message_count + 1 RETURNING id`,
);
const insertMessage = db.prepare(
  `INSERT INTO message (sender_id, channel_id, topic_id, content, rendered_content, client_name, sent_at, facts)
   VALUES (?, ?, ?, ?, ?, 'bench', ?, 0)`,
);
const setTopicNewest = db.prepare('UPDATE topic SET max_message_id = ? WHERE id = ?');
const insertReaction = db.prepare(
  `INSERT INTO reaction (message_id, user_id, emoji_type, emoji_code, emoji_name)
   VALUES (?, ?, 'unicode_emoji', ?, ?) ON CONFLICT DO NOTHING`,
);
const noteReaction = db.prepare('UPDATE message SET facts = facts | 64 WHERE id = ?');
const receivedAmong = db
  .prepare(
    `SELECT m.id FROM message m WHERE m.id IN (SELECT value FROM json_each(?)) AND EXISTS (
       SELECT 1 FROM subscription_period p WHERE p.user_id = ? AND p.channel_id = m.channel_id
         AND m.id >= p.first_message_id AND (p.last_message_id IS NULL OR m.id <= p.last_message_id))`,
  )
  .pluck();
const readWatermark = db.prepare('SELECT message_id FROM read_watermark WHERE user_id = ?').pluck();
const readBlock = db.prepare('SELECT block, bits FROM read_block WHERE user_id = ? AND block = ?').raw();
const writeBlock = db.prepare(
  `INSERT INTO read_block (user_id, block, bits) VALUES (?, ?, ?)
   ON CONFLICT (user_id, block) DO UPDATE SET bits = excluded.bits`,
);
const insertEvent = db.prepare(
  'INSERT INTO event_log (created_at, type, payload, options, audience) VALUES (?, ?, ?, ?, ?)',
);

interface Event {
  type: string;
  [member: string]: unknown;
}

function emit(event: Event, userId: number, options: object | null = null): void {
  const optionsText = options && JSON.stringify(options);
  insertEvent.run(Date.now(), event.type, JSON.stringify(event), optionsText, Buffer.from([userId]));
}

function avatarUrl({ delivery_email: address, avatar_version: version }: Account): string {
  const digest = createHash('md5').update(address).digest('hex');
  return `https://secure.gravatar.com/avatar/${digest}?d=identicon&version=${version}`;
}

const makeChannel = db.transaction((name: string, description: string, { id: userId }: Account) => {
  const group = insertGroup.run().lastInsertRowid;
  insertGroupMember.run(group, userId);
  const own = { name, name_key: name.toLowerCase(), description, can_administer_channel_group: group };
  const channelId = insertChannel.run({ ...template, ...own }).lastInsertRowid;
  const color = freeColor(new Set(colorsInUse.all(userId) as string[]), Number(channelId));
  insertSubscription.run(userId, channelId, color);
  insertPeriod.run(userId, channelId);
  const record = channelById.get(channelId) as object;
  const personal = { color, is_muted: false, in_home_view: true, pin_to_top: false };
  const subscription = { ...record, ...personal, subscribers: [userId] };
  emit({ type: 'stream', op: 'create', streams: [record] }, userId);
  emit({ type: 'subscription', op: 'add', subscriptions: [subscription] }, userId);
});

const sendMessage = db.transaction((sender: Account, channelId: number, topic: string, content: string) => {
  const { id: topicId } = upsertTopic.get(channelId, topic, topic.toLowerCase()) as { id: number };
  const now = Math.floor(Date.now() / 1000);
  const html = `<p>${content}</p>`;
  const id = Number(insertMessage.run(sender.id, channelId, topicId, content, html, now).lastInsertRowid);
  setTopicNewest.run(id, topicId);
  const message = {
    id,
    sender_id: sender.id,
    sender_full_name: sender.full_name,
    sender_email: sender.delivery_email,
    sender_realm_str: '',
    recipient_id: 2 * channelId,
    content: html,
    content_type: 'text/html',
    timestamp: now,
    client: 'bench',
    type: 'stream',
    stream_id: channelId,
    display_recipient: 'bench',
    subject: topic,
    topic_links: [],
    avatar_url: avatarUrl(sender),
    is_me_message: false,
    reactions: [],
    submessages: [],
  };
  const markdown = { content, content_type: 'text/x-markdown' };
  emit({ type: 'message', message, flags: [] }, sender.id, { alternatives: { markdown } });
  return id;
});

const emojiCodes = new Map(
  (emojiTable as [string, ...string[]][]).flatMap(([code, ...names]) => names.map((name) => [name, code])),
);

const addReaction = db.transaction((account: Account, messageId: number, name: string) => {
  const code = emojiCodes.get(name);
  if (insertReaction.run(messageId, account.id, code, name).changes === 0) throw new Error('exists');
  noteReaction.run(messageId);
  const user = { user_id: account.id, email: account.delivery_email, full_name: account.full_name };
  const reaction = {
    emoji_name: name,
    emoji_code: code,
    reaction_type: 'unicode_emoji',
    user_id: account.id,
  };
  emit({ type: 'reaction', op: 'add', ...reaction, user, message_id: messageId }, account.id);
});

const markRead = db.transaction((userId: number, messageIds: readonly number[]) => {
  const received = receivedAmong.all(JSON.stringify(messageIds), userId) as number[];
  const stored = [...new Set(received.map(blockOf))].map((block) => readBlock.get(userId, block));
  const watermark = (readWatermark.get(userId) ?? 0) as number;
  const reads = new ReadSet(watermark, stored.filter((row) => row !== undefined) as StoredBlock[]);
  const changed = reads.mark(received, 'read');
  for (const [block, bits] of reads.changedBlocks()) writeBlock.run(userId, block, bits);
  const names = { type: 'update_message_flags', op: 'add', operation: 'add', flag: 'read' };
  emit({ ...names, messages: changed, all: false }, userId);
  return changed;
});

const app = fastify({ logger: false });
app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
  done(null, Object.fromEntries(new URLSearchParams(body as string))),
);

function caller(request: FastifyRequest): Account {
  const [userName, password] = Buffer.from(request.headers.authorization?.slice(6) ?? '', 'base64')
    .toString()
    .split(':');
  if (userName !== email || password !== key) throw new Error('Invalid API key');
  return accountByEmail.get(email) as Account;
}

function groupRecords(): object[] {
  const rows = groups.all() as { members: string; direct_subgroup_ids: string; is_system_group: number }[];
  return rows.map((row) => ({
    ...row,
    members: JSON.parse(row.members) as number[],
    direct_subgroup_ids: JSON.parse(row.direct_subgroup_ids) as number[],
    is_system_group: row.is_system_group === 1,
    deactivated: false,
  }));
}

const success = { result: 'success', msg: '' };

app.get('/api/v1/users/me', (request) => {
  const account = caller(request);
  const values = profileValues.all(account.id) as { field_id: number; value: string }[];
  return {
    ...success,
    email: account.delivery_email,
    user_id: account.id,
    avatar_version: account.avatar_version,
    is_admin: account.role <= 200,
    is_owner: account.role === 100,
    is_guest: account.role === 600,
    role: account.role,
    is_bot: account.is_bot === 1,
    bot_type: null,
    bot_owner_id: null,
    full_name: account.full_name,
    timezone: account.timezone,
    is_active: account.is_active === 1,
    date_joined: new Date(account.date_joined * 1000).toISOString(),
    delivery_email: account.delivery_email,
    is_imported_stub: account.is_imported_stub === 1,
    avatar_url: avatarUrl(account),
    profile_data: Object.fromEntries(values.map(({ field_id, value }) => [field_id, { value }])),
    max_message_id: newestMessage.get(),
  };
});
app.get('/api/v1/streams', (request) => ({
  ...success,
  streams: visibleChannels.all(caller(request).id),
}));
app.get('/api/v1/user_groups', (request) => {
  caller(request);
  return { ...success, user_groups: groupRecords() };
});
addReads(app, {
  db,
  caller,
  groups: groupRecords,
  channelColumns: CHANNEL_COLUMNS,
  registerFile,
});
app.get<{ Params: { id: string } }>('/api/v1/users/me/:id/topics', (request) => {
  caller(request);
  return { ...success, topics: topicsOf.all(request.params.id) };
});
app.post<{ Body: { subscriptions: string } }>('/api/v1/users/me/subscriptions', (request) => {
  const account = caller(request);
  const subscribed: string[] = [];
  for (const wanted of JSON.parse(request.body.subscriptions) as { name: string; description?: string }[]) {
    if (channelByName.get(wanted.name.toLowerCase())) continue;
    makeChannel.immediate(wanted.name, wanted.description ?? '', account);
    subscribed.push(wanted.name);
  }
  return {
    ...success,
    subscribed: { [account.id]: subscribed },
    already_subscribed: {},
    new_subscription_messages_sent: true,
  };
});
app.post<{ Body: { to: string; topic: string; content: string } }>('/api/v1/messages', (request) => {
  const { to, topic, content } = request.body;
  return { ...success, id: sendMessage.immediate(caller(request), Number(to), topic, content) };
});
app.post<{ Params: { id: string }; Body: { emoji_name: string } }>(
  '/api/v1/messages/:id/reactions',
  (request) => {
    addReaction.immediate(caller(request), Number(request.params.id), request.body.emoji_name);
    return success;
  },
);

app.post<{ Body: { messages: string } }>('/api/v1/messages/flags', (request) => {
  const account = caller(request);
  const messages = markRead.immediate(account.id, JSON.parse(request.body.messages) as number[]);
  return { ...success, messages };
});

void app.listen({ port: Number(port), host: '127.0.0.1' });
