import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores whether a session verified a second factor, and when its owner last authenticated. */
export class SessionStrength1700000000050 implements MigrationInterface {
  name = 'SessionStrength1700000000050';

  async up(queryRunner: QueryRunner): Promise<void> {
    const no = queryRunner.dataSource.options.type === 'postgres' ? 'false' : '0';
    await queryRunner.query(`ALTER TABLE login_session ADD COLUMN has_factor boolean NOT NULL DEFAULT ${no}`);
    await queryRunner.query(
      'ALTER TABLE login_session ADD COLUMN authenticated_at bigint NOT NULL DEFAULT 0',
    );
    await queryRunner.query('UPDATE login_session SET authenticated_at = created_at');
    // People with a factor were asked for it, unless an identity provider signed them in.
    await queryRunner.query(
      `UPDATE login_session SET has_factor = true
       WHERE provider_issuer IS NULL AND user_id IN (SELECT user_id FROM second_factor WHERE is_confirmed)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const column of ['has_factor', 'authenticated_at']) {
      await queryRunner.query(`ALTER TABLE login_session DROP COLUMN ${column}`);
    }
  }
}
