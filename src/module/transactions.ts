import { Injectable } from '@nestjs/common';
import { type Transaction, TransactionService } from '../platform/database/transaction.service';

/**
 * The only way to write. The work gets the open transaction as its argument; when it rejects, nothing of it is stored. Slow
 * things (files, network) belong before it.
 */
@Injectable()
export class Transactions {
  constructor(private readonly transactions: TransactionService) {}

  /** On PostgreSQL the work may run more than once, so it changes nothing but tables. @returns what the work resolves to */
  run<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.transactions.run(work);
  }
}
