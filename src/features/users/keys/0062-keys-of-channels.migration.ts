import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the column for the channels to which a named API key is limited. */
export class KeysOfChannels1700000000062 implements MigrationInterface {
  name = 'KeysOfChannels1700000000062';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE named_key ADD COLUMN channel_ids text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE named_key DROP COLUMN channel_ids');
  }
}
