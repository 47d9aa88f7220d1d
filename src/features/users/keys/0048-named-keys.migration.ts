import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  columns,
  idColumn,
  index,
  nullable,
  reference,
  table,
} from '../../../platform/database/migrations/table-columns';

/** Creates the table of named API keys with scopes, in addition to each account's own key. */
export class NamedKeys1700000000048 implements MigrationInterface {
  name = 'NamedKeys1700000000048';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      table(
        'named_key',
        [
          idColumn(),
          columns('integer', 'user_id'),
          columns('text', 'name nonce scopes'),
          columns('bigint', 'created_at'),
          columns('bigint', 'expires_at revoked_at last_used_at', nullable),
          columns('text', 'last_address', nullable),
        ],
        {
          references: [reference('user_id', 'account')],
          indices: [index('named_key', 'user_id')],
        },
      ),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('named_key');
  }
}
