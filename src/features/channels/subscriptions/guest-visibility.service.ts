import { Injectable } from '@nestjs/common';
import { Role } from '../../../platform/actor';
import { addTo } from '../../../platform/collections';
import type { Queryable } from '../../../platform/sql/queryable';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import { Hooks } from '../../../platform/hooks/hooks';
import {
  AccountDirectory,
  conversationPartnersSought,
  peopleShown,
  UNKNOWN_USER,
  userAdded,
  UserRecords,
  userRemoved,
  UserVisibility,
} from '../../users/users.module';
import type { SubscriptionChange } from '../channels.hooks';
import { SubscriptionDirectory } from '../store/channel.directory';

/** The people whom each affected restricted guest saw before the change. */
export type VisibleBefore = ReadonlyMap<number, ReadonlySet<number>>;

/**
 * Guests who may not see everyone see the people with whom they share a channel. Provides this to the users feature,
 * and sends guests the changes.
 */
@Injectable()
export class GuestVisibilityService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly records: UserRecords,
    private readonly visibility: UserVisibility,
    private readonly hooks: Hooks,
  ) {
    hooks.on(conversationPartnersSought, channelPartners);
  }

  /** Must be called before people join or leave channels; free if no guest is restricted. */
  async visibleBefore(tx: Transaction, changes: readonly SubscriptionChange[]): Promise<VisibleBefore> {
    const concerned = changes.flatMap(({ channel, userIds }) => [
      ...userIds,
      ...this.subscriptions.subscribersOf(channel.id).ids(),
    ]);
    return this.visibleBeforeFor(tx, concerned);
  }

  /** Must be called before these people start to share something; free if no guest is restricted. */
  async visibleBeforeFor(tx: Transaction, userIds: readonly number[]): Promise<VisibleBefore> {
    const before = new Map<number, ReadonlySet<number>>();
    for (const guestId of this.restrictedGuests(userIds)) {
      before.set(guestId, await this.visibility.partnersOf(tx, guestId));
    }
    return before;
  }

  /** Sends people to guests who did not see them before the change. */
  async emitGained(tx: Transaction, before: VisibleBefore): Promise<void> {
    await this.emitIntroduced(tx, await this.compare(tx, before, (seen, now) => without(now, seen)));
  }

  /** Removes people for guests who no longer share anything with them. */
  async emitLost(tx: Transaction, before: VisibleBefore): Promise<void> {
    this.emitForgotten(tx, await this.compare(tx, before, (seen, now) => without(seen, now)));
  }

  /**
   * Must be called when people of a role start to see everyone, after seeing only those with whom they share something.
   */
  async emitSeeAll(tx: Transaction, userIds: readonly number[], role: Role): Promise<void> {
    await this.emitIntroduced(tx, await this.strangers(tx, userIds), role);
  }

  /** The opposite of {@link emitSeeAll}. */
  async emitSeePartners(tx: Transaction, userIds: readonly number[]): Promise<void> {
    this.emitForgotten(tx, await this.strangers(tx, userIds));
  }

  /** @param role of the users who now see a person; users with the same role see the same record */
  private async emitIntroduced(
    tx: Transaction,
    gained: WatchersByPerson,
    role: Role = Role.guest,
  ): Promise<void> {
    for (const [userId, watchers] of ascending(gained)) {
      const account = this.accounts.byId(userId);
      const [watcherId] = watchers;
      if (!account || watcherId === undefined) continue;
      const options = { clientGravatar: false, profileData: true };
      const person = this.records.record({ userId: watcherId, role }, account, options);
      tx.emit(userAdded({ person }), Audience.of(watchers));
    }
    const active = ascending(gained).filter(([userId]) => this.accounts.active.has(userId));
    const shown = active.map(([userId, watchers]) => [userId, Audience.of(watchers)] as const);
    if (shown.length > 0) await this.hooks.run(peopleShown, tx, new Map(shown));
  }

  private emitForgotten(tx: Transaction, lost: WatchersByPerson): void {
    for (const [userId, watchers] of ascending(lost)) {
      const person = { user_id: userId, full_name: UNKNOWN_USER.fullName };
      tx.emit(userRemoved({ person }), Audience.of(watchers));
    }
  }

  private restrictedGuests(userIds: readonly number[]): Set<number> {
    const { active, members } = this.accounts;
    const found = new Set<number>();
    if (active.size === members.size) return found;
    for (const userId of userIds) {
      if (members.has(userId) || !active.has(userId)) continue;
      if (this.visibility.isRestricted({ userId, role: Role.guest })) found.add(userId);
    }
    return found;
  }

  private async compare(
    tx: Transaction,
    before: VisibleBefore,
    difference: (seen: ReadonlySet<number>, now: ReadonlySet<number>) => number[],
  ): Promise<WatchersByPerson> {
    const watchers: WatchersByPerson = new Map();
    for (const [guestId, seen] of before) {
      const people = difference(seen, await this.visibility.partnersOf(tx, guestId));
      this.note(watchers, guestId, people);
    }
    return watchers;
  }

  /** Everyone with whom these people share nothing. */
  private async strangers(tx: Transaction, userIds: readonly number[]): Promise<WatchersByPerson> {
    const watchers: WatchersByPerson = new Map();
    const everybody = this.accounts.all().map(({ id }) => id);
    for (const userId of userIds) {
      const partners = await this.visibility.partnersOf(tx, userId);
      this.note(
        watchers,
        userId,
        everybody.filter((id) => !partners.has(id)),
      );
    }
    return watchers;
  }

  /** Everyone sees bots. */
  private note(watchers: WatchersByPerson, watcherId: number, people: readonly number[]): void {
    for (const userId of people) {
      if (userId === watcherId || this.accounts.byId(userId)?.isBot) continue;
      addTo(watchers, userId, watcherId);
    }
  }
}

/** Users who start or stop seeing a person, by that person's ID. */
type WatchersByPerson = Map<number, number[]>;

function ascending(watchers: WatchersByPerson): [userId: number, watchers: readonly number[]][] {
  return [...watchers].sort(([a], [b]) => a - b);
}

/**
 * Active accounts that share a channel with a person; none for a deactivated account. Reads the tables, so it is
 * correct during a change.
 */
async function channelPartners(db: Queryable, userId: number): Promise<number[]> {
  const rows = await db.query<{ user_id: number }>(
    `SELECT DISTINCT other.user_id FROM subscription own
     JOIN subscription other ON other.channel_id = own.channel_id
     JOIN account a ON a.id = other.user_id
     JOIN account me ON me.id = own.user_id
     WHERE own.user_id = ? AND own.is_active = ? AND other.is_active = ? AND a.is_active = ? AND me.is_active = ?`,
    [userId, true, true, true, true],
  );
  return rows.map((row) => row.user_id);
}

function without(people: ReadonlySet<number>, left: ReadonlySet<number>): number[] {
  return [...people].filter((userId) => !left.has(userId));
}
