import Database from 'better-sqlite3';
import fastify, { type FastifyRequest } from 'fastify';

/**
 * What Parley is measured against: bare Fastify with hand-written, prepared SQL on a copy of the same
 * database with the same pragmas. It answers the same keys for the same calls and writes the same rows, but
 * checks no permission, renders no Markdown, counts no requests and logs nothing.
 *
 * Arguments: database file, port, the one address and key that it lets in.
 */
const [file, port, email, key] = process.argv.slice(2) as [string, string, string, string];
const db = new Database(file);
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
db.pragma('foreign_keys = ON');

interface OwnAccount {
  user_id: number;
  [column: string]: unknown;
}

const accountByEmail = db.prepare(
  `SELECT id AS user_id, email_key, delivery_email, full_name, role, is_active, is_bot, timezone, date_joined,
     avatar_version FROM account WHERE email_key = ?`,
);
const newestMessage = db.prepare('SELECT MAX(id) AS id FROM message');
const visibleChannels = db.prepare(
  `SELECT c.*, (SELECT COUNT(*) FROM subscription s WHERE s.channel_id = c.id AND s.is_active) AS subscriber_count
   FROM channel c WHERE NOT c.is_archived AND (NOT c.is_private OR EXISTS (
     SELECT 1 FROM subscription s WHERE s.channel_id = c.id AND s.user_id = ? AND s.is_active)) ORDER BY c.name`,
);
const topicsOf = db.prepare(
  'SELECT name, max_message_id AS max_id FROM topic WHERE channel_id = ? ORDER BY max_message_id DESC',
);
const channelByName = db.prepare('SELECT id FROM channel WHERE name_key = ?');
const templateChannel = db.prepare('SELECT * FROM channel ORDER BY id LIMIT 1');
const insertSubscription = db.prepare(
  "INSERT INTO subscription (user_id, channel_id, is_active, color, is_muted, is_pinned) VALUES (?, ?, 1, '#76ce90', 0, 0)",
);
const insertPeriod = db.prepare(
  `INSERT INTO subscription_period (user_id, channel_id, first_message_id)
   VALUES (?, ?, (SELECT COALESCE(MAX(id), 0) + 1 FROM message))`,
);
const insertMessage = db.prepare(
  `INSERT INTO message (sender_id, channel_id, sent_channel_id, topic_id, content, rendered_content, client_name, sent_at, facts)
   VALUES (?, ?, ?, ?, ?, ?, 'bench', ?, 0)`,
);
const upsertTopic = db.prepare(
  `INSERT INTO topic (channel_id, name, name_key, max_message_id, message_count) VALUES (?, ?, ?, 0, 1)
   ON CONFLICT (channel_id, name_key) DO UPDATE SET name = excluded.name, message_count = message_count + 1 RETURNING id`,
);
const setTopicNewest = db.prepare('UPDATE topic SET max_message_id = ? WHERE id = ?');
const insertEvent = db.prepare('INSERT INTO event_log (created_at, type, payload) VALUES (?, ?, ?)');

const makeChannel = db.transaction((name: string, description: string, userId: number) => {
  const { id: _, ...template } = templateChannel.get() as Record<string, unknown>;
  const row = { ...template, name, name_key: name.toLowerCase(), description };
  const columns = Object.keys(row);
  const made = db
    .prepare(
      `INSERT INTO channel (${columns.join()}) VALUES (${columns.map((column) => `@${column}`).join()})`,
    )
    .run(row);
  insertSubscription.run(userId, made.lastInsertRowid);
  insertPeriod.run(userId, made.lastInsertRowid);
  insertEvent.run(Date.now(), 'stream', JSON.stringify({ type: 'stream', op: 'create', streams: [row] }));
  insertEvent.run(
    Date.now(),
    'subscription',
    JSON.stringify({ type: 'subscription', op: 'add', streams: [row] }),
  );
});

const sendMessage = db.transaction(
  (userId: number, channelId: number, topicName: string, content: string) => {
    const { id: topicId } = upsertTopic.get(channelId, topicName, topicName.toLowerCase()) as { id: number };
    const now = Math.floor(Date.now() / 1000);
    const sent = insertMessage.run(userId, channelId, channelId, topicId, content, `<p>${content}</p>`, now);
    const id = Number(sent.lastInsertRowid);
    setTopicNewest.run(id, topicId);
    const message = {
      id,
      sender_id: userId,
      content,
      timestamp: now,
      stream_id: channelId,
      subject: topicName,
    };
    insertEvent.run(Date.now(), 'message', JSON.stringify({ type: 'message', message, flags: [] }));
    return id;
  },
);

const app = fastify({ logger: false });
app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
  done(null, Object.fromEntries(new URLSearchParams(body as string))),
);

function caller(request: FastifyRequest): OwnAccount {
  const [userName, password] = Buffer.from(request.headers.authorization?.slice(6) ?? '', 'base64')
    .toString()
    .split(':');
  if (userName !== email || password !== key) throw new Error('Invalid API key');
  return accountByEmail.get(email) as OwnAccount;
}

const success = { result: 'success', msg: '' };

app.get('/api/v1/users/me', (request) => ({
  ...success,
  ...caller(request),
  max_message_id: (newestMessage.get() as { id: number }).id,
}));
app.get('/api/v1/streams', (request) => ({
  ...success,
  streams: visibleChannels.all(caller(request).user_id),
}));
app.get<{ Params: { id: string } }>('/api/v1/users/me/:id/topics', (request) => {
  caller(request);
  return { ...success, topics: topicsOf.all(request.params.id) };
});
app.post<{ Body: { subscriptions: string } }>('/api/v1/users/me/subscriptions', (request) => {
  const { user_id: userId } = caller(request);
  const subscribed: string[] = [];
  for (const wanted of JSON.parse(request.body.subscriptions) as { name: string; description?: string }[]) {
    if (channelByName.get(wanted.name.toLowerCase())) continue;
    makeChannel.immediate(wanted.name, wanted.description ?? '', userId);
    subscribed.push(wanted.name);
  }
  return { ...success, subscribed: { [userId]: subscribed }, already_subscribed: {} };
});
app.post<{ Body: { to: string; topic: string; content: string } }>('/api/v1/messages', (request) => {
  const { to, topic, content } = request.body;
  return { ...success, id: sendMessage.immediate(caller(request).user_id, Number(to), topic, content) };
});

void app.listen({ port: Number(port), host: '127.0.0.1' });
