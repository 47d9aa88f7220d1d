import type { MigrationInterface, QueryRunner, Table } from 'typeorm';
import { columns, idColumn, index, nullable, reference, table } from './table-columns';

function tables(): Table[] {
  return [
    table(
      'scheduled_message',
      [
        idColumn(),
        columns('integer', 'user_id'),
        columns('integer', 'channel_id', nullable),
        columns('text', 'recipient_ids topic content rendered_content client_name'),
        columns('boolean', 'is_read_by_sender'),
        columns('bigint', 'deliver_at'),
        columns('boolean', 'has_failed'),
      ],
      {
        references: [reference('user_id', 'account'), reference('channel_id', 'channel')],
        indices: [index('scheduled_message', 'user_id deliver_at')],
      },
    ),
    table(
      'reminder',
      [
        idColumn(),
        columns('integer', 'user_id target_message_id'),
        columns('text', 'note content rendered_content'),
        columns('bigint', 'deliver_at'),
        columns('boolean', 'has_failed'),
      ],
      {
        references: [reference('user_id', 'account')],
        indices: [index('reminder', 'user_id deliver_at')],
      },
    ),
  ];
}

/** Tables for messages that are sent later, and for reminders of messages. */
export class ScheduledMessages1700000000025 implements MigrationInterface {
  name = 'ScheduledMessages1700000000025';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const each of tables()) await queryRunner.createTable(each);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const each of tables().reverse()) await queryRunner.dropTable(each);
  }
}
