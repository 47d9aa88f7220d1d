import type { QueryRunner } from 'typeorm';
import { TransactionMisused } from './database.errors';
import { interceptQueries } from './intercept-queries';

/**
 * Stands between one piece of work and the connection it runs on, which others use afterwards. It lets
 * nothing through once the work is over, so that a forgotten `await` cannot write into somebody else's
 * transaction, and remembers the first failed statement: PostgreSQL stores nothing after one, so
 * neither does SQLite.
 */
export class StatementGuard {
  /** Behaves as the connection itself, entity repositories included. */
  readonly runner: QueryRunner;
  private readonly running = new Set<Promise<unknown>>();
  private isOver = false;
  private firstFailure: { readonly error: unknown } | undefined;

  /** @param isTransactionOpen asked after a failed statement: some errors end a SQLite transaction */
  constructor(
    private readonly inner: QueryRunner,
    private readonly isTransactionOpen: () => boolean,
  ) {
    this.runner = interceptQueries(inner, (text, values, isStructured) =>
      this.query(text, values, isStructured),
    );
  }

  /** What the first failed statement failed with. */
  get failure(): unknown {
    return this.firstFailure?.error;
  }

  /** @throws {TransactionMisused} once the work is over */
  assertOpen(): void {
    if (this.isOver) throw new TransactionMisused('The transaction is over.');
  }

  /**
   * Ends the work and waits for what still runs.
   * @throws the first failure, or {@link TransactionMisused} when a statement was not awaited
   */
  async finish(): Promise<void> {
    const hasForgotten = this.running.size > 0;
    await this.abandon();
    if (this.firstFailure) throw this.firstFailure.error;
    if (hasForgotten) throw new TransactionMisused('A statement of the transaction was not awaited.');
  }

  /** Ends the work without asking how it went. */
  async abandon(): Promise<void> {
    this.isOver = true;
    await Promise.allSettled(this.running);
  }

  private async query(text: string, parameters?: unknown[], structured?: boolean): Promise<unknown> {
    this.assertOpen();
    const statement = this.inner.query(text, parameters, structured as true);
    this.running.add(statement);
    try {
      return await statement;
    } catch (error) {
      this.firstFailure ??= { error };
      if (!this.isTransactionOpen()) this.isOver = true;
      throw error;
    } finally {
      this.running.delete(statement);
    }
  }
}
