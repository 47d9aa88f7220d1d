import { byId, NotUnderstood, required, type Json, type Reducer, withdraw } from './json';

/** A client's knowledge of user groups and of the permissions granted to them. */
export class GroupModel {
  private readonly groups: Map<number, Json>;

  constructor(state: Json) {
    this.groups = byId(state.realm_user_groups, 'id');
  }

  get content(): Json {
    return { groups: this.groups };
  }

  /** Whether a user is included in the value of a setting. */
  holds(userId: number, value: Json): boolean {
    if (typeof value === 'number') return this.isMember(userId, value);
    return (
      value.direct_members.includes(userId) ||
      value.direct_subgroups.some((id: number) => this.isMember(userId, id))
    );
  }

  /** A user was deactivated, and belongs to no group from then on. */
  forget(userId: number): void {
    for (const group of this.groups.values()) {
      group.members = group.members.filter((id: number) => id !== userId);
      withdraw(group, userId);
    }
  }

  readonly reducers: Record<string, Reducer> = {
    'user_group/add': ({ group }) => {
      if (this.groups.has(group.id)) throw new NotUnderstood(`Group ${group.id} is there already.`);
      this.groups.set(group.id, structuredClone(group));
    },
    'user_group/remove': ({ group_id }) => {
      required(this.groups, group_id, 'group');
      this.groups.delete(group_id);
    },
    'user_group/update': ({ group_id, data }) => {
      Object.assign(required(this.groups, group_id, 'group'), structuredClone(data));
    },
    'user_group/add_members': ({ group_id, user_ids }) => this.add(group_id, 'members', user_ids),
    'user_group/remove_members': ({ group_id, user_ids }) => this.remove(group_id, 'members', user_ids),
    'user_group/add_subgroups': ({ group_id, direct_subgroup_ids }) =>
      this.add(group_id, 'direct_subgroup_ids', direct_subgroup_ids),
    'user_group/remove_subgroups': ({ group_id, direct_subgroup_ids }) =>
      this.remove(group_id, 'direct_subgroup_ids', direct_subgroup_ids),
  };

  private add(groupId: number, key: string, ids: number[]): void {
    const group = required(this.groups, groupId, 'group');
    const twice = ids.filter((id) => group[key].includes(id));
    if (twice.length > 0)
      throw new NotUnderstood(`${key} of group ${groupId} include ${twice.join()} already.`);
    group[key] = [...group[key], ...ids].sort((a, b) => a - b);
  }

  private remove(groupId: number, key: string, ids: number[]): void {
    const group = required(this.groups, groupId, 'group');
    const missing = ids.filter((id) => !group[key].includes(id));
    if (missing.length > 0)
      throw new NotUnderstood(`${key} of group ${groupId} do not include ${missing.join()}.`);
    group[key] = group[key].filter((id: number) => !ids.includes(id));
  }

  private isMember(userId: number, groupId: number, seen = new Set<number>()): boolean {
    const group = this.groups.get(groupId);
    if (!group || seen.has(groupId)) return false;
    seen.add(groupId);
    return (
      group.members.includes(userId) ||
      group.direct_subgroup_ids.some((id: number) => this.isMember(userId, id, seen))
    );
  }
}
