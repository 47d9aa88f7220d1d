import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The words of the search index of SQLite in their order, which it has anyway; PostgreSQL does not need them. */
export class SearchTerms1700000000039 implements MigrationInterface {
  name = 'SearchTerms1700000000039';

  async up(queryRunner: QueryRunner): Promise<void> {
    if (queryRunner.dataSource.options.type === 'postgres') return;
    await queryRunner.query(
      'CREATE VIRTUAL TABLE message_search_terms USING fts5vocab(message_search, instance)',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    if (queryRunner.dataSource.options.type !== 'postgres') {
      await queryRunner.query('DROP TABLE message_search_terms');
    }
  }
}
