import { Injectable } from '@nestjs/common';
import { UserGroup } from './user-group.entity';
import { Directories, Directory } from '../../../platform/events/directories';
import { entityRows } from '../../../platform/sql/entity-rows';
import type { Queryable } from '../../../platform/sql/queryable';
import type { SystemGroupName } from '../../organization-settings/organization-settings.module';
import { addToSet } from '../../../platform/collections';

/** A group in the directory: its row with direct members and direct subgroups. */
export interface GroupRecord extends Readonly<UserGroup> {
  readonly members: ReadonlySet<number>;
  readonly subgroups: ReadonlySet<number>;
}

/** A group with a name, unlike anonymous ones. */
export type NamedGroup = GroupRecord & { readonly name: string };

/** The direct contents of a group after a change is committed. */
export interface GroupContents {
  readonly id: number;
  readonly members: ReadonlySet<number>;
  readonly subgroups: ReadonlySet<number>;
}

/** The directory's own type of a record, whose sets it updates. */
interface MutableGroup extends GroupRecord {
  readonly members: Set<number>;
  readonly subgroups: Set<number>;
}

interface Pair {
  group_id: number;
  member_id: number;
}

/**
 * All groups in memory: named, system and anonymous ones. Nesting is resolved upwards: the set of all groups that
 * contain a person at any depth is computed once and cached, so that a permission check is one lookup however deep
 * groups nest.
 */
@Injectable()
export class GroupDirectory extends Directory {
  readonly name = 'groups';

  private readonly groups = new Map<number, MutableGroup>();
  private readonly idByName = new Map<string, number>();
  private readonly parentsOf = new Map<number, Set<number>>();
  private readonly idsOfDirectGroups = new Map<number, Set<number>>();
  private readonly closure = new Map<number, Set<number>>();

  constructor(directories: Directories) {
    super();
    directories.register(this);
  }

  byId(id: number): GroupRecord | undefined {
    return this.groups.get(id);
  }

  /** Finds a named group, including system groups. */
  namedById(id: number): NamedGroup | undefined {
    const group = this.groups.get(id);
    return group && isNamed(group) ? group : undefined;
  }

  /** Finds a named group, including system groups, by its exact name. */
  byName(name: string): NamedGroup | undefined {
    const id = this.idByName.get(name);
    return id === undefined ? undefined : this.namedById(id);
  }

  /** ID of a system group; these exist since the first start. */
  systemGroupId(name: SystemGroupName): number {
    const id = this.idByName.get(name);
    if (id === undefined) throw new Error(`The system group ${name} does not exist.`);
    return id;
  }

  /** Named groups, including system groups, ascending by ID. */
  named(): NamedGroup[] {
    const groups: GroupRecord[] = [...this.groups.values()];
    return groups.filter(isNamed).sort((a, b) => a.id - b.id);
  }

  /** Whether the person is in the group, directly or through subgroups at any depth. */
  isMember(userId: number, groupId: number): boolean {
    return this.groupsOf(userId).has(groupId);
  }

  /** All groups that contain the person at any depth. */
  groupsOf(userId: number): ReadonlySet<number> {
    let found = this.closure.get(userId);
    if (!found) {
      found = this.above(this.idsOfDirectGroups.get(userId) ?? []);
      this.closure.set(userId, found);
    }
    return found;
  }

  /** All groups that will contain the person after one group changes, to check a change before it is committed. */
  groupsOfAfter(userId: number, changed: readonly GroupContents[]): ReadonlySet<number> {
    const changedIds = new Set(changed.map(({ id }) => id));
    const unchanged = (ids: Iterable<number> = []) => [...ids].filter((id) => !changedIds.has(id));
    const found = new Set(unchanged(this.idsOfDirectGroups.get(userId)));
    for (const { id, members } of changed) if (members.has(userId)) found.add(id);
    for (const id of found) {
      for (const parent of unchanged(this.parentsOf.get(id))) found.add(parent);
      for (const parent of changed) if (parent.subgroups.has(id)) found.add(parent.id);
    }
    return found;
  }

  /** Groups that directly contain the group, including anonymous ones. */
  parentsOfGroup(groupId: number): GroupRecord[] {
    return this.records(this.parentsOf.get(groupId));
  }

  /** The groups themselves and all groups that contain one of them at any depth. */
  above(groupIds: Iterable<number>): Set<number> {
    const found = new Set(groupIds);
    for (const id of found) {
      for (const parent of this.parentsOf.get(id) ?? []) found.add(parent);
    }
    return found;
  }

  /** Groups that directly contain the person, including anonymous ones. */
  directGroupsOf(userId: number): GroupRecord[] {
    return this.records(this.idsOfDirectGroups.get(userId));
  }

  /**
   * The path from a group to a person: from the group itself down to one with the person as a direct member. Empty for
   * other people.
   */
  pathTo(userId: number, groupId: number): GroupRecord[] {
    const around = this.groupsOf(userId);
    const path: GroupRecord[] = [];
    let group = around.has(groupId) ? this.groups.get(groupId) : undefined;
    while (group) {
      path.push(group);
      if (group.members.has(userId)) break;
      const next = [...group.subgroups].sort((a, b) => a - b).find((id) => around.has(id));
      group = next === undefined ? undefined : this.groups.get(next);
    }
    return path;
  }

