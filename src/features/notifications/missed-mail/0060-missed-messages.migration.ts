import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  columns,
  idColumn,
  index,
  nullable,
  reference,
  table,
} from '../../../platform/database/migrations/table-columns';

/** Creates the table of messages about which absent users receive mail. */
export class MissedMessages1700000000060 implements MigrationInterface {
  name = 'MissedMessages1700000000060';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      table(
        'missed_message',
        [
          idColumn(),
          columns('integer', 'user_id message_id'),
          columns('bigint', 'noted_at due_at'),
          columns('boolean', 'was_active'),
          columns('bigint', 'mailed_at', nullable),
        ],
        {
          references: [reference('user_id', 'account'), reference('message_id', 'message')],
          indices: [
            index('missed_message', 'message_id user_id', { unique: true }),
            index('missed_message', 'user_id due_at'),
            index('missed_message', 'mailed_at'),
          ],
        },
      ),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('missed_message');
  }
}
