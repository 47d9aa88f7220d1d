import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../../platform/sql/queryable';
import { Directories, Directory } from '../../../platform/events/directories';
import { SubscriptionDirectory } from './subscription.directory';

/**
 * All subscriptions of accounts, touched by the IDs of these where rows were deleted and cannot be named any more.
 * What it reads is kept in {@link SubscriptionDirectory}.
 */
@Injectable()
export class AccountSubscriptionDirectory extends Directory {
  readonly name = 'account-subscriptions';

  constructor(
    directories: Directories,
    private readonly subscriptions: SubscriptionDirectory,
  ) {
    super();
    directories.register(this);
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
