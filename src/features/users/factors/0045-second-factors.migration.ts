import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columns, primary, reference, table } from '../../../platform/database/migrations/table-columns';

/** Creates the table of second factors. */
export class SecondFactors1700000000045 implements MigrationInterface {
  name = 'SecondFactors1700000000045';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      table(
        'second_factor',
        [
          columns('integer', 'user_id', primary),
          columns('text', 'sealed_seed recovery_codes'),
          columns('boolean', 'is_confirmed'),
          columns('bigint', 'newest_step created_at'),
        ],
        { references: [reference('user_id', 'account')] },
      ),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('second_factor');
  }
}
