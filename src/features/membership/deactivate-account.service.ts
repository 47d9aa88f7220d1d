import { Injectable } from '@nestjs/common';
import { isOwner, type Actor } from '../../platform/actor';
import { TransactionService, type Transaction } from '../../platform/database/transaction.service';
import { MustBeOwner } from '../../platform/errors/shared.errors';
import { Hooks } from '../../platform/hooks/hooks';
import { AccountSubscriptionsService } from '../channels';
import {
  accountActivityChanged,
  AccountChanges,
  AccountDirectory,
  type AccountRecord,
  UserAccess,
} from '../users';
import { CannotDeactivateLastUser, CannotDeactivateOnlyOwner } from './membership.errors';
import { GroupPresenceService } from './group-presence.service';
import { OrganizationOwners } from './organization-owners.service';

/**
 * Takes accounts out of the organization. Nothing is deleted: group memberships and subscriptions stay,
 * and do not count until the account comes back.
 */
@Injectable()
export class DeactivateAccountService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly accounts: AccountDirectory,
    private readonly access: UserAccess,
    private readonly owners: OrganizationOwners,
    private readonly changes: AccountChanges,
    private readonly subscriptions: AccountSubscriptionsService,
    private readonly groups: GroupPresenceService,
    private readonly hooks: Hooks,
  ) {}

  /** Endpoint 11. @throws CannotDeactivateLastUser */
  async deactivateOwn(actor: Actor): Promise<void> {
    await this.transactions.runExclusive(async (tx) => {
      const account = this.accounts.existing(this.access.current(actor).userId);
      if (this.owners.isOnlyUser(account)) throw new CannotDeactivateLastUser(false);
      if (this.owners.isOnlyOwner(account)) throw new CannotDeactivateLastUser(true);
      await this.deactivate(tx, account);
    });
  }

  /** @throws NoSuchUser, UserIsDeactivated, InsufficientPermission, MustBeOwner, CannotDeactivateOnlyOwner */
  async deactivatePerson(actor: Actor, userId: number): Promise<void> {
    await this.transactions.runExclusive(async (tx) => {
      const current = this.access.current(actor);
      const account = this.access.forAdministration(current, userId);
      if (isOwner(account) && !isOwner(current)) throw new MustBeOwner();
      if (this.owners.isOnlyOwner(account)) throw new CannotDeactivateOnlyOwner();
      await this.deactivate(tx, account);
    });
  }

  /** @throws NoSuchBot, InsufficientPermission, MustBeOwner */
  async deactivateBot(actor: Actor, botId: number): Promise<void> {
    await this.transactions.runExclusive((tx) =>
      this.deactivate(tx, this.access.forBotAdministration(this.access.current(actor), botId)),
    );
  }

  /** Within the caller's exclusive transaction. Bots go with their owner, and before them (reference 11). */
  async deactivate(tx: Transaction, account: AccountRecord): Promise<void> {
    await this.leave(tx, account, new Set());
  }

  private async leave(tx: Transaction, account: AccountRecord, gone: Set<number>): Promise<void> {
    if (!account.isActive) return;
    const bots = this.accounts.all().filter(({ botOwnerId }) => botOwnerId === account.id);
    for (const bot of bots) await this.leave(tx, bot, gone);
    await this.subscriptions.suspend(tx, account.id);
    this.groups.emitLeft(tx, account.id, gone);
    gone.add(account.id);
    const row = await this.changes.load(tx, account.id);
    const seenBy = await this.changes.whoSees(tx, row);
    row.isActive = false;
    await this.hooks.run(accountActivityChanged, tx, row);
    await this.changes.save(tx, row);
    await this.changes.announce(tx, row, { is_active: false });
    await this.changes.announceVisibility(tx, row, seenBy);
  }
}
