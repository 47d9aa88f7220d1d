import { Injectable } from '@nestjs/common';
import { Directories, Directory } from '../../../platform/events/directories';
import type { Queryable } from '../../../platform/sql/queryable';

interface Row {
  user_id: number;
}

const ALL = 'SELECT DISTINCT user_id FROM web_push_subscription';

/** Users with a push subscription, in memory, so that sending a message reads no table. Touched by user IDs. */
@Injectable()
export class PushSubscriptionDirectory extends Directory {
  readonly name = 'web_push_subscriptions';

  private readonly users = new Set<number>();

  constructor(directories: Directories) {
    super();
    directories.register(this);
  }

  /** Users with at least one subscription: always the same set, updated in place. */
  get userIds(): ReadonlySet<number> {
    return this.users;
  }

  async load(db: Queryable): Promise<void> {
    const rows = await db.query<Row>(ALL);
    this.users.clear();
    for (const row of rows) this.users.add(row.user_id);
  }

  async refresh(db: Queryable, ids: readonly number[]): Promise<void> {
    const rows = await db.query<Row>(`${ALL} WHERE user_id IN (?)`, [ids]);
    for (const id of ids) this.users.delete(id);
    for (const row of rows) this.users.add(row.user_id);
  }
}
