import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transaction.service';
import { ORGANIZATION_GROUP_SETTING_NAMES } from '../../organization-settings/organization-settings.module';
import { AccountDirectory } from '../../users/users.module';
import { GroupDirectory } from '../groups/group.directory';
import { GroupSettingService, type ActivityChange } from './group-setting.service';
import { PermissionService } from './permission.service';
import { USER_GROUP_SETTING_NAMES } from '../groups/user-group-settings';
import { UserGroupEventsService } from '../groups/user-group-events.service';
import { organizationPermissionsChanged } from './permissions.api';

/**
 * Tells of permissions that are given to people one by one, when such a person is deactivated or comes back: the
 * values of settings show active people only.
 */
@Injectable()
export class PermissionHoldersService {
  constructor(
    private readonly groups: GroupDirectory,
    private readonly accounts: AccountDirectory,
    private readonly permissions: PermissionService,
    private readonly settings: GroupSettingService,
    private readonly events: UserGroupEventsService,
  ) {}

  /** IDs of the anonymous groups that name a person. */
  naming(userId: number): ReadonlySet<number> {
    const groups = this.groups.directGroupsOf(userId).filter(({ name }) => name === null);
    return new Set(groups.map(({ id }) => id));
  }

  /** Permissions of the organization and of user groups. */
  emitChanged(tx: Transaction, change: ActivityChange): void {
    const naming = this.naming(change.userId);
    for (const setting of ORGANIZATION_GROUP_SETTING_NAMES) {
      const groupId = this.permissions.organizationGroupId(setting);
      if (!naming.has(groupId)) continue;
      const data = { [setting]: this.settings.toWire(groupId, change) };
      tx.emit(organizationPermissionsChanged({ property: 'default', data }), this.accounts.active);
    }
    for (const group of this.groups.named()) {
      for (const setting of USER_GROUP_SETTING_NAMES) {
        const groupId = this.permissions.groupIdIn(group, setting);
        if (naming.has(groupId)) {
          this.events.updated(tx, group, setting, this.settings.toWire(groupId, change));
        }
      }
    }
  }
}
