import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores when sessions were last used. */
export class SessionUse1700000000044 implements MigrationInterface {
  name = 'SessionUse1700000000044';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE login_session ADD COLUMN last_used_at bigint');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE login_session DROP COLUMN last_used_at');
  }
}
