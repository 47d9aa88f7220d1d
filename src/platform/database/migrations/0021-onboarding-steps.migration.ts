import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columns, primary, reference, table } from './table-columns';

/** Onboarding steps that users have seen. */
export class OnboardingSteps1700000000021 implements MigrationInterface {
  name = 'OnboardingSteps1700000000021';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      table('onboarding_step', [columns('integer', 'user_id', primary), columns('text', 'step', primary)], {
        references: [reference('user_id', 'account')],
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('onboarding_step');
  }
}
