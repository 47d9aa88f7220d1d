import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../../platform/sql/queryable';
import { Audience } from '../../../platform/events/audience';
import { Directories, Directory } from '../../../platform/events/directories';

interface Row {
  user_id: number;
  channel_id: number;
  counts: unknown;
}

const NONE: ReadonlySet<number> = new Set();

/**
 * Who is subscribed to what, in memory: the active subscriptions of active accounts. Touched by the IDs
 * of subscription rows, which are deleted with their account only; code that deactivates or reactivates an
 * account touches the rows of that account.
 */
@Injectable()
export class SubscriptionDirectory extends Directory {
  readonly name = 'subscriptions';

  private readonly users = new Map<number, Set<number>>();
  private readonly channels = new Map<number, Set<number>>();
  private readonly audiences = new Map<number, Audience>();

  constructor(directories: Directories) {
    super();
    directories.register(this);
  }

  /** The subscribers of a channel, bots included: the same object until a person comes or goes. */
  subscribersOf(channelId: number): Audience {
    const users = this.users.get(channelId);
    if (!users) return Audience.none;
    let audience = this.audiences.get(channelId);
    if (!audience) {
      audience = Audience.of(users);
      this.audiences.set(channelId, audience);
    }
    return audience;
  }

  /** How many active accounts are subscribed to a channel. */
  subscriberCount(channelId: number): number {
    return this.users.get(channelId)?.size ?? 0;
  }

  /** IDs of the channels that an account is subscribed to, archived ones included. */
  channelsOf(userId: number): ReadonlySet<number> {
    return this.channels.get(userId) ?? NONE;
  }

  isSubscribed(userId: number, channelId: number): boolean {
    return this.channels.get(userId)?.has(channelId) ?? false;
  }

  async load(db: Queryable): Promise<void> {
    const rows = await db.query<Row>(
      `SELECT s.user_id, s.channel_id, 1 AS counts FROM subscription s JOIN account a ON a.id = s.user_id
       WHERE s.is_active = ? AND a.is_active = ?`,
      [true, true],
    );
    this.users.clear();
    this.channels.clear();
    this.audiences.clear();
    rows.forEach((row) => this.keep(row));
  }

  async refresh(db: Queryable, ids: readonly number[]): Promise<void> {
    const rows = await db.query<Row>(
      `SELECT s.user_id, s.channel_id, (s.is_active AND a.is_active) AS counts
       FROM subscription s JOIN account a ON a.id = s.user_id WHERE s.id IN (?)`,
      [ids],
    );
    rows.forEach((row) => this.keep(row));
  }

  /** Leaves accounts with exactly these subscriptions. For AccountSubscriptionDirectory. */
  replaceSubscriptions(userIds: readonly number[], rows: readonly Omit<Row, 'counts'>[]): void {
    for (const user_id of userIds) {
      for (const channel_id of [...this.channelsOf(user_id)])
        this.keep({ user_id, channel_id, counts: false });
    }
    for (const row of rows) this.keep({ ...row, counts: true });
  }

  private keep(row: Row): void {
    if (row.counts) {
      addTo(this.users, row.channel_id, row.user_id);
      addTo(this.channels, row.user_id, row.channel_id);
    } else {
      this.users.get(row.channel_id)?.delete(row.user_id);
      this.channels.get(row.user_id)?.delete(row.channel_id);
    }
    this.audiences.delete(row.channel_id);
  }
}

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

function addTo(map: Map<number, Set<number>>, key: number, value: number): void {
  const set = map.get(key);
  if (set) set.add(value);
  else map.set(key, new Set([value]));
}
