import { Injectable } from '@nestjs/common';
import { isAdministrator, isOwner, type Actor, type Role } from '../../../platform/actor';
import { requireOwnKey } from '../../../platform/http/access.guard';
import { TransactionService } from '../../../platform/database/transaction.service';
import { InsufficientPermission, MustBeOwner } from '../../../platform/errors/shared.errors';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import {
  AccountChanges,
  type AccountRecord,
  AddressNeedsProof,
  ProfileDataService,
  type ProfileEntry,
  UserAccess,
} from '../../users/users.module';
import { AccountAuditService } from '../account-audit.service';
import { ChangeRoleService } from '../roles/change-role.service';

/** What an administrator changes about a person; what is omitted stays. */
export interface AccountUpdate {
  readonly fullName?: string;
  readonly role?: Role;
  readonly profileData?: readonly ProfileEntry[];
  readonly email?: string;
  /** Whether the account may create others; a flag that no role implies. */
  readonly canCreateUsers?: boolean;
}

/** Changes other people's accounts (`PATCH /users/{user_id}`). */
@Injectable()
export class UpdateAccountService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly access: UserAccess,
    private readonly organization: OrganizationDirectory,
    private readonly changes: AccountChanges,
    private readonly roles: ChangeRoleService,
    private readonly profileData: ProfileDataService,
    private readonly records: AccountAuditService,
  ) {}

  /**
   * All or nothing. Only owners may change addresses and the right to create accounts.
   * @throws NoSuchUser, InsufficientPermission, MustBeOwner, AddressNeedsProof, MustBeAdministrator, OnlyOwnerStays, and what
   * AccountChanges and ProfileDataService throw
   */
  async update(actor: Actor, userId: number, update: AccountUpdate): Promise<void> {
    await this.apply(actor, update, (current) => this.access.forAdministration(current, userId, EVERYBODY));
  }

  /** The same by address. */
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
    // Any of these makes an account that can do what the key must not.
    const { role, email, canCreateUsers } = update;
    if ([role, email, canCreateUsers].some((value) => value !== undefined)) requireOwnKey(caller);
    await this.transactions.runExclusive(async (tx) => {
      const actor = this.access.current(caller);
      const { id } = find(actor);
      const row = await this.changes.load(tx, id);
      const before = { ...row };
      const isForOwners = update.email !== undefined || update.canCreateUsers !== undefined;
      if (isForOwners && !isOwner(actor)) throw new MustBeOwner();
      // Their own is among their settings, which ask for proof.
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

  /** A caller who is no administrator reaches themselves and their bots, whose names may be fixed. */
  private mayRename(actor: Actor): boolean {
    return isAdministrator(actor) || !this.organization.settings.name_changes_disabled;
  }
}

const EVERYBODY = { bots: true, deactivated: true, oneself: true } as const;
