import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = ['provider_issuer', 'provider_sid'];

/** Sessions remember the identity provider that vouched for their owner, which may end them. */
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
