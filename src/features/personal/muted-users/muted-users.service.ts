import { Injectable } from '@nestjs/common';
import { MutedUserDirectory } from './muted-user.directory';
import { MutedUser } from '../personal.entity';
import {
  CannotMuteSelf,
  mutedUsersChanged,
  type MutedUserWire,
  UserAlreadyMuted,
  UserNotMuted,
} from './muted-users.api';
import type { Actor } from '../../../platform/actor';
import { initialState, stateFor } from '../../../platform/client-state/initial-state.hooks';
import { Clock } from '../../../platform/clock';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import { defineHook } from '../../../platform/hooks/hook';
import { Hooks } from '../../../platform/hooks/hooks';
import { personalDataRemoved, UserAccess } from '../../users/users.module';

/** A person mutes another account, within the transaction. */
export const userMuted = defineHook<[tx: Transaction, userId: number, mutedUserId: number]>('userMuted');

/** Mutes and unmutes accounts, including bots and deactivated ones. */
@Injectable()
export class MutedUsersService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly users: UserAccess,
    private readonly muted: MutedUserDirectory,
    private readonly hooks: Hooks,
    private readonly clock: Clock,
  ) {
    hooks.on(
      initialState,
      stateFor('muted_users', (_, { reader }) => ({
        muted_users: reader ? mutedUsersWire(muted.mutedBy(reader.userId)) : [],
      })),
    );
    // Mutes of a deleted person by others are kept.
    hooks.on(personalDataRemoved, async (tx, userId) => {
      await tx.repository(MutedUser).delete({ userId });
      tx.touch('muted_users', [userId]);
    });
  }

  /** @throws CannotMuteSelf, NoSuchUser, InsufficientPermission, UserAlreadyMuted */
  async mute(actor: Actor, mutedUserId: number): Promise<void> {
    if (mutedUserId === actor.userId) throw new CannotMuteSelf();
    await this.users.forReading(actor, mutedUserId);
    await this.transactions.runExclusive(async (tx) => {
      const before = this.muted.mutedBy(actor.userId);
      if (before.has(mutedUserId)) throw new UserAlreadyMuted();
      const now = this.clock.nowSeconds();
      await tx.repository(MutedUser).insert({ userId: actor.userId, mutedUserId, mutedAt: now });
      changed(tx, actor, new Map([...before, [mutedUserId, now]]));
      await this.hooks.run(userMuted, tx, actor.userId, mutedUserId);
    });
  }

  /**
   * Works even for a person whom a guest no longer sees.
   * @throws NoSuchUser, InsufficientPermission, UserNotMuted
   */
  async unmute(actor: Actor, mutedUserId: number): Promise<void> {
    if (!this.muted.mutedBy(actor.userId).has(mutedUserId)) {
      await this.users.forReading(actor, mutedUserId);
      throw new UserNotMuted();
    }
    await this.transactions.runExclusive(async (tx) => {
      const after = new Map(this.muted.mutedBy(actor.userId));
      if (!after.delete(mutedUserId)) throw new UserNotMuted();
      await tx.repository(MutedUser).delete({ userId: actor.userId, mutedUserId });
      changed(tx, actor, after);
    });
  }
}

function changed(tx: Transaction, { userId }: Actor, muted: ReadonlyMap<number, number>): void {
  tx.touch('muted_users', [userId]);
  tx.emit(mutedUsersChanged({ muted_users: mutedUsersWire(muted) }), Audience.of([userId]));
}

/** @param muted times by person */
function mutedUsersWire(muted: ReadonlyMap<number, number>): MutedUserWire[] {
  return [...muted].map(([id, timestamp]) => ({ id, timestamp }));
}
