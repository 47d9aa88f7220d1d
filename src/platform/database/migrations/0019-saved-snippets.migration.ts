import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columns, idColumn, index, reference, table } from './table-columns';

/** A table for texts that people keep, to put them into messages. */
export class SavedSnippets1700000000019 implements MigrationInterface {
  name = 'SavedSnippets1700000000019';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      table(
        'saved_snippet',
        [
          idColumn(),
          columns('integer', 'user_id'),
          columns('text', 'title content'),
          columns('bigint', 'created_at'),
        ],
        { references: [reference('user_id', 'account')], indices: [index('saved_snippet', 'user_id')] },
      ),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('saved_snippet');
  }
}
