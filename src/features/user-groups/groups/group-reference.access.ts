import { Injectable } from '@nestjs/common';
import { Hooks } from '../../../platform/hooks/hooks';
import { AccountDirectory, groupMembersPort } from '../../users/users.module';
import { GroupDirectory } from './group.directory';
import { InvalidUserGroupId, InvalidUserId, UserGroupDeactivated } from './group-records.api';

/** Looks up the people and groups that a request lists by ID. */
@Injectable()
export class GroupReferenceAccess {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly groups: GroupDirectory,
    hooks: Hooks,
  ) {
    hooks.provide(groupMembersPort, { membersOf: (groupIds) => this.membersOf(groupIds) });
  }

  /** @returns the IDs ascending, without repeats @throws InvalidUserId unless all are active accounts */
  activeAccounts(userIds: readonly number[]): number[] {
    const { active } = this.accounts;
    const wrong = userIds.find((userId) => !active.has(userId));
    if (wrong !== undefined) throw new InvalidUserId(wrong);
    return ascending(userIds);
  }

  /** @returns the IDs ascending, without repeats @throws InvalidUserGroupId, UserGroupDeactivated */
  activeGroups(groupIds: readonly number[]): number[] {
    const groups = groupIds.map((groupId) => {
      const group = this.groups.namedById(groupId);
      if (!group) throw new InvalidUserGroupId(groupId);
      return group;
    });
    if (groups.some((group) => group.isDeactivated)) throw new UserGroupDeactivated();
    return ascending(groupIds);
  }

  private membersOf(groupIds: readonly number[]): Set<number> {
    return new Set(this.activeGroups(groupIds).flatMap((id) => [...this.groups.membersOf(id)]));
  }
}

/** The IDs ascending, without repeats. */
function ascending(ids: readonly number[]): number[] {
  return [...new Set(ids)].sort((a, b) => a - b);
}
