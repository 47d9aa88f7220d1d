import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columns, idColumn, index, nullable, reference, table } from './table-columns';

/** A table for the last calls of each outgoing webhook. */
export class WebhookDeliveries1700000000037 implements MigrationInterface {
  name = 'WebhookDeliveries1700000000037';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      table(
        'webhook_call',
        [
          idColumn(),
          columns('integer', 'bot_id message_id duration_ms attempt'),
          columns('integer', 'status', nullable),
          columns('bigint', 'called_at'),
          columns('text', 'error answer', nullable),
        ],
        {
          references: [reference('bot_id', 'account')],
          indices: [index('webhook_call', 'bot_id id')],
        },
      ),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('webhook_call');
  }
}
