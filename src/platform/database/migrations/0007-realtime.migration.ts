import type { MigrationInterface, QueryRunner, Table } from 'typeorm';
import { columns, idColumn, index, primary, reference, table } from './table-columns';

function tables(): Table[] {
  return [
    table(
      'event_queue',
      [
        columns('text', 'id', primary),
        columns('integer', 'user_id'),
        columns('text', 'options'),
        columns('bigint', 'start_number'),
        columns('integer', 'idle_timeout_seconds'),
        columns('bigint', 'last_seen_at'),
      ],
      { references: [reference('user_id', 'account')], indices: [index('event_queue', 'user_id')] },
    ),
    table(
      'sent_echo',
      [
        idColumn(),
        columns('integer', 'user_id'),
        columns('text', 'request_key'),
        columns('integer', 'message_id'),
        columns('bigint', 'created_at'),
      ],
      {
        references: [reference('user_id', 'account')],
        indices: [index('sent_echo', 'user_id request_key', { unique: true })],
      },
    ),
  ];
}

/** Client queues, and what became of requests to send that may be repeated. */
export class Realtime1700000000007 implements MigrationInterface {
  name = 'Realtime1700000000007';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const each of tables()) await queryRunner.createTable(each);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const each of tables().reverse()) await queryRunner.dropTable(each);
  }
}
