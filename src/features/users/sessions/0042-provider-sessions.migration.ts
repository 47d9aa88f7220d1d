import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = ['provider_issuer', 'provider_sid'];

/** Stores which identity provider authenticated a session; the provider may end it. */
export class ProviderSessions1700000000042 implements MigrationInterface {
  name = 'ProviderSessions1700000000042';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const column of COLUMNS) {
      await queryRunner.query(`ALTER TABLE login_session ADD COLUMN ${column} text`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const column of COLUMNS) {
      await queryRunner.query(`ALTER TABLE login_session DROP COLUMN ${column}`);
    }
  }
}
