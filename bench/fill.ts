import Database from 'better-sqlite3';

/** How large an organization is, beyond what its first start makes. */
export interface OrganizationSize {
  readonly people: number;
  /** People subscribed to the one large channel. */
  readonly subscribers: number;
  /** Messages in that channel, in so many topics. */
  readonly messages: number;
}

/** What calls refer to. */
export interface Filled {
  readonly channelId: number;
  readonly firstMessageId: number;
  readonly newestMessageId: number;
}

/** The address of the person of whom the others are copies. */
export const PATTERN = 'member@example.com';
/** The channel to which the pattern and the owner are subscribed. */
export const LARGE_CHANNEL = 'large';
/** So many messages have the word. */
export const RARE = { word: 'lantern', messages: 50 };
/** So many messages are unread, however many there are. */
export const UNREAD = 10_000;

const TOPICS = 100;
const NUMBERS =
  'WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < @count)';
const COPIES = "email_key LIKE 'copy%'";

/** Fills the database of a server that does not run, by a statement for each table: requests would take hours. */
export function fillOrganization(file: string, size: OrganizationSize): Filled {
  const db = new Database(file);
  db.pragma('synchronous = OFF');
  const patternId = idOf(db, 'SELECT id FROM account WHERE email_key = ?', PATTERN);
  const channelId = idOf(db, 'SELECT id FROM channel WHERE name = ?', LARGE_CHANNEL);
  const filled = db.transaction(() => {
    copyPeople(db, patternId, size);
    copySubscriptions(db, patternId, channelId, size);
    return fillMessages(db, patternId, channelId, size);
  })();
  db.exec('ANALYZE');
  db.close();
  return filled;
}

function copyPeople(db: Database.Database, patternId: number, { people }: OrganizationSize): void {
  const own = {
    delivery_email: "'copy' || n || '@example.com'",
    email_key: "'copy' || n || '@example.com'",
    full_name: "'Copy ' || n",
    key_nonce: "'copy ' || n",
  };
  const columns = columnsOf(db, 'account').filter((column) => column !== 'id');
  const values = columns.map((column) => own[column as keyof typeof own] ?? column);
  db.prepare(
    `INSERT INTO account (${columns.join()}) ${NUMBERS}
     SELECT ${values.join()} FROM numbers CROSS JOIN account WHERE id = @patternId`,
  ).run({ count: people, patternId });
  db.prepare(
    `INSERT INTO user_group_member (group_id, user_id)
     SELECT g.group_id, a.id FROM user_group_member g CROSS JOIN account a WHERE g.user_id = ? AND a.${COPIES}`,
  ).run(patternId);
}

function copySubscriptions(
  db: Database.Database,
  patternId: number,
  channelId: number,
  { subscribers }: OrganizationSize,
): void {
  for (const table of ['subscription', 'subscription_period']) {
    const columns = columnsOf(db, table).filter((column) => column !== 'id');
    const values = columns.map((column) => (column === 'user_id' ? 'a.id' : `s.${column}`));
    db.prepare(
      `INSERT INTO ${table} (${columns.join()}) SELECT ${values.join()}
       FROM ${table} s CROSS JOIN (SELECT id FROM account WHERE ${COPIES} ORDER BY id LIMIT ?) a
       WHERE s.user_id = ? AND s.channel_id = ?`,
    ).run(subscribers, patternId, channelId);
  }
}

function fillMessages(
  db: Database.Database,
  senderId: number,
  channelId: number,
  { messages }: OrganizationSize,
): Filled {
  const before = idOf(db, 'SELECT MAX(id) AS id FROM message');
  const newestMessageId = before + messages;
  db.prepare(
    `INSERT INTO topic (channel_id, name, name_key, max_message_id, message_count) ${NUMBERS}
     SELECT @channelId, 'topic ' || n, 'topic ' || n, @newest - @count + n, @messages / @count FROM numbers`,
  ).run({ count: TOPICS, channelId, newest: newestMessageId, messages });
  const firstTopic = idOf(db, 'SELECT MAX(id) AS id FROM topic') - TOPICS + 1;
  db.prepare(
    `INSERT INTO message (id, sender_id, channel_id, topic_id, content, rendered_content, client_name, sent_at, facts)
     ${NUMBERS}, texts (n, text) AS (SELECT n, CASE n % @distance WHEN 0 THEN @word ELSE 'hello' END || ' at noon' FROM numbers)
     SELECT @before + n, @senderId, @channelId, @firstTopic + (n - 1) % @topics, text, '<p>' || text || '</p>', 'bench', @now, 0
     FROM texts`,
  ).run({
    count: messages,
    distance: Math.floor(messages / RARE.messages),
    word: RARE.word,
    before,
    senderId,
    channelId,
    firstTopic,
    topics: TOPICS,
    now: Math.floor(Date.now() / 1000),
  });
  db.prepare(
    'INSERT INTO message_search (rowid, words) SELECT id, content FROM message WHERE id > ? ORDER BY id',
  ).run(before);
  db.prepare("UPDATE search_progress SET indexed_id = ? WHERE name = 'message'").run(newestMessageId);
  db.prepare(
    `INSERT OR REPLACE INTO read_watermark (user_id, message_id)
     SELECT id, ? FROM account WHERE NOT is_system_bot`,
  ).run(newestMessageId - UNREAD);
  return { channelId, firstMessageId: before + 1, newestMessageId };
}

function columnsOf(db: Database.Database, table: string): string[] {
  return (db.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name);
}

function idOf(db: Database.Database, sql: string, ...values: string[]): number {
  return (db.prepare(sql).get(...values) as { id: number }).id;
}
