import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  columns,
  idColumn,
  index,
  reference,
  table,
} from '../../../platform/database/migrations/table-columns';

/** Creates the table of devices from which people have signed in. */
export class KnownDevices1700000000053 implements MigrationInterface {
  name = 'KnownDevices1700000000053';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      table(
        'known_device',
        [idColumn(), columns('integer', 'user_id'), columns('text', 'digest'), columns('bigint', 'seen_at')],
        {
          references: [reference('user_id', 'account')],
          indices: [index('known_device', 'user_id digest', { unique: true })],
        },
      ),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('known_device');
  }
}
