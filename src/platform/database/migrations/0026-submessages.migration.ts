import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columns, idColumn, index, reference, table } from './table-columns';

/** A table for what is attached to messages: polls, votes and the like. */
export class Submessages1700000000026 implements MigrationInterface {
  name = 'Submessages1700000000026';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      table(
        'submessage',
        [idColumn(), columns('integer', 'message_id sender_id'), columns('text', 'msg_type content')],
        {
          references: [reference('message_id', 'message'), reference('sender_id', 'account')],
          indices: [index('submessage', 'message_id')],
        },
      ),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('submessage');
  }
}
