import { randomUUID } from 'node:crypto';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Gives the database an ID, by which its nodes recognize their messages among those of other installations. */
export class Installation1700000000010 implements MigrationInterface {
  name = 'Installation1700000000010';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `INSERT INTO server_state (key, value) VALUES ('installation', '${randomUUID()}')`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query("DELETE FROM server_state WHERE key = 'installation'");
  }
}
