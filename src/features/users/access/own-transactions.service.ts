import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { TransactionService, type Transaction } from '../../../platform/database/transaction.service';
import { CallerDeactivated } from '../../../platform/errors/shared.errors';

/**
 * Transactions in which people change what is theirs alone, such as drafts: one at a time for each account, so that
 * limits on how much they have hold, and none once an account is deactivated or deleted.
 */
@Injectable()
export class OwnTransactions {
  constructor(private readonly transactions: TransactionService) {}

  /**
   * @throws CallerDeactivated for an account that has been deactivated
   */
  run<Result>(
    { userId }: Pick<Actor, 'userId'>,
    work: (tx: Transaction) => Promise<Result>,
  ): Promise<Result> {
    return this.transactions.run(async (tx) => {
      // On SQLite one write runs at a time anyway.
      const lock = tx.engine === 'postgres' ? 'FOR NO KEY UPDATE' : '';
      const rows = await tx.query(`SELECT id FROM account WHERE id = ? AND is_active ${lock}`, [userId]);
      if (rows.length === 0) throw new CallerDeactivated();
      return work(tx);
    });
  }
}
