import { tables } from '../../src/app.module';
import { Database } from '../../src/platform/database/database.service';
import type { SqlValue } from '../../src/platform/sql/queryable';
import type { TestApp } from './test-app';

/** Current rows of the database. */
export function rowsOf<Row extends object>(
  app: TestApp,
  sql: string,
  values: readonly SqlValue[] = [],
): Promise<Row[]> {
  return app.get(Database).read.query<Row>(sql, values);
}

/** The stored values of a channel's topics, with the expected ones. */
export async function topicRows(app: TestApp, channelId: number) {
  const sql = `SELECT name, max_message_id AS max, message_count AS count FROM topic WHERE channel_id = ?`;
  return rowsOf<{ name: string; max: number; count: number }>(app, `${sql} ORDER BY name`, [channelId]);
}

/** Asserts that all data derived from messages matches the messages. */
export async function expectConsistentRows(app: TestApp): Promise<void> {
  const wrongTopics = await rowsOf(
    app,
    `SELECT t.id, t.name, t.max_message_id, t.message_count, COUNT(m.id) AS messages, MAX(m.id) AS newest
     FROM topic t LEFT JOIN message m ON m.topic_id = t.id AND m.channel_id = t.channel_id
     GROUP BY t.id, t.name, t.max_message_id, t.message_count
     HAVING COUNT(m.id) = 0 OR COUNT(m.id) <> t.message_count OR MAX(m.id) <> t.max_message_id`,
  );
  expect(wrongTopics).toEqual([]);
  const wrongPlaces = await rowsOf(
    app,
    `SELECT m.id FROM message m JOIN topic t ON t.id = m.topic_id
     WHERE m.channel_id <> t.channel_id OR m.sent_channel_id = m.channel_id`,
  );
  expect(wrongPlaces).toEqual([]);
  const wrongChannels = await rowsOf(
    app,
    `SELECT c.id, c.first_message_id, (SELECT MIN(m.id) FROM message m WHERE m.channel_id = c.id) AS oldest
     FROM channel c WHERE COALESCE(c.first_message_id, 0)
       <> COALESCE((SELECT MIN(m.id) FROM message m WHERE m.channel_id = c.id), 0)`,
  );
  expect(wrongChannels).toEqual([]);
  const wrongConversations = await rowsOf(
    app,
    `SELECT d.id FROM direct_conversation d WHERE d.max_message_id
       <> COALESCE((SELECT MAX(m.id) FROM message m WHERE m.conversation_id = d.id), 0)`,
  );
  expect(wrongConversations).toEqual([]);
}

/** Columns that reference messages, as declared by the entities. */
export async function columnsNamingMessages(app: TestApp): Promise<{ table: string; column: string }[]> {
  const { writeSource } = app.get(Database);
  return tables.entities
    .map((entity) => writeSource.getMetadata(entity))
    .flatMap(({ tableName: table, columns, foreignKeys }) => {
      const referring = foreignKeys
        .filter(({ referencedEntityMetadata }) => referencedEntityMetadata.tableName === 'message')
        .flatMap((key) => key.columnNames);
      const named = columns
        .map(({ databaseName }) => databaseName)
        .filter((column) => referring.includes(column) || column === 'message_id');
      return named.map((column) => ({ table, column }));
    })
    .filter(({ table }) => table !== 'read_watermark');
}

/** Inserts copies of a channel message after it, as if sent, for topics that take long to fill. */
export async function copyMessage(app: TestApp, id: number, copies: number): Promise<void> {
  await app.writeRows(async (tx) => {
    await tx.query(
      `WITH RECURSIVE copy (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copy WHERE n < ?)
       INSERT INTO message (sender_id, channel_id, topic_id, content, rendered_content, client_name, sent_at, facts)
       SELECT sender_id, channel_id, topic_id, content, rendered_content, client_name, sent_at, facts
       FROM message CROSS JOIN copy WHERE id = ?`,
      [copies, id],
    );
    await tx.query(
      `UPDATE topic SET message_count = message_count + ?,
         max_message_id = (SELECT MAX(id) FROM message WHERE topic_id = topic.id)
       WHERE id = (SELECT topic_id FROM message WHERE id = ?)`,
      [copies, id],
    );
  });
}
