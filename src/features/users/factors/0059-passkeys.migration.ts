import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  columns,
  idColumn,
  index,
  nullable,
  reference,
  table,
} from '../../../platform/database/migrations/table-columns';

/** Creates the tables of passkeys, and of the challenges that they answered. */
export class Passkeys1700000000059 implements MigrationInterface {
  name = 'Passkeys1700000000059';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      table(
        'passkey',
        [
          idColumn(),
          columns('integer', 'user_id algorithm'),
          columns('text', 'name credential_id public_key site'),
          columns('bigint', 'sign_count created_at'),
          columns('bigint', 'last_used_at', nullable),
        ],
        {
          references: [reference('user_id', 'account')],
          indices: [index('passkey', 'credential_id', { unique: true }), index('passkey', 'user_id id')],
        },
      ),
    );
    await queryRunner.createTable(
      table('used_challenge', [idColumn(), columns('text', 'digest'), columns('bigint', 'expires_at')], {
        indices: [index('used_challenge', 'digest', { unique: true }), index('used_challenge', 'expires_at')],
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('used_challenge');
    await queryRunner.dropTable('passkey');
  }
}
