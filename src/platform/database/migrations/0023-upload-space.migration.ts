import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columns, primary, reference, table } from './table-columns';

/** How many bytes each account has uploaded is kept, for quotas. */
export class UploadSpace1700000000023 implements MigrationInterface {
  name = 'UploadSpace1700000000023';

  private readonly space = table(
    'upload_space',
    [columns('integer', 'user_id', primary), columns('bigint', 'bytes')],
    { references: [reference('user_id', 'account')] },
  );

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(this.space);
    await queryRunner.query(
      `INSERT INTO upload_space (user_id, bytes)
       SELECT owner_id, SUM(size) FROM attachment GROUP BY owner_id`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable(this.space);
  }
}
