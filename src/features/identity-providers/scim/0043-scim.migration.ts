import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  columns,
  idColumn,
  index,
  nullable,
  primary,
  reference,
  table,
} from '../../../platform/database/migrations/table-columns';

/** Tables of SCIM keys, and of the people and groups that company directories manage. */
export class Scim1700000000043 implements MigrationInterface {
  name = 'Scim1700000000043';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      table('scim_key', [
        idColumn(),
        columns('text', 'directory nonce'),
        columns('bigint', 'created_at'),
        columns('bigint', 'last_used_at', nullable),
      ]),
    );
    await queryRunner.createTable(
      table(
        'scim_person',
        [
          columns('integer', 'user_id', primary),
          columns('text', 'directory'),
          columns('text', 'external_id user_name', nullable),
        ],
        {
          references: [reference('user_id', 'account')],
          indices: [index('scim_person', 'directory external_id')],
        },
      ),
    );
    await queryRunner.createTable(
      table('scim_group', [
        columns('integer', 'group_id', primary),
        columns('text', 'directory'),
        columns('text', 'external_id', nullable),
      ]),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const name of ['scim_group', 'scim_person', 'scim_key']) await queryRunner.dropTable(name);
  }
}
