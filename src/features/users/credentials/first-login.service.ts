import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import { TransactionService } from '../../../platform/database/transaction.service';
import { AccountDirectory } from '../accounts/account.directory';
import { AccountChanges } from '../records/account-changes.service';
import { toWireDate } from '../records/user-records.api';

/**
 * Sets `date_joined` to the first sign-in of an account that was created by another person, through the API or an
 * import. Signing in means fetching an API key: without one, no call is possible.
 */
@Injectable()
export class FirstLoginService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly accounts: AccountDirectory,
    private readonly changes: AccountChanges,
    private readonly clock: Clock,
  ) {}

  /** Does nothing for an account that has signed in before. */
  async recordIfFirst(userId: number): Promise<void> {
    if (!this.accounts.byId(userId)?.awaitsFirstLogin) return;
    await this.transactions.runExclusive(async (tx) => {
      const row = await this.changes.load(tx, userId);
      if (!row.awaitsFirstLogin) return;
      row.awaitsFirstLogin = false;
      row.dateJoined = this.clock.nowSeconds();
      await this.changes.announce(tx, row, { date_joined: toWireDate(row.dateJoined) });
      if (row.isImportedStub) {
        row.isImportedStub = false;
        await this.changes.announce(tx, row, { is_imported_stub: false });
      }
      await this.changes.save(tx, row);
    });
  }
}
