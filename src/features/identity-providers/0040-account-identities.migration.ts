import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columns, idColumn, index, reference, table } from '../../platform/database/migrations/table-columns';

/** Table of account identities at identity providers. */
export class AccountIdentities1700000000040 implements MigrationInterface {
  name = 'AccountIdentities1700000000040';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      table(
        'account_identity',
        [
          idColumn(),
          columns('integer', 'user_id'),
          columns('text', 'issuer sub'),
          columns('bigint', 'created_at'),
        ],
        {
          references: [reference('user_id', 'account')],
          indices: [
            index('account_identity', 'issuer sub', { unique: true }),
            index('account_identity', 'user_id issuer', { unique: true }),
          ],
        },
      ),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('account_identity');
  }
}
