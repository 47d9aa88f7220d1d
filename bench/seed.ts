import Database from 'better-sqlite3';

/** Size of the benchmark database. */
export interface SeedSize {
  readonly channels: number;
  /** Number of public channels, which are listed. */
  readonly visible: number;
  readonly messages: number;
  readonly topics: number;
  /** Number of groups with some members each. */
  readonly groups: number;
}

/** IDs used in the calls. */
export interface Seeded {
  readonly bigChannelId: number;
  readonly postedChannelId: number;
  /** Of the big channel, whose message IDs are consecutive. */
  readonly firstMessageId: number;
}

/** A word, and the number of messages that contain it. */
export const SEARCHED = { word: 'lantern', messages: 50 };

/** Number of members of each group. */
const GROUP_MEMBERS = 20;

const USER_GROUP_SETTINGS = [
  'can_add_members_group',
  'can_join_group',
  'can_leave_group',
  'can_manage_group',
  'can_mention_group',
  'can_remove_members_group',
];

const GROUP_SETTINGS = [
  'can_add_subscribers_group',
  'can_administer_channel_group',
  'can_create_topic_group',
  'can_delete_any_message_group',
  'can_delete_own_message_group',
  'can_move_messages_out_of_channel_group',
  'can_move_messages_within_channel_group',
  'can_remove_subscribers_group',
  'can_resolve_topics_group',
  'can_send_message_group',
  'can_subscribe_group',
];

/**
 * Fills the database of a server that was started once and stopped: channels, some of them visible to the owner, and
 * one channel with many messages. Written directly, because a million calls would take long.
 */
export function seed(file: string, size: SeedSize): Seeded {
  const db = new Database(file);
  db.pragma('synchronous = OFF');
  try {
    return db.transaction(() => fill(db, size))();
  } finally {
    db.close();
  }
}

function fill(db: Database.Database, size: SeedSize): Seeded {
  const owner = one(db, 'SELECT id FROM account WHERE role = 100');
  const everyone = one(db, "SELECT id FROM user_group WHERE name = 'role:everyone'");
  const insertChannel = db.prepare(
    `INSERT INTO channel (name, name_key, description, rendered_description, date_created, creator_id, is_private,
       is_web_public, is_archived, is_default, is_history_public_to_subscribers, topics_policy, last_message_at,
       first_message_id, ${GROUP_SETTINGS.join(', ')})
     VALUES (@name, @name, @about, @html, @now, @owner, @isPrivate, 0, 0, 0, 1, 'inherit', @now, 1,
       ${GROUP_SETTINGS.map(() => '@everyone').join(', ')})`,
  );
  const now = Math.floor(Date.now() / 1000);
  fillGroups(db, owner, everyone, size.groups, now);
  const channelIds: number[] = [];
  for (let n = 1; n <= size.channels; n++) {
    const about = `What the ${n}th group talks about, in a sentence of usual length.`;
    const { lastInsertRowid } = insertChannel.run({
      name: `bench ${String(n).padStart(4, '0')}`,
      about,
      html: `<p>${about}</p>`,
      now,
      owner,
      everyone,
      isPrivate: n > size.visible ? 1 : 0,
    });
    channelIds.push(Number(lastInsertRowid));
  }
  const [bigChannelId, postedChannelId] = channelIds as [number, number];
  subscribe(db, owner, channelIds.slice(0, Math.min(50, size.visible)));
  const firstMessageId = fillTopics(db, bigChannelId, owner, size, now);
  return { bigChannelId, postedChannelId, firstMessageId };
}

