import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columns, idColumn, index, nullable, reference, table } from './table-columns';

/** People keep views in the left sidebar of their clients. */
export class NavigationViews1700000000020 implements MigrationInterface {
  name = 'NavigationViews1700000000020';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      table(
        'navigation_view',
        [
          idColumn(),
          columns('integer', 'user_id'),
          columns('text', 'fragment'),
          columns('boolean', 'is_pinned'),
          columns('text', 'name', nullable),
        ],
        {
          references: [reference('user_id', 'account')],
          indices: [index('navigation_view', 'user_id fragment', { unique: true })],
        },
      ),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('navigation_view');
  }
}
