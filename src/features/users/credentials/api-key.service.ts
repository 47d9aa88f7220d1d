import { Injectable } from '@nestjs/common';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import type { Actor } from '../../../platform/actor';
import { ApiKeys } from '../../../platform/secrets/api-keys';
import { AuditLog } from '../../audit/audit.module';
import type { Account } from '../accounts/account.entity';
import { AccountChanges } from '../records/account-changes.service';
import { ClientDeviceService, PushTokenService } from '../devices/devices.service';

/** Replaces API keys. */
@Injectable()
export class ApiKeyService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly changes: AccountChanges,
    private readonly apiKeys: ApiKeys,
    private readonly tokens: PushTokenService,
    private readonly devices: ClientDeviceService,
    private readonly audit: AuditLog,
  ) {}

  /** Gives an account a new key; see {@link renew}. @returns the new key */
  regenerate(actor: Actor, userId: number): Promise<string> {
    return this.transactions.runExclusive(async (tx) => {
      const row = await this.changes.load(tx, userId);
      await this.renew(tx, row);
      await this.changes.save(tx, row);
      this.audit.record(tx, actor, 'user.key_renewed', { userId });
      return this.apiKeys.apiKeyFor(row.keyNonce);
    });
  }

  /**
   * Changes the key in the row. The old key is invalid once the caller saves the row; clients that used it receive no
   * more notifications, because all push registrations of the account are deleted.
   */
  async renew(tx: Transaction, row: Account): Promise<void> {
    row.keyNonce = ApiKeys.newNonce();
    await this.tokens.removeAll(tx, row.id);
    await this.devices.removeAll(tx, row.id);
  }
}
