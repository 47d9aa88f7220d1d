import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction.service';
import { AccountDirectory } from '../users/account.directory';
import { PersonalDataRegistry, type PersonalDataKeeper } from '../users/personal-data.registry';
import { personalSetting } from '../users/personal-settings.wire';
import { UserVisibility } from '../users/user-visibility.service';
import { PresenceDirectory } from './presence.directory';
import { userStatusChanged } from './user-status.events';
import { UserStatusRowsService } from './user-status-rows.service';
import { EMPTY_STATUS, statusChangeWire } from './user-status.wire';

/** Forgets when whoever is deleted was there, and what they said of themselves. */
@Injectable()
export class PresenceDataService implements PersonalDataKeeper {
  constructor(
    private readonly statuses: UserStatusRowsService,
    private readonly presence: PresenceDirectory,
    private readonly accounts: AccountDirectory,
    private readonly visibility: UserVisibility,
    registry: PersonalDataRegistry,
  ) {
    registry.register(this);
  }

  async removeDataOf(tx: Transaction, userId: number): Promise<readonly string[]> {
    const account = this.accounts.byId(userId);
    const change = statusChangeWire(await this.statuses.of(tx, userId), EMPTY_STATUS);
    const isAway = account !== undefined && !personalSetting(account.settings, 'presence_enabled');
    await this.statuses.store(tx, userId, EMPTY_STATUS);
    await tx.query('DELETE FROM presence WHERE user_id = ?', [userId]);
    this.presence.forget(userId);
    if (account && (isAway || Object.keys(change).length > 0)) {
      const audience = await this.visibility.audienceOf(tx, account);
      tx.emit(
        userStatusChanged({ user_id: userId, ...(isAway ? { away: false } : {}), ...change }),
        audience,
      );
    }
    return [];
  }
}
