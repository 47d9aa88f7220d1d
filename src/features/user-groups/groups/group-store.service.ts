import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { composedName, forbiddenPlace } from '../../../platform/names/visible-name';
import { personalDataRemoved } from '../../users/users.module';
import { GroupDirectory } from './group.directory';
import { UserGroupMember, UserGroup } from './user-group.entity';
import {
  GroupNameCharacterInvalid,
  GroupNameEmpty,
  GroupNamePrefixReserved,
  GroupNameTaken,
  GroupNameTooLong,
  MAX_GROUP_NAME_LENGTH,
} from './group-records.api';

/** What mentions and narrows begin with, in the order in which names are tested. */
const RESERVED_PREFIXES = ['@', 'role:', 'user:', 'stream:', 'channel:'];

type NewGroupRow = Pick<UserGroup, 'description' | 'creatorId'> &
  Partial<UserGroup> & { readonly name: string };

/** Writes the rows of named groups, and says which of the directories have to be refreshed. */
@Injectable()
export class GroupStore {
  constructor(
    private readonly groups: GroupDirectory,
    private readonly clock: Clock,
    hooks: Hooks,
  ) {
    hooks.on(personalDataRemoved, (tx, userId) => this.removeFromAll(tx, userId));
  }

  /** The name as it is stored. @throws GroupNameEmpty, GroupNameTooLong, GroupNamePrefixReserved, GroupNameCharacterInvalid */
  checkedName(given: string): string {
    return checkedGroupName(given);
  }

  /** Needs an exclusive transaction. Names differ by their case, and deactivated groups keep theirs. @throws GroupNameTaken */
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

  /** Takes a person who is deleted out of all groups, including those of roles and of permissions given one by one. */
  private async removeFromAll(tx: Transaction, userId: number): Promise<void> {
    await tx.repository(UserGroupMember).delete({ userId });
    tx.touch('group-memberships', [userId]);
  }
}

/**
 * Checks the name of a group.
 * @returns the name trimmed and composed
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
