import { Injectable } from '@nestjs/common';
import { type Actor, isAdministrator, isOwner, type Role } from '../../../platform/actor';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { InsufficientPermission, MustBeOwner } from '../../../platform/errors/shared.errors';
import { requireOwnKey } from '../../../platform/http/access.guard';
import { AuditLog, differences } from '../../audit/audit.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import {
  type Account,
  AccountChanges,
  AccountDirectory,
  type AccountRecord,
  AddressNeedsProof,
  type BotServiceUpdate,
  ProfileDataService,
  type ProfileEntry,
  UserAccess,
} from '../../users/users.module';
import { MayNotChangeEmails } from '../membership.api';
import { ChangeRoleService } from '../roles/change-role.service';

/**
 * Records changes to an account, from its row before and after. Omits names and addresses: they identify the person,
 * and would outlive the account. Roles and keys are recorded elsewhere.
 */
@Injectable()
export class AccountAuditService {
  constructor(private readonly audit: AuditLog) {}

  /** Called within the caller's transaction. */
  record(tx: Transaction, actor: Actor, before: Readonly<Account>, after: Account): void {
    const target = { userId: after.id };
    if (before.fullName !== after.fullName) {
      this.audit.record(tx, actor, 'user.renamed', target);
    }
    if (before.avatarKey !== after.avatarKey && actor.userId !== after.id) {
      this.audit.record(tx, actor, 'user.profile_changed', target, { picture: true });
    }
    if (before.deliveryEmail !== after.deliveryEmail) {
      this.audit.record(tx, actor, 'user.email_changed', target);
    }
    if (before.passwordHash !== after.passwordHash) {
      this.audit.record(tx, actor, 'user.password_changed', target);
    }
    if (before.canCreateUsers !== after.canCreateUsers) {
      const details = { to: after.canCreateUsers };
      this.audit.record(tx, actor, 'user.can_create_users_changed', target, details);
    }
    if (before.botOwnerId !== after.botOwnerId) {
      const details = { from: before.botOwnerId, to: after.botOwnerId };
      this.audit.record(tx, actor, 'user.owner_changed', target, details);
    }
    const setup = differences(setupOf(before), setupOf(after));
    if (setup) this.audit.record(tx, actor, 'user.bot_changed', target, setup);
  }

  /** The URL and configuration of a webhook may contain secrets: records only that they changed. */
  recordService(tx: Transaction, actor: Actor, bot: Account, { payloadUrl, config }: BotServiceUpdate): void {
    const details = { payload_url: payloadUrl !== undefined, config: config !== undefined };
    this.audit.record(tx, actor, 'user.bot_changed', { userId: bot.id }, details);
  }
}

/** The default channels of a bot. */
function setupOf(row: Readonly<Account>) {
  return {
    sending_channel: row.defaultSendingChannelId,
    events_channel: row.defaultEventsChannelId,
    all_public_channels: row.defaultAllPublicChannels,
  };
}

/** An administrator's changes to a person; omitted properties do not change. */
export interface AccountUpdate {
  readonly fullName?: string;
  readonly role?: Role;
  readonly profileData?: readonly ProfileEntry[];
  readonly email?: string;
  /** Whether the account may create others; not implied by any role. */
  readonly canCreateUsers?: boolean;
}

/** Changes other people's accounts (`PATCH /users/{user_id}`). */
@Injectable()
export class UpdateAccountService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly access: UserAccess,
    private readonly accounts: AccountDirectory,
    private readonly organization: OrganizationDirectory,
    private readonly changes: AccountChanges,
    private readonly roles: ChangeRoleService,
    private readonly profileData: ProfileDataService,
    private readonly records: AccountAuditService,
  ) {}

  /**
   * Makes all changes or none. Only owners may change addresses and the right to create accounts.
   * @throws NoSuchUser, InsufficientPermission, MustBeOwner, MayNotChangeEmails, AddressNeedsProof,
   * MustBeAdministrator, LastOwnerMustStay, and the errors of AccountChanges and ProfileDataService
   */
  async update(actor: Actor, userId: number, update: AccountUpdate): Promise<void> {
    await this.apply(actor, update, (current) => this.access.forAdministration(current, userId, EVERYBODY));
  }

  /** Like `update`, by email address. */
  async updateByEmail(actor: Actor, email: string, update: AccountUpdate): Promise<void> {
    await this.apply(actor, update, (current) =>
      this.access.forAdministrationByEmail(current, email, EVERYBODY),
    );
  }

  private async apply(
    caller: Actor,
    update: AccountUpdate,
    find: (actor: Actor) => AccountRecord,
  ): Promise<void> {
    // Each of these creates an account with rights that the key does not have.
    const { role, email, canCreateUsers } = update;
    if ([role, email, canCreateUsers].some((value) => value !== undefined)) requireOwnKey(caller);
    await this.transactions.runExclusive(async (tx) => {
      const actor = this.access.current(caller);
      const { id } = find(actor);
      const row = await this.changes.load(tx, id);
      const before = { ...row };
      const isForOwners = update.email !== undefined || update.canCreateUsers !== undefined;
      if (isForOwners && !isOwner(actor)) throw new MustBeOwner();
      if (update.email !== undefined && !this.accounts.existing(actor.userId).canCreateUsers)
        throw new MayNotChangeEmails();
      // People change their own address in their settings, which require proof.
      if (update.email !== undefined && id === actor.userId) throw new AddressNeedsProof();
      if (update.role !== undefined) await this.roles.change(tx, actor, row, update.role);
      if (update.fullName !== undefined && update.fullName.trim() !== '') {
        if (!this.mayRename(actor)) throw new InsufficientPermission();
        await this.changes.rename(tx, row, update.fullName);
      }
      if (update.profileData) await this.profileData.update(tx, actor, id, update.profileData);
      if (update.email !== undefined) await this.changes.changeEmail(tx, row, update.email);
      row.canCreateUsers = update.canCreateUsers ?? row.canCreateUsers;
      await this.changes.save(tx, row);
      this.records.record(tx, actor, before, row);
    });
  }

  /**
   * Callers who are not administrators can only manage themselves and their bots; the organization may forbid renaming.
   */
  private mayRename(actor: Actor): boolean {
    return isAdministrator(actor) || !this.organization.settings.name_changes_disabled;
  }
}

const EVERYBODY = { bots: true, deactivated: true, oneself: true } as const;
