import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columns, index, primary, reference, table } from './table-columns';

/** Who is signed in to the companion interface. */
export class LoginSessions1700000000011 implements MigrationInterface {
  name = 'LoginSessions1700000000011';

  private readonly sessions = table(
    'login_session',
    [columns('text', 'id', primary), columns('integer', 'user_id'), columns('bigint', 'expires_at')],
    {
      references: [reference('user_id', 'account')],
      indices: [index('login_session', 'user_id'), index('login_session', 'expires_at')],
    },
  );

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(this.sessions);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable(this.sessions);
  }
}
