import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  columns,
  idColumn,
  index,
  reference,
  table,
} from '../../../platform/database/migrations/table-columns';

/** Creates the table of browsers that are notified while no page of the server is open. */
export class WebPush1700000000046 implements MigrationInterface {
  name = 'WebPush1700000000046';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      table(
        'web_push_subscription',
        [
          idColumn(),
          columns('integer', 'user_id'),
          columns('text', 'session_token_id endpoint endpoint_hash p256dh auth vapid_key'),
          columns('bigint', 'created_at'),
        ],
        {
          references: [reference('user_id', 'account')],
          indices: [
            index('web_push_subscription', 'user_id'),
            index('web_push_subscription', 'endpoint_hash', { unique: true }),
          ],
        },
      ),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('web_push_subscription');
  }
}

/** Adds the time until which a browser is muted. */
export class QuietBrowsers1700000000049 implements MigrationInterface {
  name = 'QuietBrowsers1700000000049';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE web_push_subscription ADD COLUMN quiet_until bigint NOT NULL DEFAULT 0',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE web_push_subscription DROP COLUMN quiet_until');
  }
}
