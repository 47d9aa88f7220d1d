import { Injectable } from '@nestjs/common';
import { isAdministrator, isOwner, Role, type Actor } from '../../../platform/actor';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import { MustBeAdministrator, MustBeOwner } from '../../../platform/errors/shared.errors';
import { AuditLog } from '../../audit';
import { SystemGroupService } from '../../user-groups';
import { type Account, AccountChanges, AccountDirectory } from '../../users';
import { OnlyOwnerStays } from '../membership.errors';
import { OrganizationOwners } from './organization-owners.service';
import { RoleVisibilityService } from './role-visibility.service';

/** Changes roles, for administrators; only owners make or unmake owners. */
@Injectable()
export class ChangeRoleService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly owners: OrganizationOwners,
    private readonly changes: AccountChanges,
    private readonly systemGroups: SystemGroupService,
    private readonly visibility: RoleVisibilityService,
    private readonly audit: AuditLog,
  ) {}

  /** Changes the row; the caller saves it. @throws MustBeOwner, MustBeAdministrator, OnlyOwnerStays */
  async change(tx: Transaction, actor: Actor, row: Account, role: Role): Promise<void> {
    const before = row.role;
    if (role === before) return;
    const concernsOwners = role === Role.owner || before === Role.owner;
    if (concernsOwners && !isOwner(actor)) throw new MustBeOwner();
    if (!isAdministrator(actor)) throw new MustBeAdministrator();
    if (this.owners.isOnlyOwner(row)) throw new OnlyOwnerStays();
    row.role = role;
    await this.audit.record(tx, actor, 'user.role_changed', { userId: row.id }, { from: before, to: role });
    await this.changes.announce(tx, row, { role });
    const placement = { userId: row.id, role, dateJoined: row.dateJoined };
    await this.systemGroups.place(tx, placement, row.isActive ? this.accounts.active : Audience.nobody);
    if (!row.isActive) return;
    const after = { userId: row.id, role, groupIds: this.systemGroups.groupsOncePlaced(placement) };
    await this.visibility.emitChanges(tx, after, before);
  }
}
