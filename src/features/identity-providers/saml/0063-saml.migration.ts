import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  columns,
  idColumn,
  index,
  nullable,
  table,
} from '../../../platform/database/migrations/table-columns';

/** Table of SAML responses that browsers have yet to collect. */
export class Saml1700000000063 implements MigrationInterface {
  name = 'Saml1700000000063';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      table(
        'saml_answer',
        [
          idColumn(),
          columns('text', 'request_id'),
          columns('text', 'sealed_claims', nullable),
          columns('bigint', 'created_at ends_at'),
        ],
        {
          indices: [index('saml_answer', 'request_id', { unique: true }), index('saml_answer', 'ends_at')],
        },
      ),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('saml_answer');
  }
}
