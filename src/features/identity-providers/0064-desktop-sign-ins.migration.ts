import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columns, idColumn, index, reference, table } from '../../platform/database/migrations/table-columns';

/** Table of sign-ins that the desktop app has yet to take over from a browser. */
export class DesktopSignIns1700000000064 implements MigrationInterface {
  name = 'DesktopSignIns1700000000064';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      table(
        'desktop_sign_in',
        [
          idColumn(),
          columns('integer', 'user_id'),
          columns('text', 'digest grounds'),
          columns('bigint', 'expires_at'),
        ],
        {
          references: [reference('user_id', 'account')],
          indices: [index('desktop_sign_in', 'digest', { unique: true })],
        },
      ),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('desktop_sign_in');
  }
}
