import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Until when a browser wants to hear nothing. */
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
