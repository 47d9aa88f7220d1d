import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columns, index, primary, reference, table } from '../../platform/database/migrations/table-columns';

/** Creates the table of sent scheduled messages, which clients may still try to delete. */
export class SentScheduledMessages1700000000047 implements MigrationInterface {
  name = 'SentScheduledMessages1700000000047';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      table(
        'sent_scheduled_message',
        [columns('integer', 'id', primary), columns('integer', 'user_id'), columns('bigint', 'sent_at')],
        {
          references: [reference('user_id', 'account')],
          indices: [index('sent_scheduled_message', 'user_id sent_at')],
        },
      ),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('sent_scheduled_message');
  }
}
