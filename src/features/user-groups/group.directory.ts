import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../platform/database/queryable';
import { Snapshot } from '../../platform/events/snapshot';
import { SnapshotRegistry } from '../../platform/events/snapshot-registry';
import type { SystemGroupName } from '../organization/organization-settings';
import { UserGroup } from './user-group.entity';

/** A group as the directory holds it: its row with direct members and direct subgroups. */
export interface GroupRecord extends Readonly<UserGroup> {
  readonly members: ReadonlySet<number>;
  readonly subgroups: ReadonlySet<number>;
}

interface Pair {
  group_id: number;
  member_id: number;
}

/**
 * All groups in memory: named, system and anonymous ones. Nesting is answered upwards: for a person, the
 * set of all groups that hold them at any depth is worked out once and kept, so that a permission check
 * is one look-up however deep groups nest.
 */
@Injectable()
export class GroupDirectory extends Snapshot {
  readonly name = 'groups';

  private readonly groups = new Map<number, GroupRecord>();
  private readonly idByName = new Map<string, number>();
  private readonly parentsOf = new Map<number, Set<number>>();
  private readonly directGroupsOf = new Map<number, Set<number>>();
  private readonly closure = new Map<number, ReadonlySet<number>>();

  constructor(registry: SnapshotRegistry) {
    super();
    registry.register(this);
  }

  byId(id: number): GroupRecord | undefined {
    return this.groups.get(id);
  }

  /** A named group (system groups included) by its exact name. */
  byName(name: string): GroupRecord | undefined {
    const id = this.idByName.get(name);
    return id === undefined ? undefined : this.groups.get(id);
  }

  /** ID of a system group; these exist from the first start on. */
  systemGroupId(name: SystemGroupName): number {
    const id = this.idByName.get(name);
    if (id === undefined) throw new Error(`The system group ${name} does not exist.`);
    return id;
  }

  /** Named groups, system groups included, ascending by ID. */
  named(): GroupRecord[] {
    return [...this.groups.values()].filter((group) => group.name !== null).sort((a, b) => a.id - b.id);
  }

  /** Whether the person is in the group, directly or through subgroups at any depth. */
  isMember(userId: number, groupId: number): boolean {
    return this.groupsOf(userId).has(groupId);
  }

  /** Every group that holds the person at any depth. */
  groupsOf(userId: number): ReadonlySet<number> {
    let found = this.closure.get(userId);
    if (!found) {
      found = this.above(this.directGroupsOf.get(userId) ?? []);
      this.closure.set(userId, found);
    }
    return found;
  }

  /** Members of the group at any depth, deactivated accounts included; the caller filters. */
  membersOf(groupId: number): Set<number> {
    const members = new Set<number>();
    for (const id of this.below(groupId)) {
      for (const member of this.groups.get(id)?.members ?? []) members.add(member);
    }
    return members;
  }

  /** The group itself and its subgroups at any depth. */
  below(groupId: number): Set<number> {
    const found = new Set([groupId]);
    for (const id of found) {
      for (const subgroup of this.groups.get(id)?.subgroups ?? []) found.add(subgroup);
    }
    return found;
  }

  async load(db: Queryable): Promise<void> {
    const rows = await db.repository(UserGroup).find();
    const members = await db.query<Pair>('SELECT group_id, user_id AS member_id FROM user_group_member');
    const subgroups = await db.query<Pair>(
      'SELECT group_id, subgroup_id AS member_id FROM user_group_subgroup',
    );
    this.groups.clear();
    this.idByName.clear();
    this.parentsOf.clear();
    this.directGroupsOf.clear();
    this.keep(rows, members, subgroups);
  }

  async refresh(db: Queryable, ids: readonly number[]): Promise<void> {
    const rows = await db
      .repository(UserGroup)
      .createQueryBuilder('g')
      .where('g.id IN (:...ids)', { ids })
      .getMany();
    const members = await db.query<Pair>(
      'SELECT group_id, user_id AS member_id FROM user_group_member WHERE group_id IN (?)',
      [ids],
    );
    const subgroups = await db.query<Pair>(
      'SELECT group_id, subgroup_id AS member_id FROM user_group_subgroup WHERE group_id IN (?)',
      [ids],
    );
    for (const id of ids) this.forget(id);
    this.keep(rows, members, subgroups);
  }

  private keep(rows: readonly UserGroup[], members: readonly Pair[], subgroups: readonly Pair[]): void {
    const membersById = collect(members);
    const subgroupsById = collect(subgroups);
    for (const row of rows) {
      const group: GroupRecord = {
        ...row,
        members: membersById.get(row.id) ?? new Set(),
        subgroups: subgroupsById.get(row.id) ?? new Set(),
      };
      this.groups.set(row.id, group);
      if (row.name !== null) this.idByName.set(row.name, row.id);
      for (const userId of group.members) addTo(this.directGroupsOf, userId, row.id);
      for (const subgroupId of group.subgroups) addTo(this.parentsOf, subgroupId, row.id);
    }
    this.closure.clear();
  }

  private forget(id: number): void {
    const group = this.groups.get(id);
    if (!group) return;
    for (const userId of group.members) this.directGroupsOf.get(userId)?.delete(id);
    for (const subgroupId of group.subgroups) this.parentsOf.get(subgroupId)?.delete(id);
    if (group.name !== null) this.idByName.delete(group.name);
    this.groups.delete(id);
  }

  private above(start: Iterable<number>): ReadonlySet<number> {
    const found = new Set(start);
    for (const id of found) {
      for (const parent of this.parentsOf.get(id) ?? []) found.add(parent);
    }
    return found;
  }
}

function collect(pairs: readonly Pair[]): Map<number, Set<number>> {
  const byGroup = new Map<number, Set<number>>();
  for (const pair of pairs) addTo(byGroup, pair.group_id, pair.member_id);
  return byGroup;
}

function addTo(map: Map<number, Set<number>>, key: number, value: number): void {
  const set = map.get(key);
  if (set) set.add(value);
  else map.set(key, new Set([value]));
}
