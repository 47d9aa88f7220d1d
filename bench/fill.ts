import type { Engine } from '../src/platform/sql/queryable';

/** Size of an organization, beyond what its first start creates. */
export interface OrganizationSize {
  readonly people: number;
  /** Number of subscribers of the one large channel. */
  readonly subscribers: number;
  /** Number of messages in that channel, and of its topics. */
  readonly messages: number;
}

/** Objects used in calls. */
export interface Filled {
  readonly channelId: number;
  readonly firstMessageId: number;
  readonly newestMessageId: number;
}

/** A database to fill, while its server is stopped. */
export interface FillDatabase {
  readonly engine: Engine;
  /** Runs one statement without parameters. */
  run(sql: string): Promise<readonly object[]>;
}

/** Email address of the person who is copied. */
export const PATTERN = 'member@example.com';
/** The channel of the pattern person and the owner. */
export const LARGE_CHANNEL = 'large';
/** Number of messages with the word. */
export const RARE = { word: 'lantern', messages: 50 };
/** A word in all other messages. */
export const FREQUENT = 'hello';
/** Number of unread messages, whatever the total. */
export const UNREAD = 10_000;

const TOPICS = 100;
const COPIES = "email_key LIKE 'copy%'";

/** Fills a database with one statement per table: requests would take hours. */
export async function fillOrganization(db: FillDatabase, size: OrganizationSize): Promise<Filled> {
  const patternId = await numberOf(db, `SELECT id AS number FROM account WHERE email_key = '${PATTERN}'`);
  const channelId = await numberOf(db, `SELECT id AS number FROM channel WHERE name = '${LARGE_CHANNEL}'`);
  await db.run('BEGIN');
  await copyPeople(db, patternId, size);
  await copySubscriptions(db, patternId, channelId, size);
  const filled = await fillMessages(db, patternId, channelId, size);
  await db.run('COMMIT');
  await db.run(SETTLE[db.engine]);
  return filled;
}

/** Background work of a long-running server: PostgreSQL scans whatever is not indexed yet. */
export const SETTLE = { sqlite: 'ANALYZE', postgres: 'VACUUM ANALYZE' };

async function copyPeople(db: FillDatabase, patternId: number, { people }: OrganizationSize): Promise<void> {
  const own = {
    delivery_email: "'copy' || n || '@example.com'",
    email_key: "'copy' || n || '@example.com'",
    full_name: "'Copy ' || n",
    key_nonce: "'copy ' || n",
  };
  const columns = await columnsOf(db, 'account');
  const values = columns.map((column) => own[column as keyof typeof own] ?? column);
  await db.run(
    `INSERT INTO account (${columns.join()}) ${numbersTo(people)}
     SELECT ${values.join()} FROM numbers CROSS JOIN account WHERE id = ${patternId}`,
  );
  await db.run(
    `INSERT INTO user_group_member (group_id, user_id)
     SELECT g.group_id, a.id FROM user_group_member g CROSS JOIN account a
     WHERE g.user_id = ${patternId} AND a.${COPIES}`,
  );
}

async function copySubscriptions(
  db: FillDatabase,
  patternId: number,
  channelId: number,
  { subscribers }: OrganizationSize,
): Promise<void> {
  for (const table of ['subscription', 'subscription_period']) {
    const columns = await columnsOf(db, table);
    const values = columns.map((column) => (column === 'user_id' ? 'a.id' : `s.${column}`));
    await db.run(
      `INSERT INTO ${table} (${columns.join()}) SELECT ${values.join()}
       FROM ${table} s CROSS JOIN (SELECT id FROM account WHERE ${COPIES} ORDER BY id LIMIT ${subscribers}) a
       WHERE s.user_id = ${patternId} AND s.channel_id = ${channelId}`,
    );
  }
}

/** Statements that index texts for search. */
const INDEX = {
  sqlite: 'INSERT INTO message_search (rowid, words) SELECT id, content',
  postgres: "INSERT INTO message_search (message_id, document) SELECT id, to_tsvector('simple', content)",
};

/** Numbers of messages and topics, and of the newest messages that are unread. */
export interface MessagesToFill {
  readonly messages: number;
  readonly topics?: number;
  readonly unread?: number;
}

/** Adds messages of one person in one channel. */
export async function fillMessages(
  db: FillDatabase,
  senderId: number,
  channelId: number,
  { messages, topics = TOPICS, unread = UNREAD }: MessagesToFill,
): Promise<Filled> {
  const before = await numberOf(db, 'SELECT MAX(id) AS number FROM message');
  const newestMessageId = before + messages;
  await db.run(
    `INSERT INTO topic (channel_id, name, name_key, max_message_id, message_count) ${numbersTo(topics)}
     SELECT ${channelId}, 'topic ' || n, 'topic ' || n, ${newestMessageId - topics} + n, ${messages / topics}
     FROM numbers`,
  );
  const firstTopic = (await numberOf(db, 'SELECT MAX(id) AS number FROM topic')) - topics + 1;
  const now = Math.floor(Date.now() / 1000);
  await db.run(
    `INSERT INTO message (id, sender_id, channel_id, topic_id, content, rendered_content, client_name, sent_at, facts)
     ${numbersTo(messages)}, texts (n, text) AS (
       SELECT n, CASE n % ${messages / RARE.messages} WHEN 0 THEN '${RARE.word}' ELSE '${FREQUENT}' END || ' at noon' FROM numbers)
     SELECT ${before} + n, ${senderId}, ${channelId}, ${firstTopic} + (n - 1) % ${topics}, text,
       '<p>' || text || '</p>', 'bench', ${now}, 0
     FROM texts`,
  );
  await db.run(
    `UPDATE channel SET first_message_id = COALESCE(first_message_id, ${before + 1}) WHERE id = ${channelId}`,
  );
  if (db.engine === 'postgres') await db.run(`SELECT setval('message_id_seq', ${newestMessageId})`);
  await db.run(`${INDEX[db.engine]} FROM message WHERE id > ${before} ORDER BY id`);
  await db.run(`UPDATE search_progress SET indexed_id = ${newestMessageId} WHERE name = 'message'`);
  await db.run(
    `INSERT INTO read_watermark (user_id, message_id)
     SELECT id, ${newestMessageId - unread} FROM account WHERE NOT is_system_bot
     ON CONFLICT (user_id) DO UPDATE SET message_id = excluded.message_id`,
  );
  return { channelId, firstMessageId: before + 1, newestMessageId };
}

/** A table of the numbers from 1. */
function numbersTo(count: number): string {
  return `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})`;
}

/** All columns of a table except its generated ID. */
async function columnsOf(db: FillDatabase, table: string): Promise<string[]> {
  const [row = {}] = await db.run(`SELECT * FROM ${table} LIMIT 1`);
  return Object.keys(row).filter((column) => column !== 'id');
}

async function numberOf(db: FillDatabase, sql: string): Promise<number> {
  const [row] = (await db.run(sql)) as readonly { number: number }[];
  return Number(row?.number);
}
