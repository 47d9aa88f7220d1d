import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sessions begin in browsers as well, with a cookie. Those that go on have a token. */
export class BrowserSessions1700000000033 implements MigrationInterface {
  name = 'BrowserSessions1700000000033';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query("ALTER TABLE login_session ADD COLUMN kind text NOT NULL DEFAULT 'token'");
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query("DELETE FROM login_session WHERE kind <> 'token'");
    await queryRunner.query('ALTER TABLE login_session DROP COLUMN kind');
  }
}
