import { randomUUID } from 'node:crypto';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Gives the organization a name that stays, wherever it is moved. Clients draw pictures of people by it. */
export class OrganizationUuid1700000000028 implements MigrationInterface {
  name = 'OrganizationUuid1700000000028';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `INSERT INTO organization_setting (name, value) VALUES ('uuid', '"${randomUUID()}"')`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query("DELETE FROM organization_setting WHERE name = 'uuid'");
  }
}
