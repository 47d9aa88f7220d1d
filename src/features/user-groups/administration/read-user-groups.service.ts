import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import type { RawJson } from '../../../platform/http/raw-json';
import { AccountDirectory, UserAccess } from '../../users';
import { GroupDirectory } from '../group.directory';
import { UserGroupRecords } from './user-group-records.service';
import { UserGroupAccess } from './user-group.access';
import type { UserGroupWire } from '../user-group.wire';

/** Shows user groups, and who and what is in them (groups reference 6.3 and 6.9). */
@Injectable()
export class ReadUserGroupsService {
  constructor(
    private readonly groups: GroupDirectory,
    private readonly accounts: AccountDirectory,
    private readonly users: UserAccess,
    private readonly access: UserGroupAccess,
    private readonly records: UserGroupRecords,
  ) {}

  /** All records, system groups included, ascending by ID. */
  list(withDeactivated: boolean): RawJson<UserGroupWire[]> {
    return this.records.json(
      this.groups.named().filter(({ isDeactivated }) => withDeactivated || !isDeactivated),
    );
  }

  /** Active members, ascending. @throws InvalidUserGroup, UserGroupDeactivated */
  members(groupId: number, directOnly: boolean): number[] {
    const group = this.access.forReading(groupId);
    const members = directOnly ? group.members : this.groups.membersOf(groupId);
    const { active } = this.accounts;
    return [...members].filter((userId) => active.has(userId)).sort((a, b) => a - b);
  }

  /** @throws InvalidUserGroup, UserGroupDeactivated, NoSuchUser, UserIsDeactivated */
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
