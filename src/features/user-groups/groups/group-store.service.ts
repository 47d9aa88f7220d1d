import { Injectable } from '@nestjs/common';
import {
  groupAdded,
  groupMembersAdded,
  groupMembersRemoved,
  GroupNameCharacterInvalid,
  GroupNameEmpty,
  GroupNamePrefixReserved,
  GroupNameTaken,
  GroupNameTooLong,
  groupRemoved,
  groupUpdated,
  MAX_GROUP_NAME_LENGTH,
  subgroupsAdded,
  subgroupsRemoved,
  type UserGroupPropertyValue,
  type UserGroupWire,
} from './group-records.api';
import { GroupDirectory, type NamedGroup } from './group.directory';
import { UserGroup, UserGroupMember } from './user-group.entity';
import { Clock } from '../../../platform/clock';
import type { Transaction } from '../../../platform/database/transaction.service';
import type { EmitOptions, ServerEvent } from '../../../platform/events/server-event';
import { Hooks } from '../../../platform/hooks/hooks';
import { composedName, forbiddenPlace } from '../../../platform/names/visible-name';
import { AccountDirectory, personalDataRemoved } from '../../users/users.module';

/** Prefixes used by mentions and narrows, in the order in which names are tested. */
const RESERVED_PREFIXES = ['@', 'role:', 'user:', 'stream:', 'channel:'];

type NewGroupRow = Pick<UserGroup, 'description' | 'creatorId'> &
  Partial<UserGroup> & { readonly name: string };

/** Writes the rows of named groups, and marks the directories to refresh. */
@Injectable()
export class GroupStore {
  constructor(
    private readonly groups: GroupDirectory,
    private readonly clock: Clock,
    hooks: Hooks,
  ) {
    hooks.on(personalDataRemoved, (tx, userId) => this.removeFromAll(tx, userId));
  }

  /**
   * The normalized name. @throws GroupNameEmpty, GroupNameTooLong, GroupNamePrefixReserved, GroupNameCharacterInvalid
   */
  checkedName(given: string): string {
    return checkedGroupName(given);
  }

  /**
   * Requires an exclusive transaction. Names are case-sensitive, and deactivated groups keep theirs. @throws
   * GroupNameTaken
   */
  checkNameIsFree(name: string): void {
    if (this.groups.byName(name)) throw new GroupNameTaken(name);
  }

  async insert(tx: Transaction, group: NewGroupRow): Promise<UserGroup> {
    const row = await tx.repository(UserGroup).save({
      ...group,
      isSystem: false,
      isDeactivated: false,
      dateCreated: this.clock.nowSeconds(),
    } as UserGroup);
    tx.touch('groups', [row.id]);
    return row;
  }

  async update(tx: Transaction, groupId: number, changed: Partial<UserGroup>): Promise<void> {
    await tx.repository(UserGroup).update({ id: groupId }, changed);
    tx.touch('groups', [groupId]);
  }

  async addMembers(tx: Transaction, groupId: number, userIds: readonly number[]): Promise<void> {
    if (userIds.length === 0) return;
    await tx.query(
      'INSERT INTO user_group_member (group_id, user_id) SELECT CAST(? AS INTEGER), id FROM account WHERE id IN (?)',
      [groupId, userIds],
    );
    tx.touch('group-memberships', userIds);
  }

  async removeMembers(tx: Transaction, groupId: number, userIds: readonly number[]): Promise<void> {
    if (userIds.length === 0) return;
    await tx.query('DELETE FROM user_group_member WHERE group_id = ? AND user_id IN (?)', [groupId, userIds]);
    tx.touch('group-memberships', userIds);
  }

  async addSubgroups(tx: Transaction, groupId: number, subgroupIds: readonly number[]): Promise<void> {
    if (subgroupIds.length === 0) return;
    await tx.query(
      `INSERT INTO user_group_subgroup (group_id, subgroup_id)
       SELECT CAST(? AS INTEGER), id FROM user_group WHERE id IN (?)`,
      [groupId, subgroupIds],
    );
    tx.touch('groups', [groupId]);
  }

