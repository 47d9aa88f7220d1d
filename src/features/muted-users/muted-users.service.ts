import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import { Clock } from '../../platform/clock';
import { TransactionService, type Transaction } from '../../platform/database/transaction.service';
import { Audience } from '../../platform/events/audience';
import { UserAccess } from '../users';
import { MuteObserverRegistry } from './mute-observer.registry';
import { MutedUserDirectory } from './muted-user.directory';
import { CannotMuteSelf, UserAlreadyMuted, UserNotMuted } from './muted-users.errors';
import { mutedUsersChanged } from './muted-users.events';
import { mutedUsersWire } from './muted-users.wire';

/** Lets people mute others, bots and deactivated accounts included. */
@Injectable()
export class MutedUsersService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly users: UserAccess,
    private readonly muted: MutedUserDirectory,
    private readonly observers: MuteObserverRegistry,
    private readonly clock: Clock,
  ) {}

  /** @throws CannotMuteSelf, NoSuchUser, InsufficientPermission, UserAlreadyMuted */
  async mute(actor: Actor, mutedUserId: number): Promise<void> {
    if (mutedUserId === actor.userId) throw new CannotMuteSelf();
    await this.users.forReading(actor, mutedUserId);
    const afterCommit = await this.transactions.runExclusive(async (tx) => {
      const before = this.muted.mutedBy(actor.userId);
      if (before.has(mutedUserId)) throw new UserAlreadyMuted();
      const now = this.clock.nowSeconds();
      await tx.query('INSERT INTO muted_user (user_id, muted_user_id, muted_at) VALUES (?, ?, ?)', [
        actor.userId,
        mutedUserId,
        now,
      ]);
      changed(tx, actor, new Map([...before, [mutedUserId, now]]));
      return this.observers.userMuted(tx, actor.userId, mutedUserId);
    });
    await afterCommit();
  }

  /**
   * Somebody whom a guest does not see any more can be unmuted all the same.
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
      await tx.query('DELETE FROM muted_user WHERE user_id = ? AND muted_user_id = ?', [
        actor.userId,
        mutedUserId,
      ]);
      changed(tx, actor, after);
    });
  }
}

function changed(tx: Transaction, { userId }: Actor, muted: ReadonlyMap<number, number>): void {
  tx.touch('muted_users', [userId]);
  tx.emit(mutedUsersChanged({ muted_users: mutedUsersWire(muted) }), Audience.of([userId]));
}
