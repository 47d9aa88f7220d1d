import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { TransactionService } from '../../../platform/database/transaction.service';
import { UserAccess } from '../../users';
import { GroupStore } from '../groups/group-store.service';
import { GroupUsageService } from '../permissions/group-usage.service';
import { UserGroupEventsService } from '../groups/user-group-events.service';
import { UserGroupAccess } from '../permissions/user-group.access';
import { GroupInUse } from '../groups/user-groups.errors';

/** Deactivates user groups that nothing rests on. They keep their members and their names. */
@Injectable()
export class DeactivateUserGroupService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly users: UserAccess,
    private readonly access: UserGroupAccess,
    private readonly usage: GroupUsageService,
    private readonly store: GroupStore,
    private readonly events: UserGroupEventsService,
  ) {}

  /** @throws InvalidUserGroup, UserGroupDeactivated, InsufficientPermission, GroupInUse */
  async deactivate(actor: Actor, groupId: number): Promise<void> {
    await this.transactions.runExclusive(async (tx) => {
      const group = this.access.forChangeWhileActive(this.users.current(actor), groupId, 'deactivate');
      const objections = this.usage.objectionsTo(group);
      if (objections.length > 0) throw new GroupInUse(objections);
      await this.store.update(tx, groupId, { isDeactivated: true });
      this.events.deactivated(tx, group);
    });
  }
}
