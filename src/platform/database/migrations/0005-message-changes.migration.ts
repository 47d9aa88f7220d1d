import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columns, idColumn, index, nullable, table } from './table-columns';

const messageEdit = () =>
  table(
    'message_edit',
    [
      idColumn(),
      columns('integer', 'message_id user_id'),
      columns('bigint', 'edited_at'),
      columns('text', 'prev_content prev_rendered_content prev_topic topic', nullable),
      columns('integer', 'prev_channel_id channel_id', nullable),
    ],
    {
      indices: [index('message_edit', 'message_id')],
    },
  );

/** What edits changed of messages. */
export class MessageChanges1700000000005 implements MigrationInterface {
  name = 'MessageChanges1700000000005';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(messageEdit());
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable(messageEdit());
  }
}
