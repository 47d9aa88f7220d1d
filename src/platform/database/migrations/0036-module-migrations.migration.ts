import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columns, primary, table } from './table-columns';

/** A table of which migrations of which modules were applied. */
export class ModuleMigrations1700000000036 implements MigrationInterface {
  name = 'ModuleMigrations1700000000036';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      table('module_migration', [
        columns('text', 'module', primary),
        columns('integer', 'number', primary),
        columns('text', 'name'),
        columns('bigint', 'applied_at'),
      ]),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('module_migration');
  }
}