  async removeSubgroups(tx: Transaction, groupId: number, subgroupIds: readonly number[]): Promise<void> {
    if (subgroupIds.length === 0) return;
    await tx.query('DELETE FROM user_group_subgroup WHERE group_id = ? AND subgroup_id IN (?)', [
      groupId,
      subgroupIds,
    ]);
    tx.touch('groups', [groupId]);
  }

  /** Removes a deleted person from all groups, including those of roles and individual permissions. */
  private async removeFromAll(tx: Transaction, userId: number): Promise<void> {
    await tx.repository(UserGroupMember).delete({ userId });
    tx.touch('group-memberships', [userId]);
  }
}

/**
 * Validates the name of a group.
 * @returns the name, trimmed and in NFC
 * @throws GroupNameEmpty, GroupNameTooLong, GroupNamePrefixReserved, GroupNameCharacterInvalid
 */
function checkedGroupName(given: string): string {
  const name = composedName(given);
  if (name === '') throw new GroupNameEmpty();
  if ([...name].length > MAX_GROUP_NAME_LENGTH) throw new GroupNameTooLong(MAX_GROUP_NAME_LENGTH);
  const prefix = RESERVED_PREFIXES.find((reserved) => name.startsWith(reserved));
  if (prefix !== undefined) throw new GroupNamePrefixReserved(prefix);
  const position = forbiddenPlace(name);
  if (position > 0) throw new GroupNameCharacterInvalid(position);
  return name;
}

/** The capability of clients that support deactivated groups; others must not receive any. */
const DEACTIVATED_GROUPS = 'include_deactivated_groups';

type GroupState = Pick<NamedGroup, 'id' | 'isDeactivated'>;

/** Emits changes of groups to everyone. */
@Injectable()
export class UserGroupEventsService {
  constructor(private readonly accounts: AccountDirectory) {}

  added(tx: Transaction, group: UserGroupWire): void {
    tx.emit(groupAdded({ group }), this.accounts.active);
  }

  /** One event per property. */
  updated(
    tx: Transaction,
    group: GroupState,
    property: string,
    value: UserGroupPropertyValue,
    audience = this.accounts.active,
  ): void {
    this.emit(tx, group, groupUpdated({ group_id: group.id, data: { [property]: value } }), audience);
  }

  deactivated(tx: Transaction, { id }: GroupState): void {
    this.updated(tx, { id, isDeactivated: true }, 'deactivated', true);
    tx.emit(groupRemoved({ group_id: id }), this.accounts.active, { unless: DEACTIVATED_GROUPS });
  }

  /** @param group after its reactivation */
  reactivated(tx: Transaction, group: UserGroupWire): void {
    this.updated(tx, { id: group.id, isDeactivated: true }, 'deactivated', false);
    tx.emit(groupAdded({ group }), this.accounts.active, { unless: DEACTIVATED_GROUPS });
  }

  membersAdded(tx: Transaction, group: GroupState, userIds: readonly number[]): void {
    this.emit(tx, group, groupMembersAdded({ group_id: group.id, user_ids: userIds }));
  }

  membersRemoved(
    tx: Transaction,
    group: GroupState,
    userIds: readonly number[],
    audience = this.accounts.active,
  ): void {
    this.emit(tx, group, groupMembersRemoved({ group_id: group.id, user_ids: userIds }), audience);
  }

  subgroupsAdded(tx: Transaction, group: GroupState, subgroupIds: readonly number[]): void {
    this.emit(tx, group, subgroupsAdded({ group_id: group.id, direct_subgroup_ids: subgroupIds }));
  }

  subgroupsRemoved(tx: Transaction, group: GroupState, subgroupIds: readonly number[]): void {
    this.emit(tx, group, subgroupsRemoved({ group_id: group.id, direct_subgroup_ids: subgroupIds }));
  }

  private emit(
    tx: Transaction,
    group: GroupState,
    event: ServerEvent,
    audience = this.accounts.active,
  ): void {
    const options: EmitOptions = group.isDeactivated ? { requires: DEACTIVATED_GROUPS } : {};
    if (audience.size > 0) tx.emit(event, audience, options);
  }
}
