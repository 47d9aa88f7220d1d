import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores the ID token, which identifies the session to end at the provider. */
export class IdTokensColumn1700000000056 implements MigrationInterface {
  name = 'IdTokensColumn1700000000056';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE login_session ADD COLUMN sealed_id_token text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE login_session DROP COLUMN sealed_id_token');
  }
}
