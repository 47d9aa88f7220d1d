import { Injectable } from '@nestjs/common';
import { isAdministrator, isOwner, Role, type Actor } from '../../../platform/actor';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import { MustBeAdministrator, MustBeOwner } from '../../../platform/errors/shared.errors';
import { AuditLog } from '../../audit/audit.module';
import { SystemGroupService } from '../../user-groups/user-groups.module';
import { type Account, AccountChanges, AccountDirectory } from '../../users/users.module';
import { OnlyOwnerStays } from '../membership.api';
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

  /**
   * Changes the row; the caller saves it. Anyone with a bot's key can act as the bot, so bots above a demoted owner are
   * demoted too; bots that are owners, only if an owner makes the change.
   * @throws MustBeOwner, MustBeAdministrator, OnlyOwnerStays
   */
  async change(tx: Transaction, actor: Actor, row: Account, role: Role): Promise<void> {
    const before = row.role;
    if (role === before) return;
    const concernsOwners = role === Role.owner || before === Role.owner;
    if (concernsOwners && !isOwner(actor)) throw new MustBeOwner();
    if (!isAdministrator(actor)) throw new MustBeAdministrator();
    if (this.owners.isOnlyOwner(row)) throw new OnlyOwnerStays();
    await this.put(tx, actor, row, role);
    const bots = this.accounts.all().filter(({ botOwnerId }) => botOwnerId === row.id);
    for (const bot of bots.filter((each) => isOwner(actor) || !isOwner(each))) {
      const botRow = await this.changes.load(tx, bot.id);
      await this.lower(tx, actor, botRow, role);
      await this.changes.save(tx, botRow);
    }
  }

  /** Takes rights from an account that has more than the role gives; the caller saves the row. */
  async lower(tx: Transaction, actor: Actor, row: Account, role: Role): Promise<void> {
    if (row.role < role) await this.put(tx, actor, row, role);
  }

  private async put(tx: Transaction, actor: Actor, row: Account, role: Role): Promise<void> {
    const before = row.role;
    row.role = role;
    this.audit.record(tx, actor, 'user.role_changed', { userId: row.id }, { from: before, to: role });
    await this.changes.announce(tx, row, { role });
    const placement = { userId: row.id, role, dateJoined: row.dateJoined };
    await this.systemGroups.place(tx, placement, row.isActive ? this.accounts.active : Audience.none);
    if (!row.isActive) return;
    const after = { userId: row.id, role, groupIds: this.systemGroups.groupsOncePlaced(placement) };
    await this.visibility.emitChanges(tx, after, before);
  }
}
