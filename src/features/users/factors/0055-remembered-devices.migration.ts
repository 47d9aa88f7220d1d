import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  columns,
  idColumn,
  index,
  reference,
  table,
} from '../../../platform/database/migrations/table-columns';

/** Creates the table of browsers that are not asked for a second-factor code. */
export class RememberedDevicesTable1700000000055 implements MigrationInterface {
  name = 'RememberedDevicesTable1700000000055';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      table(
        'remembered_device',
        [
          idColumn(),
          columns('integer', 'user_id'),
          columns('text', 'digest'),
          columns('bigint', 'expires_at'),
        ],
        {
          references: [reference('user_id', 'account')],
          indices: [index('remembered_device', 'user_id digest', { unique: true })],
        },
      ),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('remembered_device');
  }
}
