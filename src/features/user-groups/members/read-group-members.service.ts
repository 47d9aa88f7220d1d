import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { AccountDirectory, UserAccess } from '../../users/users.module';
import { GroupDirectory } from '../groups/group.directory';
import { UserGroupAccess } from '../permissions/user-group.access';

/** Shows who and what is in user groups. */
@Injectable()
export class ReadGroupMembersService {
  constructor(
    private readonly groups: GroupDirectory,
    private readonly accounts: AccountDirectory,
    private readonly users: UserAccess,
    private readonly access: UserGroupAccess,
  ) {}

  /** Active members, ascending. @throws InvalidUserGroup, UserGroupDeactivated */
  members(groupId: number, directOnly: boolean): number[] {
    const group = this.access.forReading(groupId);
    const members = directOnly ? group.members : this.groups.membersOf(groupId);
    const { active } = this.accounts;
    return [...members].filter((userId) => active.has(userId)).sort((a, b) => a - b);
  }

  /** @throws InvalidUserGroup, UserGroupDeactivated, NoSuchUser, UserDeactivated */
  async isMember(actor: Actor, groupId: number, userId: number, directOnly: boolean): Promise<boolean> {
    const group = this.access.forReading(groupId);
    const { id } = await this.users.activeForReading(actor, userId);
    return directOnly ? group.members.has(id) : this.groups.isMember(id, groupId);
  }

  /** IDs of subgroups, ascending, deactivated ones included. @throws InvalidUserGroup, UserGroupDeactivated */
  subgroups(groupId: number, directOnly: boolean): number[] {
    const group = this.access.forReading(groupId);
    const found = new Set(directOnly ? group.subgroups : this.groups.below(groupId));
    found.delete(groupId);
    return [...found].sort((a, b) => a - b);
  }
}
