import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columns, idColumn, index, table } from './table-columns';

/** What follows from a change and is done after it, in steps. */
export class UnfinishedWork1700000000014 implements MigrationInterface {
  name = 'UnfinishedWork1700000000014';

  private readonly work = table(
    'unfinished_work',
    [idColumn(), columns('text', 'kind data'), columns('bigint', 'due_at')],
    { indices: [index('unfinished_work', 'due_at')] },
  );

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(this.work);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable(this.work);
  }
}
