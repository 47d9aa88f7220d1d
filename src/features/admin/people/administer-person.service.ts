import { type PersonEdit, OwnPasswordNeedsOldOne, WouldLockOneselfOut } from './people.api';
import { Injectable } from '@nestjs/common';
import { isAdministrator, isOwner, type Actor } from '../../../platform/actor';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { MustBeOwner } from '../../../platform/errors/shared.errors';
import {
  AccountActivityService,
  AccountAuditService,
  CannotDeactivateOnlyOwner,
  ChangeRoleService,
  LastOwnerMustStay,
  OrganizationOwners,
} from '../../membership/membership.module';
import { AccountChanges, type AccountRecord, NewPasswords } from '../../users/users.module';
import { PersonReferencesService } from './person-references.service';
import { PersonAccess } from './person.access';

/** Changes people on behalf of administrators: all requested changes or none. */
@Injectable()
export class AdministerPersonService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly access: PersonAccess,
    private readonly passwords: NewPasswords,
    private readonly owners: OrganizationOwners,
    private readonly references: PersonReferencesService,
    private readonly changes: AccountChanges,
    private readonly roles: ChangeRoleService,
    private readonly activity: AccountActivityService,
    private readonly records: AccountAuditService,
  ) {}

  /**
   * Only owners may grant the right to create accounts, or change owners.
   * @returns if the person is to be active, their deactivated bots; null otherwise
   * @throws MustBeAdministrator, NoSuchUser, UserIsDeleted, MustBeOwner, WeakPassword, CannotDeactivateOnlyOwner,
   * LastOwnerMustStay, WouldLockOneselfOut, OwnPasswordNeedsOldOne, PersonInUse, InvalidFullName, NameNotUnique
   */
  async change(caller: Actor, userId: number, change: PersonEdit): Promise<AccountRecord[] | null> {
    // Checked first, so that callers who may not change the person do not make the server hash a password.
    const asked = this.check(this.access.administrator(caller), userId, change);
    const passwordHash =
      change.password === undefined ? undefined : await this.passwords.hash(change.password, asked);
    await this.transactions.runExclusive(async (tx) => {
      const actor = this.access.administrator(caller);
      const account = this.check(actor, userId, change);
      await this.changeActivity(tx, actor, account, change.isActive);
      const row = await this.changes.load(tx, userId);
      const before = { ...row };
      if (change.role !== undefined) await this.roles.change(tx, actor, row, change.role);
      if (change.fullName !== undefined) await this.changes.rename(tx, row, change.fullName);
      row.canCreateUsers = change.canCreateUsers ?? row.canCreateUsers;
      row.passwordHash = passwordHash ?? row.passwordHash;
      await this.changes.save(tx, row);
      this.records.record(tx, actor, before, row);
    });
    if (!change.isActive) return null;
    // After the person, since bots belong to their owner only while the owner is active.
    if (change.withBots) await this.activity.reactivateBotsOf(caller, userId);
    return this.activity.inactiveBotsOf(userId);
  }

  private check(actor: Actor, userId: number, change: PersonEdit): AccountRecord {
    const account = this.access.forChange(actor, userId);
    if (change.canCreateUsers !== undefined && !isOwner(actor)) throw new MustBeOwner();
    this.checkActivity(actor, account, change);
    this.checkRole(actor, account, change);
    const isOwn = account.id === actor.userId;
    if (isOwn && change.password !== undefined) throw new OwnPasswordNeedsOldOne();
    return account;
  }

  private checkActivity(actor: Actor, account: AccountRecord, { isActive }: PersonEdit): void {
    if (isActive !== false || !account.isActive) return;
    if (this.owners.isOnlyOwner(account)) throw new CannotDeactivateOnlyOwner();
    if (account.id === actor.userId) throw new WouldLockOneselfOut('deactivate your own account');
    this.references.requireDeactivatable(account);
  }

  private checkRole(actor: Actor, account: AccountRecord, { role, isActive }: PersonEdit): void {
    if (role === undefined || role === account.role) return;
    if (this.owners.isOnlyOwner(account)) throw new LastOwnerMustStay();
    if (account.id === actor.userId && !isAdministrator({ role })) {
      throw new WouldLockOneselfOut('give up your own administrator role');
    }
    if (account.isActive && isActive !== false) this.references.requireRoleChangeable(account, role);
  }

  /** Runs before all other changes, so that others see the person leave under the old name and role. */
  private async changeActivity(
    tx: Transaction,
    actor: Actor,
    account: AccountRecord,
    isActive?: boolean,
  ): Promise<void> {
    if (isActive === undefined || isActive === account.isActive) return;
    if (isActive) await this.activity.bringBack(tx, account, actor);
    else await this.activity.deactivate(tx, actor, account);
  }
}
