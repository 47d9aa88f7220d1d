import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../../platform/database/queryable';
import { Snapshot } from '../../../platform/events/snapshot';
import { SnapshotRegistry } from '../../../platform/events/snapshot-registry';
import { SubscriptionDirectory } from './subscription.directory';

/**
 * All subscriptions of accounts, touched by the IDs of these where rows were deleted and cannot be named any more.
 * What it reads is kept in {@link SubscriptionDirectory}.
 */
@Injectable()
export class AccountSubscriptionDirectory extends Snapshot {
  readonly name = 'account-subscriptions';

  constructor(
    registry: SnapshotRegistry,
    private readonly subscriptions: SubscriptionDirectory,
  ) {
    super();
    registry.register(this);
  }

  /** The other directory loads them. */
  async load(): Promise<void> {}

  async refresh(db: Queryable, userIds: readonly number[]): Promise<void> {
    const rows = await db.query<{ user_id: number; channel_id: number }>(
      `SELECT s.user_id, s.channel_id FROM subscription s JOIN account a ON a.id = s.user_id
       WHERE s.user_id IN (?) AND s.is_active = ? AND a.is_active = ?`,
      [userIds, true, true],
    );
    this.subscriptions.replaceSubscriptions(userIds, rows);
  }
}
