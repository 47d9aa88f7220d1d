import fastify, { type FastifyRequest } from 'fastify';
import { Pool } from 'pg';
import { blockOf, ReadSet } from '../src/features/messages/store/read-set';

/**
 * The baseline for Parley on PostgreSQL: bare Fastify with one hand-written, prepared statement through `pg` for each
 * call; marking as read needs another one first. It answers the same calls and writes the same rows and events, but
 * checks no permissions, renders no Markdown, has no other nodes, and does not order events.
 *
 * Arguments: URL of the database, port, and `address:key` of each account.
 */
const [url, port, ...credentials] = process.argv.slice(2) as [string, string, ...string[]];
const pool = new Pool({ connectionString: url, max: 20 });
const known = new Map(credentials.map((each) => [Buffer.from(each).toString('base64'), each.split(':')[0]]));

const OWN_USER = `SELECT id AS user_id, delivery_email, full_name, role, is_active, is_bot, timezone, date_joined,
    avatar_version, (SELECT MAX(id) FROM message) AS max_message_id
  FROM account WHERE email_key = $1`;

const EVENT = 'INSERT INTO event_log (created_at, type, payload, audience) SELECT $2::bigint,';

const SEND = `WITH sender AS (SELECT id, full_name, delivery_email FROM account WHERE email_key = $1::text),
  topic_row AS (
    INSERT INTO topic (channel_id, name, name_key, max_message_id, message_count) VALUES ($3::integer, $4::text, $4::text, 0, 1)
    ON CONFLICT (channel_id, name_key) DO UPDATE SET name = excluded.name,
      message_count = topic.message_count + 1, max_message_id = nextval('message_id_seq')
    RETURNING id, max_message_id),
  inserted AS (
    INSERT INTO message (id, sender_id, channel_id, topic_id, content, rendered_content, client_name, sent_at, facts)
    SELECT topic_row.max_message_id, sender.id, $3::integer, topic_row.id, $5::text, $6::text, 'bench', $2::bigint / 1000, 0
    FROM topic_row CROSS JOIN sender RETURNING id, sender_id),
  indexed AS (
    INSERT INTO message_search (message_id, document)
    SELECT id, $7::tsvector FROM inserted),
  logged AS (
    ${EVENT} 'message', json_build_object('type', 'message', 'flags', json_build_array(), 'message', json_build_object(
      'id', inserted.id, 'sender_id', sender.id, 'sender_full_name', sender.full_name,
      'sender_email', sender.delivery_email, 'sender_realm_str', '', 'recipient_id', 2 * $3::integer, 'content', $6::text,
      'content_type', 'text/html', 'timestamp', $2::bigint / 1000, 'client', 'bench', 'type', 'stream', 'stream_id', $3::integer,
      'display_recipient', 'bench', 'subject', $4::text, 'topic_links', json_build_array(), 'avatar_url', NULL,
      'is_me_message', false, 'reactions', json_build_array(), 'submessages', json_build_array()))::text, $8::bytea
    FROM inserted CROSS JOIN sender)
  SELECT id FROM inserted`;

const REACT = `WITH actor AS (SELECT id, full_name, delivery_email FROM account WHERE email_key = $1::text),
  inserted AS (
    INSERT INTO reaction (message_id, user_id, emoji_type, emoji_code, emoji_name)
    SELECT $3::integer, id, 'unicode_emoji', $4::text, $4::text FROM actor ON CONFLICT DO NOTHING RETURNING message_id, user_id),
  noted AS (UPDATE message SET facts = facts | 64 WHERE id = $3::integer AND (facts & 64) = 0)
  ${EVENT} 'reaction', json_build_object('type', 'reaction', 'op', 'add', 'emoji_name', $4::text, 'emoji_code', $4::text,
    'reaction_type', 'unicode_emoji', 'user_id', actor.id, 'message_id', $3::integer, 'user', json_build_object(
      'user_id', actor.id, 'email', actor.delivery_email, 'full_name', actor.full_name))::text, $5::bytea
  FROM actor`;

const READ_STATE = `SELECT a.id, COALESCE(w.message_id, 0) AS watermark, b.bits FROM account a
  LEFT JOIN read_watermark w ON w.user_id = a.id LEFT JOIN read_block b ON b.user_id = a.id AND b.block = $2
  WHERE a.email_key = $1`;

const MARK_READ = `WITH stored AS (
    INSERT INTO read_block (user_id, block, bits) SELECT $1::integer, $3::integer, $4::text WHERE $4::text IS NOT NULL
    ON CONFLICT (user_id, block) DO UPDATE SET bits = excluded.bits)
  ${EVENT} 'update_message_flags', $5::text, $6::bytea`;

const AUDIENCE = Buffer.from(Array.from({ length: 51 }, () => 1));

async function run<Row extends object>(name: string, text: string, values: unknown[]): Promise<Row[]> {
  return (await pool.query<Row>({ name, text, values })).rows;
}

const app = fastify({ logger: false });
app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
  done(null, Object.fromEntries(new URLSearchParams(body as string))),
);

function caller(request: FastifyRequest): string {
  const email = known.get(request.headers.authorization?.slice(6) ?? '');
  if (email === undefined) throw new Error('Invalid API key');
  return email;
}

const success = { result: 'success', msg: '' };

app.get('/api/v1/users/me', async (request) => {
  const [row] = await run('own', OWN_USER, [caller(request)]);
  return { ...success, ...row, profile_data: {} };
});
app.post<{ Body: { to: string; topic: string; content: string } }>('/api/v1/messages', async (request) => {
  const { to, topic, content } = request.body;
  const words = content
    .toLowerCase()
    .match(/\w+/g)
    ?.map((word, at) => `'${word}':${at + 1}`)
    .join(' ');
  const values = [
    caller(request),
    Date.now(),
    Number(to),
    topic,
    content,
    `<p>${content}</p>`,
    words,
    AUDIENCE,
  ];
  const [row] = await run<{ id: number }>('send', SEND, values);
  return { ...success, id: row?.id };
});
app.post<{ Params: { id: string }; Body: { emoji_name: string } }>(
  '/api/v1/messages/:id/reactions',
  async (request) => {
    const { params, body } = request;
    await run('react', REACT, [caller(request), Date.now(), Number(params.id), body.emoji_name, AUDIENCE]);
    return success;
  },
);
app.post<{ Body: { messages: string } }>('/api/v1/messages/flags', async (request) => {
  const ids = JSON.parse(request.body.messages) as [number];
  const block = blockOf(ids[0]);
  const [row] = await run<{ id: number; watermark: number; bits: string | null }>('state', READ_STATE, [
    caller(request),
    block,
  ]);
  const reads = new ReadSet(row?.watermark ?? 0, row?.bits == null ? [] : [[block, row.bits]]);
  const messages = reads.mark(ids, 'read');
  const [changed] = reads.changedBlocks();
  const names = { type: 'update_message_flags', op: 'add', operation: 'add', flag: 'read' };
  const event = JSON.stringify({ ...names, messages, all: false });
  await run('mark', MARK_READ, [row?.id, Date.now(), block, changed?.[1] ?? null, event, Buffer.from([1])]);
  return { ...success, messages };
});

void app.listen({ port: Number(port), host: '127.0.0.1' });
