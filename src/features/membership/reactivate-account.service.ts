import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import { TransactionService, type Transaction } from '../../platform/database/transaction.service';
import { Hooks } from '../../platform/hooks/hooks';
import { AccountSubscriptionsService } from '../channels';
import {
  type Account,
  accountActivityChanged,
  AccountChanges,
  type AccountRecord,
  UserAccess,
} from '../users';
import { BotRules } from './bot-rules.service';
import { GroupPresenceService } from './group-presence.service';

/** Brings deactivated accounts back, with their groups and subscriptions as they were. */
@Injectable()
export class ReactivateAccountService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly access: UserAccess,
    private readonly changes: AccountChanges,
    private readonly botRules: BotRules,
    private readonly subscriptions: AccountSubscriptionsService,
    private readonly groups: GroupPresenceService,
    private readonly hooks: Hooks,
  ) {}

  /** Does nothing for an active account. @throws NoSuchUser, InsufficientPermission, UserIsDeleted, BotNameInUse */
  async reactivate(caller: Actor, userId: number): Promise<void> {
    await this.transactions.runExclusive(async (tx) => {
      const actor = this.access.current(caller);
      const account = this.access.forAdministration(actor, userId, { bots: true, deactivated: true });
      if (account.isActive) return;
      if (account.isBot) this.botRules.requireMayReactivate(actor, account);
      await this.bringBack(tx, account, actor);
    });
  }

  /** Within the caller's exclusive transaction. @param adopter whose a bot becomes that has no owner any more */
  async bringBack(tx: Transaction, { id }: Pick<AccountRecord, 'id'>, adopter: Actor): Promise<void> {
    const row = await this.changes.load(tx, id);
    const seenBy = await this.changes.whoSees(tx, row);
    row.isActive = true;
    await this.changes.announce(tx, row, { is_active: true });
    await this.adoptIfOrphaned(tx, adopter, row);
    await this.changes.save(tx, row);
    await this.changes.announceVisibility(tx, row, seenBy);
    await this.hooks.run(accountActivityChanged, tx, row);
    this.groups.emitEntered(tx, id);
    await this.subscriptions.resume(tx, id);
  }

  /** A bot whose owner is gone belongs to whoever brought it back. */
  private async adoptIfOrphaned(tx: Transaction, actor: Actor, row: Account): Promise<void> {
    if (!row.isBot || this.botRules.hasActiveOwner(row)) return;
    row.botOwnerId = actor.userId;
    await this.changes.announce(tx, row, { bot_owner_id: actor.userId });
  }
}
