import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';
import {
  columns,
  idColumn,
  index,
  nullable,
  reference,
  table,
} from '../../../platform/database/migrations/table-columns';

const SET_INDEX = index('mention_set_member', 'set_id');

/** Adds a table for archives of the organization, and the index that exports use to read a set of mentioned people. */
export class OrganizationExports1700000000041 implements MigrationInterface {
  name = 'OrganizationExports1700000000041';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      table(
        'organization_export',
        [
          idColumn(),
          columns('integer', 'requester_id'),
          columns('text', 'type file_key'),
          columns('bigint', 'requested_at'),
          columns('bigint', 'succeeded_at failed_at deleted_at size', nullable),
        ],
        {
          references: [reference('requester_id', 'account')],
          indices: [index('organization_export', 'requested_at')],
        },
      ),
    );
    await queryRunner.createIndex('mention_set_member', new TableIndex(SET_INDEX));
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropIndex('mention_set_member', new TableIndex(SET_INDEX));
    await queryRunner.dropTable('organization_export');
  }
}
