import { Injectable } from '@nestjs/common';
import { TransactionService } from '../../../platform/database/transaction.service';
import { ApiKeys } from '../../../platform/secrets/api-keys';
import { AccountChanges } from '../records/account-changes.service';
import { ClientDeviceService } from '../devices/client-device.service';
import { PushTokenService } from '../devices/push-token.service';

/** Replaces API keys. */
@Injectable()
export class ApiKeyService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly changes: AccountChanges,
    private readonly apiKeys: ApiKeys,
    private readonly tokens: PushTokenService,
    private readonly devices: ClientDeviceService,
  ) {}

  /**
   * Gives an account another key. The old one fails from now on, and whoever held it gets no more
   * notifications: all registrations of the account are removed.
   * @returns the new key
   */
  regenerate(userId: number): Promise<string> {
    return this.transactions.runExclusive(async (tx) => {
      const row = await this.changes.load(tx, userId);
      row.keyNonce = ApiKeys.newNonce();
      await this.changes.save(tx, row);
      await this.tokens.removeAll(tx, userId);
      await this.devices.removeAll(tx, userId);
      return this.apiKeys.apiKeyFor(row.keyNonce);
    });
  }
}
