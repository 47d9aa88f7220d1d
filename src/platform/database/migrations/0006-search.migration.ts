import { TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';
import { columns, index, nullable, primary, table } from './table-columns';

/** How far each table is indexed. On PostgreSQL, what comes after `until_id` was indexed when it was written. */
const progress = table('search_progress', [
  columns('text', 'name', primary),
  columns('integer', 'indexed_id'),
  columns('integer', 'until_id', nullable),
]);

/** Word for word what narrows ask for, so that few messages have to be looked at: bits of `message.facts`. */
const facts = [
  ['links', 4],
  ['images', 8],
  ['attachments', 16],
  ['reactions', 64],
] as const;
const factIndices = facts.map(
  ([name, bit]) =>
    new TableIndex({ name: `ix_message_${name}`, columnNames: ['id'], where: `(facts & ${bit}) <> 0` }),
);
const topicsByName = new TableIndex(index('topic', 'name_key'));

/** Full-text search, and indexes for what else is looked for in many messages. */
export class Search1700000000006 implements MigrationInterface {
  name = 'Search1700000000006';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(progress);
    const isPostgres = queryRunner.dataSource.options.type === 'postgres';
    for (const what of ['message', 'topic']) {
      const newest = `(SELECT COALESCE(MAX(id), 0) FROM ${what})`;
      // SQLite indexes messages later than it writes them, for ever.
      const until = !isPostgres && what === 'message' ? 'NULL' : newest;
      await queryRunner.query(`INSERT INTO search_progress VALUES ('${what}', 0, ${until})`);
      if (isPostgres) {
        // Without a foreign key: each message would be looked up and locked. IDs are never given again.
        await queryRunner.query(
          `CREATE TABLE ${what}_search (${what}_id integer PRIMARY KEY, document tsvector NOT NULL)`,
        );
        await queryRunner.query(`CREATE INDEX ix_${what}_search ON ${what}_search USING gin (document)`);
      } else {
        // The words are folded and separated before they get here, so the simplest way to part them will do.
        await queryRunner.query(
          `CREATE VIRTUAL TABLE ${what}_search USING fts5(words, content='', contentless_delete=1, tokenize='ascii')`,
        );
      }
    }
    for (const each of factIndices) await queryRunner.createIndex('message', each);
    await queryRunner.createIndex('topic', topicsByName);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropIndex('topic', topicsByName);
    for (const each of factIndices) await queryRunner.dropIndex('message', each);
    for (const what of ['topic', 'message']) await queryRunner.query(`DROP TABLE ${what}_search`);
    await queryRunner.dropTable(progress);
  }
}
