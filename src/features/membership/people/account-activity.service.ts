import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { ApiError } from '../../../platform/errors/api-error';
import type { Audience } from '../../../platform/events/audience';
import { Hooks } from '../../../platform/hooks/hooks';
import { AuditLog } from '../../audit/audit.module';
import { AccountSubscriptionsService, ChannelGroupsService } from '../../channels/channels.module';
import {
  type ActivityChange,
  GroupDirectory,
  type NamedGroup,
  PermissionHoldersService,
  UserGroupEventsService,
} from '../../user-groups/user-groups.module';
import {
  type Account,
  accountActivityChanged,
  AccountChanges,
  AccountDirectory,
  type AccountRecord,
  ApiKeyService,
  UserAccess,
} from '../../users/users.module';
import { CannotDeactivateLastUser, CannotDeactivateOnlyOwner } from '../membership.api';
import { BotRules } from '../bots/bots.service';
import { OrganizationOwners } from '../roles/change-role.service';

/**
 * Deactivates and reactivates accounts. Nothing is deleted: group memberships and subscriptions are kept, and do not
 * count until the account is reactivated.
 */
@Injectable()
export class AccountActivityService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly accounts: AccountDirectory,
    private readonly access: UserAccess,
    private readonly owners: OrganizationOwners,
    private readonly changes: AccountChanges,
    private readonly keys: ApiKeyService,
    private readonly subscriptions: AccountSubscriptionsService,
    private readonly botRules: BotRules,
    private readonly groups: GroupDirectory,
    private readonly groupEvents: UserGroupEventsService,
    private readonly holders: PermissionHoldersService,
    private readonly channelHolders: ChannelGroupsService,
    private readonly audit: AuditLog,
    private readonly hooks: Hooks,
  ) {}

  /** @throws CannotDeactivateLastUser */
  async deactivateOwn(actor: Actor): Promise<void> {
    await this.transactions.runExclusive(async (tx) => {
      const account = this.accounts.existing(this.access.current(actor).userId);
      if (this.owners.isOnlyUser(account)) throw new CannotDeactivateLastUser(false);
      if (this.owners.isOnlyOwner(account)) throw new CannotDeactivateLastUser(true);
      await this.deactivate(tx, actor, account);
    });
  }

  /**
   * @returns the IDs of the bots deactivated with the person
   * @throws NoSuchUser, UserDeactivated, InsufficientPermission, MustBeOwner, CannotDeactivateOnlyOwner
   */
  deactivatePerson(actor: Actor, userId: number): Promise<number[]> {
    return this.transactions.runExclusive(async (tx) => {
      const current = this.access.current(actor);
      const account = this.access.forAdministration(current, userId);
      if (this.owners.isOnlyOwner(account)) throw new CannotDeactivateOnlyOwner();
      return this.deactivate(tx, current, account);
    });
  }

  /** @throws NoSuchBot, InsufficientPermission, MustBeOwner */
  async deactivateBot(actor: Actor, botId: number): Promise<void> {
    await this.transactions.runExclusive((tx) =>
      this.deactivate(tx, actor, this.access.forBotAdministration(this.access.current(actor), botId)),
    );
  }

  /**
   * Deactivates an account within the caller's exclusive transaction. Bots are deactivated with their owner, and before
   * them.
   * @returns the IDs of these bots
   */
  async deactivate(tx: Transaction, actor: Actor, account: AccountRecord): Promise<number[]> {
    const gone = new Set<number>();
    await this.leave(tx, actor, account, gone);
    return [...gone].filter((id) => id !== account.id);
  }

  private async leave(
    tx: Transaction,
    actor: Actor,
    account: AccountRecord,
    gone: Set<number>,
  ): Promise<void> {
    if (!account.isActive) return;
    const bots = this.accounts.all().filter(({ botOwnerId }) => botOwnerId === account.id);
    for (const bot of bots) await this.leave(tx, actor, bot, gone);
    await this.subscriptions.suspend(tx, account.id);
    const row = await this.changes.load(tx, account.id);
    const seenBy = await this.changes.whoSees(tx, row);
    row.isActive = false;
    await this.hooks.run(accountActivityChanged, tx, row);
    await this.changes.save(tx, row);
    // All other clients remove the account from groups and permissions when they receive its deactivation.
    const blind = this.accounts.active.without((await this.changes.whoSees(tx, row)).ids());
    for (const group of this.groupsOf(account.id))
      this.groupEvents.membersRemoved(tx, group, [account.id], blind);
    this.emitPermissions(tx, { userId: account.id, isActive: false, goneBefore: gone }, blind);
    gone.add(account.id);
    this.audit.record(tx, actor, 'user.deactivated', { userId: row.id });
    await this.changes.announce(tx, row, { is_active: false });
    await this.changes.announceVisibility(tx, row, seenBy);
  }

  /**
   * Reactivates an account, with its former groups and subscriptions. Does nothing for an active one. Only owners may
   * reactivate owners, and bots that only owners administer.
   * @throws NoSuchUser, InsufficientPermission, UserIsDeleted, MustBeOwner, BotNameInUse
   */
  async reactivate(caller: Actor, userId: number): Promise<void> {
    await this.transactions.runExclusive(async (tx) => {
      const actor = this.access.current(caller);
      const account = this.access.forAdministration(actor, userId, { bots: true, deactivated: true });
      if (account.isActive) return;
      if (account.isBot) this.botRules.requireMayReactivate(actor, account);
      await this.bringBack(tx, account, actor);
    });
  }

  /** Deactivated bots of a person, whether deactivated with their owner or individually. */
  inactiveBotsOf(ownerId: number): AccountRecord[] {
    return this.accounts
      .all()
      .filter((each) => each.botOwnerId === ownerId && each.isBot && !each.isActive && !each.isDeleted);
  }

  /** Reactivates those of a person's bots that the caller may reactivate. */
  async reactivateBotsOf(caller: Actor, ownerId: number): Promise<void> {
    for (const { id } of this.inactiveBotsOf(ownerId)) {
      await this.reactivate(caller, id).catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
      });
    }
  }

  /**
   * Reactivates an account within the caller's exclusive transaction. The account gets a new key, because it may have
   * been deactivated on account of a person who has the old one.
   * @param actor becomes the owner of a bot without one
   */
  async bringBack(tx: Transaction, { id }: Pick<AccountRecord, 'id'>, actor: Actor): Promise<void> {
    const row = await this.changes.load(tx, id);
    const seenBy = await this.changes.whoSees(tx, row);
    row.isActive = true;
    this.audit.record(tx, actor, 'user.reactivated', { userId: id });
    await this.keys.renew(tx, row);
    await this.changes.announce(tx, row, { is_active: true });
    await this.adoptIfOrphaned(tx, actor, row);
    await this.changes.save(tx, row);
    await this.changes.announceVisibility(tx, row, seenBy);
    await this.hooks.run(accountActivityChanged, tx, row);
    for (const group of this.groupsOf(id)) this.groupEvents.membersAdded(tx, group, [id]);
    this.emitPermissions(tx, { userId: id, isActive: true }, this.accounts.active);
    await this.subscriptions.resume(tx, id);
  }

  /** A bot whose owner was deleted gets the person who reactivated it as its owner. */
  private async adoptIfOrphaned(tx: Transaction, actor: Actor, row: Account): Promise<void> {
    if (!row.isBot || this.botRules.hasActiveOwner(row)) return;
    const details = { from: row.botOwnerId, to: actor.userId };
    this.audit.record(tx, actor, 'user.owner_changed', { userId: row.id }, details);
    row.botOwnerId = actor.userId;
    await this.changes.announce(tx, row, { bot_owner_id: actor.userId });
  }

  /**
   * Clients see the individual holders of a permission as a group of the active ones.
   * @param audience recipients of permissions that do not belong to a channel
   */
  private emitPermissions(tx: Transaction, change: ActivityChange, audience: Audience): void {
    this.holders.emitChanged(tx, change, audience);
    this.channelHolders.emitChanged(tx, change);
  }

  /** Groups that clients see, with the account as a direct member; ascending. */
  private groupsOf(userId: number): NamedGroup[] {
    return this.groups.named().filter(({ members }) => members.has(userId));
  }
}
