import { Injectable } from '@nestjs/common';
import { isAdministrator } from '../../../platform/actor';
import { AccountDirectory } from '../../users/users.module';
import { GroupDirectory, type NamedGroup } from '../groups/group.directory';
import type { UserGroupSetting } from '../groups/user-group-settings';
import { PermissionService } from './permission.service';

/** The permissions of a group that let people change who is in it. */
const CHANGING_MEMBERS: readonly UserGroupSetting[] = [
  'can_manage_group',
  'can_add_members_group',
  'can_remove_members_group',
  'can_join_group',
  'can_leave_group',
];

/** Knows which groups only administrators can change the members of. */
@Injectable()
export class KeptByAdministrators {
  constructor(
    private readonly groups: GroupDirectory,
    private readonly accounts: AccountDirectory,
    private readonly permissions: PermissionService,
  ) {}

  /** Whether it holds for the group and all groups in it. Roles are for administrators to give. */
  holdsFor(groupId: number): boolean {
    const named = [...this.groups.below(groupId)].flatMap((id) => this.groups.namedById(id) ?? []);
    const own = named.filter(({ isSystem }) => !isSystem);
    if (own.length === 0) return true;
    const managers = this.permissions.organizationGroupId('can_manage_all_groups');
    return this.areAdministrators(managers) && own.every((group) => this.isKept(group));
  }

  private isKept(group: NamedGroup): boolean {
    return CHANGING_MEMBERS.every((setting) =>
      this.areAdministrators(this.permissions.groupIdIn(group, setting)),
    );
  }

  private areAdministrators(holders: number): boolean {
    const members = [...this.groups.membersOf(holders)].flatMap((id) => this.accounts.byId(id) ?? []);
    return members.every((account) => !account.isActive || isAdministrator(account));
  }
}
