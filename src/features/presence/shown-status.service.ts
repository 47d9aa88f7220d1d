import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction.service';
import type { Audience } from '../../platform/events/audience';
import {
  AccountDirectory,
  personalSetting,
  type VisibilityObserver,
  VisibilityObserverRegistry,
} from '../users';
import { UserStatusRowsService } from './user-status-rows.service';
import { userStatusChanged } from './user-status.events';
import { EMPTY_STATUS, userStatusWire } from './user-status.wire';

/** Tells those who come to see somebody what that person says of themselves; clients forgot it, or never knew. */
@Injectable()
export class ShownStatusService implements VisibilityObserver {
  constructor(
    private readonly rows: UserStatusRowsService,
    private readonly accounts: AccountDirectory,
    registry: VisibilityObserverRegistry,
  ) {
    registry.register(this);
  }

  async peopleShown(tx: Transaction, watchers: ReadonlyMap<number, Audience>): Promise<void> {
    const statuses = await this.rows.among(tx, [...watchers.keys()]);
    for (const [userId, audience] of watchers) {
      const account = this.accounts.byId(userId);
      if (!account || account.isBot) continue;
      const isAway = !personalSetting(account.settings, 'presence_enabled');
      const status = userStatusWire(statuses.get(userId) ?? EMPTY_STATUS, isAway);
      if (Object.keys(status).length > 0)
        tx.emit(userStatusChanged({ user_id: userId, ...status }), audience);
    }
  }
}