function fillGroups(
  db: Database.Database,
  owner: number,
  everyone: number,
  groups: number,
  now: number,
): void {
  const { id: _, ...template } = db.prepare('SELECT * FROM account WHERE id = ?').get(owner) as Record<
    string,
    unknown
  >;
  const columns = Object.keys(template);
  const insertAccount = db.prepare(
    `INSERT INTO account (${columns.join(', ')}) VALUES (${columns.map((column) => `@${column}`).join(', ')})`,
  );
  const userIds = Array.from({ length: GROUP_MEMBERS }, (_person, n) => {
    const email = `bench${n}@example.com`;
    const account = { ...template, delivery_email: email, email_key: email, key_nonce: `bench ${n}` };
    return Number(insertAccount.run({ ...account, role: 400 }).lastInsertRowid);
  });
  const insertGroup = db.prepare(
    `INSERT INTO user_group (name, description, is_system, is_deactivated, creator_id, date_created,
       ${USER_GROUP_SETTINGS.join(', ')})
     VALUES (?, 'A group as there are many.', 0, 0, ?, ?, ${USER_GROUP_SETTINGS.map(() => everyone).join(', ')})`,
  );
  const insertMember = db.prepare('INSERT INTO user_group_member (group_id, user_id) VALUES (?, ?)');
  for (let n = 1; n <= groups; n++) {
    const groupId = insertGroup.run(`bench ${n}`, owner, now).lastInsertRowid;
    for (const userId of userIds) insertMember.run(groupId, userId);
  }
}

function subscribe(db: Database.Database, userId: number, channelIds: readonly number[]): void {
  const row = db.prepare(
    `INSERT INTO subscription (user_id, channel_id, is_active, color, is_muted, is_pinned)
     VALUES (?, ?, 1, '#76ce90', 0, 0)`,
  );
  const period = db.prepare(
    'INSERT INTO subscription_period (user_id, channel_id, first_message_id) VALUES (?, ?, 1)',
  );
  for (const channelId of channelIds) {
    row.run(userId, channelId);
    period.run(userId, channelId);
  }
}

/** @returns the ID of the first message */
function fillTopics(
  db: Database.Database,
  channelId: number,
  senderId: number,
  { messages, topics }: SeedSize,
  now: number,
): number {
  const first = one(db, 'SELECT COALESCE(MAX(id), 0) + 1 AS id FROM message');
  const insertTopic = db.prepare(
    'INSERT INTO topic (channel_id, name, name_key, max_message_id, message_count) VALUES (?, ?, ?, ?, ?)',
  );
  const topicIds: number[] = [];
  for (let n = 0; n < topics; n++) {
    const count = Math.floor((messages - n - 1) / topics) + 1;
    const maxId = first + n + (count - 1) * topics;
    const name = `topic ${n}`;
    topicIds.push(Number(insertTopic.run(channelId, name, name, maxId, count).lastInsertRowid));
  }
  const insertMessage = db.prepare(
    `INSERT INTO message (id, sender_id, channel_id, topic_id, content, rendered_content, client_name, sent_at,
       facts) VALUES (?, ?, ?, ?, ?, ?, 'bench', ?, 0)`,
  );
  for (let n = 0; n < messages; n++) {
    const topicId = topicIds[n % topics] as number;
    insertMessage.run(first + n, senderId, channelId, topicId, 'Hello', '<p>Hello</p>', now);
  }
  // Nothing here is searched for, and indexing it would take the first minutes of the benchmark.
  db.prepare(
    "UPDATE search_progress SET indexed_id = (SELECT MAX(id) FROM message) WHERE name = 'message'",
  ).run();
  fillSearched(db, channelId, senderId, topicIds[0] as number, now);
  return first;
}

/** The server indexes these on the first search. */
function fillSearched(
  db: Database.Database,
  channelId: number,
  senderId: number,
  topicId: number,
  now: number,
): void {
  const insert = db.prepare(
    `INSERT INTO message (sender_id, channel_id, topic_id, content, rendered_content, client_name, sent_at, facts)
     VALUES (?, ?, ?, @text, '<p>' || @text || '</p>', 'bench', ?, 0)`,
  );
  let newest = 0;
  for (let n = 0; n < SEARCHED.messages; n++) {
    const text = `The ${SEARCHED.word} number ${n} hangs where everybody sees it.`;
    newest = Number(insert.run(senderId, channelId, topicId, now, { text }).lastInsertRowid);
  }
  db.prepare('UPDATE topic SET max_message_id = ?, message_count = message_count + ? WHERE id = ?').run(
    newest,
    SEARCHED.messages,
    topicId,
  );
}

function one(db: Database.Database, sql: string): number {
  return (db.prepare(sql).get() as { id: number }).id;
}