  /** Members of the group at any depth, including deactivated accounts; callers filter. */
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
    const rows = await entityRows(db, UserGroup);
    const members = await db.query<Pair>('SELECT group_id, user_id AS member_id FROM user_group_member');
    const subgroups = await db.query<Pair>(
      'SELECT group_id, subgroup_id AS member_id FROM user_group_subgroup',
    );
    this.groups.clear();
    this.idByName.clear();
    this.parentsOf.clear();
    this.idsOfDirectGroups.clear();
    this.closure.clear();
    this.keep(rows, members, subgroups);
  }

  async refresh(db: Queryable, ids: readonly number[]): Promise<void> {
    const rows = await entityRows(db, UserGroup, 'WHERE id IN (?)', [ids]);
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

  /** Replaces the memberships of people. For {@link GroupMembershipDirectory}. */
  replaceMemberships(userIds: readonly number[], memberships: readonly Pair[]): void {
    const groupsByUser = new Map<number, Set<number>>(userIds.map((userId) => [userId, new Set()]));
    for (const { group_id, member_id } of memberships) groupsByUser.get(member_id)?.add(group_id);
    const changed = new Set<number>();
    for (const [userId, after] of groupsByUser) {
      const before = this.idsOfDirectGroups.get(userId) ?? new Set();
      for (const id of without(before, after)) {
        if (this.groups.get(id)?.members.delete(userId)) changed.add(id);
      }
      for (const id of without(after, before)) {
        if (this.groups.get(id)?.members.add(userId)) changed.add(id);
      }
      this.idsOfDirectGroups.set(userId, after);
      this.closure.delete(userId);
    }
    // A new object invalidates caches that use the record as a key.
    for (const id of changed) this.groups.set(id, { ...(this.groups.get(id) as MutableGroup) });
  }

  private keep(rows: readonly UserGroup[], members: readonly Pair[], subgroups: readonly Pair[]): void {
    const membersById = collect(members);
    const subgroupsById = collect(subgroups);
    for (const row of rows) {
      const group: MutableGroup = {
        ...row,
        members: membersById.get(row.id) ?? new Set(),
        subgroups: subgroupsById.get(row.id) ?? new Set(),
      };
      this.groups.set(row.id, group);
      if (row.name !== null) this.idByName.set(row.name, row.id);
      for (const userId of group.members) addToSet(this.idsOfDirectGroups, userId, row.id);
      for (const subgroupId of group.subgroups) addToSet(this.parentsOf, subgroupId, row.id);
      this.changeClosures(group, (around) => around.add(row.id));
    }
  }

  private forget(id: number): void {
    const group = this.groups.get(id);
    if (!group) return;
    this.changeClosures(group, (around) => around.delete(id));
    for (const userId of group.members) this.idsOfDirectGroups.get(userId)?.delete(id);
    for (const subgroupId of group.subgroups) this.parentsOf.get(subgroupId)?.delete(id);
    if (group.name !== null) this.idByName.delete(group.name);
    this.groups.delete(id);
  }

  /**
   * Most groups, of which each channel has at least one, have no subgroups or parents; a change affects only their own
   * members.
   */
  private changeClosures(group: GroupRecord, change: (around: Set<number>) => void): void {
    if (group.subgroups.size > 0 || this.parentsOf.get(group.id)?.size) {
      this.closure.clear();
      return;
    }
    for (const userId of group.members) {
      const around = this.closure.get(userId);
      if (around) change(around);
    }
  }

  private records(ids: Iterable<number> = []): GroupRecord[] {
    return [...ids].flatMap((id) => this.groups.get(id) ?? []);
  }
}

function isNamed(group: GroupRecord): group is NamedGroup {
  return group.name !== null;
}

function collect(pairs: readonly Pair[]): Map<number, Set<number>> {
  const byGroup = new Map<number, Set<number>>();
  for (const pair of pairs) addToSet(byGroup, pair.group_id, pair.member_id);
  return byGroup;
}

function without(ids: ReadonlySet<number>, left: ReadonlySet<number>): number[] {
  return [...ids].filter((id) => !left.has(id));
}

/**
 * Direct memberships, touched by user IDs, so that one person who joins a group of ten thousand costs the rows of one
 * person. The data is stored in {@link GroupDirectory}.
 */
@Injectable()
export class GroupMembershipDirectory extends Directory {
  readonly name = 'group-memberships';

  constructor(
    directories: Directories,
    private readonly groups: GroupDirectory,
  ) {
    super();
    directories.register(this);
  }

  /** Groups are loaded with their members. */
  async load(): Promise<void> {}

  async refresh(db: Queryable, userIds: readonly number[]): Promise<void> {
    const memberships = await db.query<{ group_id: number; member_id: number }>(
      'SELECT group_id, user_id AS member_id FROM user_group_member WHERE user_id IN (?)',
      [userIds],
    );
    this.groups.replaceMemberships(userIds, memberships);
  }
}
