import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columns, idColumn, index, nullable, reference, table } from './table-columns';

/** Messages of which the webhooks of bots have yet to be told. */
export class OutgoingWebhooks1700000000008 implements MigrationInterface {
  name = 'OutgoingWebhooks1700000000008';

  private readonly deliveries = table(
    'webhook_delivery',
    [
      idColumn(),
      columns('integer', 'message_id bot_id'),
      columns('text', 'cause'),
      columns('integer', 'attempts'),
      columns('bigint', 'due_at'),
      columns('text', 'reply', nullable),
    ],
    {
      references: [reference('message_id', 'message'), reference('bot_id', 'account')],
      indices: [
        index('webhook_delivery', 'message_id bot_id', { unique: true }),
        index('webhook_delivery', 'due_at'),
      ],
    },
  );

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(this.deliveries);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable(this.deliveries);
  }
}
