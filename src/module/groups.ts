import { Injectable } from '@nestjs/common';
import type { Actor } from '../platform/actor';
import {
  GroupDirectory,
  type NamedGroup,
  UpdateGroupMembersService,
} from '../features/user-groups/user-groups.module';

/** A user group, as modules see it. */
export interface GroupInfo {
  readonly id: number;
  readonly name: string;
  /** Whether it is one of those that the server keeps by itself, such as `role:members`. */
  readonly isSystem: boolean;
  /** Direct members, by ID, ascending. */
  readonly memberIds: readonly number[];
}

/** User groups and who is in them, from memory. */
@Injectable()
export class Groups {
  constructor(
    private readonly groups: GroupDirectory,
    private readonly members: UpdateGroupMembersService,
  ) {}

  /** The group of this ID, or of exactly this name; null where there is none in use. */
  find(idOrName: number | string): GroupInfo | null {
    const group =
      typeof idOrName === 'number' ? this.groups.namedById(idOrName) : this.groups.byName(idOrName);
    return group && !group.isDeactivated ? info(group) : null;
  }

  /** Whether a user is in a group, directly or through subgroups: the way to check a permission. */
  contains(groupId: number, { userId }: Pick<Actor, 'userId'>): boolean {
    return this.groups.isMember(userId, groupId);
  }

  /**
   * Sets the direct members of a group, as if the actor had added and removed the others. A no-op without a difference.
   * @throws ApiError where the actor may not, the group cannot be changed, or an account is deactivated
   */
  async setMembers(actor: Actor, groupId: number, userIds: readonly number[]): Promise<void> {
    const present = new Set(this.groups.namedById(groupId)?.members);
    const wanted = new Set(userIds);
    const add = [...wanted].filter((id) => !present.has(id));
    const remove = [...present].filter((id) => !wanted.has(id));
    if (add.length + remove.length === 0) return;
    await this.members.updateMembers(actor, groupId, { add, remove, addSubgroups: [], removeSubgroups: [] });
  }
}

function info({ id, name, isSystem, members }: NamedGroup): GroupInfo {
  return { id, name, isSystem, memberIds: [...members].sort((a, b) => a - b) };
}
