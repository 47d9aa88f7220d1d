import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction.service';
import {
  type Account,
  type AccountActivityObserver,
  AccountActivityRegistry,
  personalSetting,
  UserVisibility,
} from '../users';
import { userStatusChanged } from './user-status.events';
import { UserStatusRowsService } from './user-status-rows.service';
import { EMPTY_STATUS, statusChangeWire } from './user-status.wire';

/** The status of somebody who leaves is shown no longer, and again when they come back. */
@Injectable()
export class StatusActivityService implements AccountActivityObserver {
  constructor(
    private readonly statuses: UserStatusRowsService,
    private readonly visibility: UserVisibility,
    registry: AccountActivityRegistry,
  ) {
    registry.register(this);
  }

  async activityChanges(tx: Transaction, row: Account): Promise<void> {
    const settings = JSON.parse(row.settings) as Record<string, unknown>;
    const isAway = !row.isBot && !personalSetting(settings, 'presence_enabled');
    const status = await this.statuses.of(tx, row.id);
    const change = row.isActive
      ? statusChangeWire(EMPTY_STATUS, status)
      : statusChangeWire(status, EMPTY_STATUS);
    const told = { ...(isAway ? { away: row.isActive } : {}), ...change };
    if (Object.keys(told).length === 0) return;
    const audience = await this.visibility.audienceOf(tx, row);
    tx.emit(userStatusChanged({ user_id: row.id, ...told }), audience);
  }
}
