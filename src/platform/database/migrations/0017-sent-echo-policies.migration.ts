import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The answer to a request to send that is repeated says, like the first one, what became of the sender's topic policy. */
export class SentEchoPolicies1700000000017 implements MigrationInterface {
  name = 'SentEchoPolicies1700000000017';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE sent_echo ADD COLUMN topic_policy integer');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE sent_echo DROP COLUMN topic_policy');
  }
}
