import { Injectable } from '@nestjs/common';
import { Role } from '../../platform/actor';
import type { Queryable } from '../../platform/database/queryable';
import type { Transaction } from '../../platform/database/transaction.service';
import { Audience } from '../../platform/events/audience';
import { AccountDirectory } from '../users/account.directory';
import { UserRecords } from '../users/user-records.service';
import { UserVisibilityRegistry } from '../users/user-visibility.registry';
import { UserVisibility } from '../users/user-visibility.service';
import { userAdded, userRemoved } from '../users/users.events';
import type { SubscriptionChange } from './channel-observer.registry';
import { SubscriptionDirectory } from './subscription.directory';

/** Whom each restricted guest that a change may concern saw before it. */
export type SightBefore = ReadonlyMap<number, ReadonlySet<number>>;

/**
 * Guests whom the organization does not let see everybody see those they share a channel with. Tells the
 * users feature who that is, and tells the guests when it changes (reference E2, E7).
 */
@Injectable()
export class GuestSightService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly records: UserRecords,
    private readonly visibility: UserVisibility,
    private readonly registry: UserVisibilityRegistry,
  ) {
    registry.addConversations({ partnersOf: channelPartners });
  }

  /** To be called before people come to or leave channels; costs nothing where no guest is restricted. */
  async look(tx: Transaction, changes: readonly SubscriptionChange[]): Promise<SightBefore> {
    const sight = new Map<number, ReadonlySet<number>>();
    for (const guestId of this.restrictedGuests(changes)) {
      sight.set(guestId, await this.registry.partnersOf(tx, guestId));
    }
    return sight;
  }

  /** Introduces people to guests who did not see them before the change. */
  async emitGained(tx: Transaction, before: SightBefore): Promise<void> {
    const gained = await this.compare(tx, before, (seen, now) => without(now, seen));
    for (const [userId, guests] of gained) {
      const account = this.accounts.byId(userId);
      const [guestId] = guests.ids();
      if (!account || guestId === undefined) continue;
      // Guests all see the same of somebody else.
      const record = this.records.record({ userId: guestId, role: Role.guest }, account, {
        clientGravatar: false,
      });
      tx.emit(userAdded({ person: { ...record, profile_data: {} } }), guests);
    }
  }

  /** Takes people out of the sight of guests who no longer share anything with them. */
  async emitLost(tx: Transaction, before: SightBefore): Promise<void> {
    const lost = await this.compare(tx, before, (seen, now) => without(seen, now));
    for (const [userId, guests] of lost) {
      tx.emit(userRemoved({ person: { user_id: userId, full_name: 'Unknown user' } }), guests);
    }
  }

  private restrictedGuests(changes: readonly SubscriptionChange[]): Set<number> {
    const { active, members } = this.accounts;
    const found = new Set<number>();
    if (active.size === members.size) return found;
    for (const { channel, userIds } of changes) {
      for (const userId of [...userIds, ...this.subscriptions.subscribersOf(channel.id).ids()]) {
        if (members.has(userId) || !active.has(userId)) continue;
        if (this.visibility.isRestricted({ userId, role: Role.guest })) found.add(userId);
      }
    }
    return found;
  }

  /** @returns the guests concerned, by the person they gain or lose; everybody sees bots */
  private async compare(
    tx: Transaction,
    before: SightBefore,
    difference: (seen: ReadonlySet<number>, now: ReadonlySet<number>) => number[],
  ): Promise<Map<number, Audience>> {
    const guestsByPerson = new Map<number, number[]>();
    for (const [guestId, seen] of before) {
      for (const userId of difference(seen, await this.registry.partnersOf(tx, guestId))) {
        if (userId === guestId || this.accounts.byId(userId)?.isBot) continue;
        guestsByPerson.set(userId, [...(guestsByPerson.get(userId) ?? []), guestId]);
      }
    }
    const ascending = [...guestsByPerson].sort(([a], [b]) => a - b);
    return new Map(ascending.map(([userId, guests]) => [userId, Audience.of(guests)]));
  }
}

/** Active accounts that share a channel with somebody. Read from the tables, also in the middle of a change. */
async function channelPartners(db: Queryable, userId: number): Promise<number[]> {
  const rows = await db.query<{ user_id: number }>(
    `SELECT DISTINCT other.user_id FROM subscription own
     JOIN subscription other ON other.channel_id = own.channel_id
     JOIN account a ON a.id = other.user_id
     WHERE own.user_id = ? AND own.is_active = ? AND other.is_active = ? AND a.is_active = ?`,
    [userId, true, true, true],
  );
  return rows.map((row) => row.user_id);
}

function without(people: ReadonlySet<number>, left: ReadonlySet<number>): number[] {
  return [...people].filter((userId) => !left.has(userId));
}
