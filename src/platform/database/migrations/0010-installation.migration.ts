import { randomUUID } from 'node:crypto';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Gives the database a name of its own, by which the nodes on it tell their messages from those of others. */
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
