import { Injectable } from '@nestjs/common';
import { Channel } from './channel.entity';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import { Directories, Directory } from '../../../platform/events/directories';
import { composedName } from '../../../platform/names/visible-name';
import { entityRows } from '../../../platform/sql/entity-rows';
import type { Queryable } from '../../../platform/sql/queryable';
import { addToSet } from '../../../platform/collections';

/** A channel in the directory. Immutable: a change replaces the object, so its identity serves as a version. */
export type ChannelRecord = Readonly<Channel>;

/** The unique key of a name: its lower-case form, trimmed. */
export function channelNameKey(name: string): string {
  return name.trim().toLowerCase();
}

/** All channels in memory, including archived ones. Touched by channel IDs. */
@Injectable()
export class ChannelDirectory extends Directory {
  readonly name = 'channels';

  private readonly channels = new Map<number, ChannelRecord>();
  private readonly idByNameKey = new Map<string, number>();
  private sorted: readonly ChannelRecord[] | undefined;

  constructor(directories: Directories) {
    super();
    directories.register(this);
  }

  byId(id: number): ChannelRecord | undefined {
    return this.channels.get(id);
  }

  /** Finds a channel by name, regardless of case, Unicode composition and spaces. */
  byName(name: string): ChannelRecord | undefined {
    const key = channelNameKey(name);
    const id = this.idByNameKey.get(key) ?? this.idByNameKey.get(composedName(key));
    return id === undefined ? undefined : this.channels.get(id);
  }

  /** All channels, sorted by the code points of their names. Shared, not a copy. */
  all(): readonly ChannelRecord[] {
    this.sorted ??= [...this.channels.values()].sort((a, b) => compareCodePoints(a.name, b.name));
    return this.sorted;
  }

  /** IDs of the default channels of new users, ascending. */
  defaultIds(): number[] {
    const defaults = this.all().filter(({ isDefault }) => isDefault);
    return defaults.map(({ id }) => id).sort((a, b) => a - b);
  }

  async load(db: Queryable): Promise<void> {
    const rows = await entityRows(db, Channel);
    this.channels.clear();
    this.idByNameKey.clear();
    this.keep(rows);
  }

  async refresh(db: Queryable, ids: readonly number[]): Promise<void> {
    const rows = await entityRows(db, Channel, 'WHERE id IN (?)', [ids]);
    for (const id of ids) this.forget(id);
    this.keep(rows);
  }

  private keep(rows: readonly Channel[]): void {
    for (const row of rows) {
      this.channels.set(row.id, row);
      this.idByNameKey.set(row.nameKey, row.id);
    }
    this.sorted = undefined;
  }

  private forget(id: number): void {
    const before = this.channels.get(id);
    if (!before) return;
    this.idByNameKey.delete(before.nameKey);
    this.channels.delete(id);
  }
}

/**
 * Compares texts by code points, which is the interface's order of names; comparing UTF-16 units would place some emoji
 * too early.
 */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

/** Ranks surrogates, which encode the highest code points, after all other units. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** The namespace of these advisory locks; the second key is the ID of the channel. */
const CHANNEL_LOCK = 7_275_274;

/**
 * `shared` is for senders: the channel's subscribers and settings do not change until the transaction ends. `alone` is
 * for changes that senders rely on: no message to the channel is in progress.
 */
type ChannelLock = 'shared' | 'alone';

/**
 * Locks channels until the transaction ends, in the order of their IDs; requests queue in the order of arrival.
 * PostgreSQL's row locks let shared holders overtake a waiting exclusive one, so nobody could ever join a busy channel;
 * its advisory locks queue. SQLite runs one writing transaction at a time anyway.
 */
export async function lockChannels(
  tx: Transaction,
  channelIds: readonly number[],
  lock: ChannelLock,
): Promise<void> {
  if (tx.engine === 'sqlite' || channelIds.length === 0) return;
  const take = lock === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  await tx.query(
    `SELECT ${take}(${CHANNEL_LOCK}, id) FROM (SELECT id FROM channel WHERE id IN (?) ORDER BY id) AS locked`,
    [channelIds],
  );
}

interface Row {
  user_id: number;
  channel_id: number;
  counts: unknown;
}

const NONE: ReadonlySet<number> = new Set();

/**
 * Subscriptions in memory: the active subscriptions of active accounts. Touched by the IDs of subscription rows, which
 * are deleted only with their account; code that deactivates or reactivates an account touches the rows of that
 * account.
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

  /** The subscribers of a channel, including bots: the same object until the set changes. */
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

  /** IDs of the channels that an account is subscribed to, including archived ones. */
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

  /** Replaces the subscriptions of accounts. For AccountSubscriptionDirectory. */
  replaceSubscriptions(userIds: readonly number[], rows: readonly Omit<Row, 'counts'>[]): void {
    for (const user_id of userIds) {
      for (const channel_id of [...this.channelsOf(user_id)])
        this.keep({ user_id, channel_id, counts: false });
    }
    for (const row of rows) this.keep({ ...row, counts: true });
  }

  private keep(row: Row): void {
    if (row.counts) {
      addToSet(this.users, row.channel_id, row.user_id);
      addToSet(this.channels, row.user_id, row.channel_id);
    } else {
      this.users.get(row.channel_id)?.delete(row.user_id);
      this.channels.get(row.user_id)?.delete(row.channel_id);
    }
    this.audiences.delete(row.channel_id);
  }
}

/**
 * Reloads all subscriptions of accounts; touched by the IDs of accounts whose subscription rows were deleted and can no
 * longer be named. The data is stored in {@link SubscriptionDirectory}.
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

  /** The other directory loads everything. */
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
