import type { MigrationInterface, QueryRunner } from 'typeorm';
import { columns, idColumn, index, primary, reference, table } from './table-columns';

const toAccount = { references: [reference('user_id', 'account')] };

/**
 * Adds numbers and origins (time, address, client) to sessions of the companion interface. Existing sessions have no
 * known origin, so they end: people sign in again.
 */
export class SessionOrigins1700000000015 implements MigrationInterface {
  name = 'SessionOrigins1700000000015';

  private readonly before = table(
    'login_session',
    [columns('text', 'id', primary), columns('integer', 'user_id'), columns('bigint', 'expires_at')],
    { ...toAccount, indices: [index('login_session', 'user_id'), index('login_session', 'expires_at')] },
  );

  private readonly after = table(
    'login_session',
    [
      idColumn(),
      columns('text', 'token_id'),
      columns('integer', 'user_id'),
      columns('bigint', 'created_at expires_at'),
      columns('text', 'address user_agent'),
    ],
    {
      ...toAccount,
      indices: [
        index('login_session', 'token_id', { unique: true }),
        index('login_session', 'user_id id'),
        index('login_session', 'expires_at'),
      ],
    },
  );

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable(this.before);
    await queryRunner.createTable(this.after);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable(this.after);
    await queryRunner.createTable(this.before);
  }
}
