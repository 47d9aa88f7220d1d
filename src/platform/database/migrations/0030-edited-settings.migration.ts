import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The names of the personal settings of an account, on each engine. */
const NAMES = {
  sqlite: '(SELECT json_group_array(key) FROM json_each(account.settings))',
  postgres:
    "(SELECT COALESCE(json_agg(name), '[]')::text FROM json_object_keys(account.settings::json) AS name)",
};

/**
 * Records which settings users have changed themselves. For existing settings that is unknown, so they count as
 * changed.
 */
export class EditedSettings1700000000030 implements MigrationInterface {
  name = 'EditedSettings1700000000030';

  async up(queryRunner: QueryRunner): Promise<void> {
    const engine = queryRunner.dataSource.options.type === 'postgres' ? 'postgres' : 'sqlite';
    await queryRunner.query("ALTER TABLE account ADD COLUMN edited_settings text NOT NULL DEFAULT '[]'");
    await queryRunner.query(
      `UPDATE account SET edited_settings = ${NAMES[engine]} WHERE settings <> '{}' AND NOT is_bot`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE account DROP COLUMN edited_settings');
  }
}
