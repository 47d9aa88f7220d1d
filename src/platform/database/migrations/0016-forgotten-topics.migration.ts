import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Takes topics out of the full-text search that went before their rows there went along. */
export class ForgottenTopics1700000000016 implements MigrationInterface {
  name = 'ForgottenTopics1700000000016';

  async up(queryRunner: QueryRunner): Promise<void> {
    const isPostgres = queryRunner.dataSource.options.type === 'postgres';
    // A table of FTS5 that keeps no text lists its rows beside it.
    const [key, listed] = isPostgres
      ? ['topic_id', 'SELECT topic_id FROM topic_search']
      : ['rowid', 'SELECT id FROM topic_search_docsize'];
    await queryRunner.query(
      `DELETE FROM topic_search WHERE ${key} IN (${listed} EXCEPT SELECT id FROM topic)`,
    );
  }

  /** There is nothing to bring back. */
  async down(): Promise<void> {}
}
