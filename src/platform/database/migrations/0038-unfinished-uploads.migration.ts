import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columns, index, primary, reference, table } from './table-columns';

/** A table for files that arrive piece by piece. */
export class UnfinishedUploads1700000000038 implements MigrationInterface {
  name = 'UnfinishedUploads1700000000038';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      table(
        'unfinished_upload',
        [
          columns('text', 'id', primary),
          columns('integer', 'owner_id'),
          columns('text', 'file_name content_type pieces'),
          columns('bigint', 'length received touched_at'),
        ],
        {
          references: [reference('owner_id', 'account')],
          indices: [index('unfinished_upload', 'owner_id'), index('unfinished_upload', 'touched_at')],
        },
      ),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('unfinished_upload');
  }
}
