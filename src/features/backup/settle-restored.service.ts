import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { writeState } from '../../platform/database/server-state';
import { TransactionService } from '../../platform/database/transaction.service';

/** Takes out of a restored database what only made sense where the backup was made. */
@Injectable()
export class SettleRestoredService {
  constructor(private readonly transactions: TransactionService) {}

  /**
   * Clients begin anew: the numbers of events after the backup are given again, and a client that goes on where it was
   * would miss those. Sessions that ended since then do not come back. Another name for the installation keeps nodes on
   * it apart from those on the original.
   */
  async settle(): Promise<object> {
    await this.transactions.runExclusive(async (tx) => {
      await tx.query('DELETE FROM event_queue');
      await tx.query('DELETE FROM login_session');
      await writeState(tx, 'installation', randomUUID());
    });
    return {};
  }
}
