import { Injectable } from '@nestjs/common';
import { TransactionService, type Transaction } from '../../../platform/database/transaction.service';

/** Thrown by work that turns out to change directories, so that it starts again in an exclusive transaction. */
export class NeedsExclusive extends Error {
  constructor() {
    super('This change needs an exclusive transaction.');
  }
}

/** Runs work that rarely has to change a channel's own row, and learns so only when it looks at the messages. */
@Injectable()
export class UpgradableTransactions {
  constructor(private readonly transactions: TransactionService) {}

  /**
   * @param isExpected whether the work is likely to need an exclusive transaction, which spares the first try
   * @param work may throw {@link NeedsExclusive} where its transaction is not exclusive
   */
  async run<T>(
    isExpected: boolean,
    work: (tx: Transaction) => Promise<T>,
    options?: { limitMs: number },
  ): Promise<T> {
    if (!isExpected) {
      try {
        return await this.transactions.run(work, options);
      } catch (error) {
        if (!(error instanceof NeedsExclusive)) throw error;
      }
    }
    return this.transactions.runExclusive(work, options);
  }
}
