import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columns, idColumn, index, nullable, reference, table } from './table-columns';

/** A table for messages that people have begun to write. */
export class Drafts1700000000022 implements MigrationInterface {
  name = 'Drafts1700000000022';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      table(
        'draft',
        [
          idColumn(),
          columns('integer', 'user_id'),
          columns('integer', 'channel_id', nullable),
          columns('text', 'recipient_ids topic content'),
          columns('bigint', 'edited_at'),
        ],
        {
          references: [reference('user_id', 'account'), reference('channel_id', 'channel')],
          indices: [index('draft', 'user_id edited_at')],
        },
      ),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('draft');
  }
}
