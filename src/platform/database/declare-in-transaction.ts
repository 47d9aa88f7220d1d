import type { QueryRunner } from 'typeorm';

/**
 * Tells TypeORM that a transaction is open on a connection for as long as we use it. It does not notice a
 * BEGIN that it did not send, and would have entity repositories open a transaction of their own.
 */
export function declareInTransaction(runner: QueryRunner): void {
  Object.assign(runner, { isTransactionActive: true, transactionDepth: 1 });
}
