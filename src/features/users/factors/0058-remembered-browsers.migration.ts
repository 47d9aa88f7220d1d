import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';
import { index } from '../../../platform/database/migrations/table-columns';

const COLUMNS = [
  `address text NOT NULL DEFAULT ''`,
  `user_agent text NOT NULL DEFAULT ''`,
  'created_at bigint NOT NULL DEFAULT 0',
  'last_used_at bigint',
];

const EXPIRY = index('remembered_device', 'expires_at');

/** Adds details by which people recognize remembered browsers, and deletes expired ones. */
export class RememberedBrowsersColumns1700000000058 implements MigrationInterface {
  name = 'RememberedBrowsersColumns1700000000058';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const column of COLUMNS)
      await queryRunner.query(`ALTER TABLE remembered_device ADD COLUMN ${column}`);
    await queryRunner.createIndex('remembered_device', new TableIndex(EXPIRY));
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropIndex('remembered_device', EXPIRY.name!);
    for (const column of COLUMNS) {
      await queryRunner.query(`ALTER TABLE remembered_device DROP COLUMN ${column.split(' ', 1)[0]!}`);
    }
  }
}
