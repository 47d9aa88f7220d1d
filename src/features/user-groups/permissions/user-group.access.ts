import { Injectable } from '@nestjs/common';
import { PermissionService, type Requester } from './permission.service';
import { ascending } from '../../../platform/collections';
import { InsufficientPermission } from '../../../platform/errors/shared.errors';
import { Hooks } from '../../../platform/hooks/hooks';
import { AccountDirectory, groupMembersPort } from '../../users/users.module';
import {
  InvalidUserGroup,
  InvalidUserGroupId,
  InvalidUserId,
  UserGroupDeactivated,
} from '../groups/group-records.api';
import type { UserGroupSetting } from '../groups/group-settings';
import { GroupDirectory, type GroupRecord, type NamedGroup } from '../groups/group.directory';
import type { Explanation } from '../user-groups.hooks';

/**
 * Operations on a group, with the group's permissions that allow them besides managing the group, in the order in which
 * they are checked.
 */
export const GROUP_OPERATIONS = {
  update: [],
  deactivate: [],
  join: ['can_join_group', 'can_add_members_group'],
  leave: ['can_leave_group', 'can_remove_members_group'],
  add_members: ['can_add_members_group'],
  remove_members: ['can_remove_members_group'],
  add_subgroups: ['can_add_members_group'],
  remove_subgroups: [],
} as const satisfies Record<string, readonly UserGroupSetting[]>;

/** An operation on a group. */
export type GroupOperation = keyof typeof GROUP_OPERATIONS;

/** Loads a group for a person, or throws the error that they should see. */
@Injectable()
export class UserGroupAccess {
  constructor(
    private readonly groups: GroupDirectory,
    private readonly permissions: PermissionService,
  ) {}

  /** An active group to read, which any caller may. @throws InvalidUserGroup, UserGroupDeactivated */
  forReading(groupId: number): NamedGroup {
    const group = this.existing(groupId);
    if (group.isDeactivated) throw new UserGroupDeactivated();
    return group;
  }

  /** A group to change, including deactivated ones. @throws InvalidUserGroup, InsufficientPermission */
  forChange(who: Requester, groupId: number, operation: GroupOperation): NamedGroup {
    const group = this.existing(groupId);
    if (!this.may(who, group, operation)) throw new InsufficientPermission();
    return group;
  }

  /** An active group to change. @throws InvalidUserGroup, UserGroupDeactivated, InsufficientPermission */
  forChangeWhileActive(who: Requester, groupId: number, operation: GroupOperation): NamedGroup {
    this.forReading(groupId);
    return this.forChange(who, groupId, operation);
  }

  /** Explains whether a person may perform an operation on a group. @throws InvalidUserGroup */
  explain(who: Requester, groupId: number, operation: GroupOperation): Explanation {
    const group = this.existing(groupId);
    if (group.isSystem) return { allowed: false, chain: ['system group'] };
    const answers = this.questions(group, operation).map((question) => question.explain(who));
    return (
      answers.find(({ allowed }) => allowed) ?? {
        allowed: false,
        chain: answers.flatMap(({ chain }) => chain),
      }
    );
  }

  /** Explains whether a person may mention a group. @throws InvalidUserGroup */
  explainMention(who: Requester, groupId: number): Explanation {
    return this.permissions.explainInGroup(who, this.existing(groupId), 'can_mention_group');
  }

  /** Whether a person may add others to a group. */
  mayAddMembers(who: Requester, group: GroupRecord): boolean {
    return this.may(who, group, 'add_members');
  }

  private may(who: Requester, group: GroupRecord, operation: GroupOperation): boolean {
    return !group.isSystem && this.questions(group, operation).some((question) => question.holds(who));
  }

  /** The permissions any of which is sufficient. System groups change only through roles. */
  private questions(group: GroupRecord, operation: GroupOperation) {
    const settings: UserGroupSetting[] = ['can_manage_group', ...GROUP_OPERATIONS[operation]];
    return [
      {
        holds: (who: Requester) => this.permissions.allowsInOrganization(who, 'can_manage_all_groups'),
        explain: (who: Requester) => this.permissions.explainInOrganization(who, 'can_manage_all_groups'),
      },
      ...settings.map((setting) => ({
        holds: (who: Requester) => this.permissions.allowsInGroup(who, group, setting),
        explain: (who: Requester) => this.permissions.explainInGroup(who, group, setting),
      })),
    ];
  }

  private existing(groupId: number): NamedGroup {
    const group = this.groups.namedById(groupId);
    if (!group) throw new InvalidUserGroup();
    return group;
  }
}

/** Looks up the people and groups listed in a request by ID. */
@Injectable()
export class GroupReferenceAccess {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly groups: GroupDirectory,
    hooks: Hooks,
  ) {
    hooks.provide(groupMembersPort, { membersOf: (groupIds) => this.membersOf(groupIds) });
  }

  /** @returns the IDs, ascending and without duplicates @throws InvalidUserId unless all are active accounts */
  activeAccounts(userIds: readonly number[]): number[] {
    const { active } = this.accounts;
    const wrong = userIds.find((userId) => !active.has(userId));
    if (wrong !== undefined) throw new InvalidUserId(wrong);
    return ascending(userIds);
  }

  /** @returns the IDs, ascending and without duplicates @throws InvalidUserGroupId, UserGroupDeactivated */
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
