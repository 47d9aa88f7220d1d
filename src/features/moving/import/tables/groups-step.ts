import { type Role, roleName, type RoleName } from '../../../../platform/actor';
import { addTo } from '../../../../platform/collections';
import { insertRows, type NewRow } from '../../../../platform/sql/entity-rows';
import { type ArchiveRow, cutText, RowUnusable } from '../records/archive-row';
import {
  type ImportContext,
  type ImportStep,
  type PreparedStep,
  Unique,
  usable,
  usableRows,
} from './import-context';

const SETTINGS = [
  'can_add_members_group',
  'can_join_group',
  'can_leave_group',
  'can_manage_group',
  'can_mention_group',
  'can_remove_members_group',
] as const;

const MAX_NAME_LENGTH = 100;
const MAX_DESCRIPTION_LENGTH = 1024;

/** System groups of each role; the first is mandatory. */
const GROUPS_OF_ROLE: Readonly<Record<RoleName, readonly string[]>> = {
  owner: ['role:owners'],
  administrator: ['role:administrators'],
  moderator: ['role:moderators'],
  member: ['role:members', 'role:fullmembers'],
  guest: ['role:everyone'],
};

/** User groups, anonymous groups of permissions, memberships, and subgroups. */
export class GroupsStep implements ImportStep {
  readonly name = 'groups';

  async prepare(context: ImportContext): Promise<PreparedStep> {
    const named = await namedGroups(context);
    const nameless = await namelessGroups(context, new Set(named.map(({ id }) => id as number)));
    const members = await memberships(context);
    const nested = await nestedGroups(context);
    return async (tx) => {
      await insertRows(tx, 'user_group', [...named, ...nameless]);
      const roles = await tx.query<{ id: number; role: Role }>(
        'SELECT id, role FROM account WHERE is_system_bot = ? AND is_deleted = ? AND id <> ?',
        [false, false, context.local.ownerId],
      );
      await insertRows(tx, 'user_group_member', [
        ...members.rows,
        ...systemMembers(context, roles, members.full),
      ]);
      await insertRows(tx, 'user_group_subgroup', nested);
    };
  }
}

function namedGroups(context: ImportContext): Promise<NewRow[]> {
  const { survey, ledger } = context;
  const names = new Unique();
  const nobody = context.local.systemGroups.get('role:nobody') as number;
  return usableRows(context, ['zerver_namedusergroup'], (row) => {
    const id = survey.groups.get(row.id());
    if (row.flag('is_system_group')) return null;
    const name = freeName(context, row, names);
    const settings = SETTINGS.map((setting) => {
      const group = survey.groups.find(row.optionalId(setting));
      if (group === null && row.has(setting))
        ledger.note('replaced', row.table, row.name, `"${setting}" names no group; replaced by role:nobody.`);
      return [setting, group ?? nobody];
    });
    return {
      id,
      name,
      description: cutText(row.optionalText('description') ?? '', MAX_DESCRIPTION_LENGTH),
      is_system: false,
      is_deactivated: row.flag('deactivated'),
      creator_id: survey.accounts.find(row.optionalId('creator')),
      date_created: row.optionalSeconds('date_created'),
      ...(Object.fromEntries(settings) as Record<string, number>),
    };
  });
}

/** Makes a name unique, ignoring case, and removes prefixes reserved for system groups. */
function freeName({ ledger }: ImportContext, row: ArchiveRow, names: Unique): string {
  const given = row.text('name');
  const clean = given
    .replace(/\p{C}/gu, '')
    .trim()
    .replace(/^(@|role:|user:|stream:|channel:)+/i, '');
  let name = cutText(clean, MAX_NAME_LENGTH) || `group ${row.id()}`;
  if (names.has(name.toLowerCase())) name = `${cutText(name, MAX_NAME_LENGTH - 20)} (${row.id()})`;
  names.require(name.toLowerCase());
  if (name !== given)
    ledger.note('changed', row.table, row.name, 'Its name is taken, or has a form that no name may have.');
  return name;
}

async function namelessGroups(context: ImportContext, named: ReadonlySet<number>): Promise<NewRow[]> {
  const system = new Set(context.local.systemGroups.values());
  const settings = Object.fromEntries(SETTINGS.map((setting) => [setting, null]));
  return usableRows(context, ['zerver_usergroup'], (row) => {
    const id = context.survey.groups.get(row.id());
    if (named.has(id) || system.has(id)) return null;
    return {
      ...{ id, name: null, description: '', is_system: false, is_deactivated: false },
      ...{ creator_id: null, date_created: null },
      ...settings,
    };
  });
}

/** Members of groups other than system groups; and the full members, who are members of the organization. */
async function memberships(context: ImportContext): Promise<{ rows: NewRow[]; full: Set<number> }> {
  const { survey, local } = context;
  const unique = new Unique();
  const system = new Set(local.systemGroups.values());
  const fullMembers = local.systemGroups.get('role:fullmembers');
  const full = new Set<number>();
  const rows = await usableRows(context, ['zerver_usergroupmembership'], (row) => {
    const member = {
      group_id: survey.groups.get(row.id('user_group')),
      user_id: survey.accounts.get(row.id('user_profile')),
    };
    if (member.group_id === fullMembers) full.add(member.user_id);
    // Memberships of system groups follow from roles.
    if (system.has(member.group_id)) return null;
    if (survey.deleted.has(member.user_id)) throw new RowUnusable('The person was deleted.');
    unique.require(member.group_id, member.user_id);
    return member;
  });
  return { rows, full };
}

function systemMembers(
  { local }: ImportContext,
  accounts: readonly { readonly id: number; readonly role: Role }[],
  full: ReadonlySet<number>,
): NewRow[] {
  return accounts.flatMap(({ id, role }) => {
    const names = GROUPS_OF_ROLE[roleName(role) ?? 'guest'];
    return names.flatMap((name, at) => {
      const group = local.systemGroups.get(name);
      return group !== undefined && (at === 0 || full.has(id)) ? [{ group_id: group, user_id: id }] : [];
    });
  });
}

/** Subgroups, without those that would make a group contain itself. */
async function nestedGroups(context: ImportContext): Promise<NewRow[]> {
  const { survey, local, ledger } = context;
  const unique = new Unique();
  const system = new Set(local.systemGroups.values());
  const edges = await usableRows(context, ['zerver_groupgroupmembership'], (row) => {
    const edge = {
      group_id: survey.groups.get(row.id('supergroup')),
      subgroup_id: survey.groups.get(row.id('subgroup')),
      row,
    };
    if (system.has(edge.group_id)) {
      if (system.has(edge.subgroup_id)) return null;
      throw new RowUnusable('A group of a role holds another group.');
    }
    unique.require(edge.group_id, edge.subgroup_id);
    return edge;
  });
  const dropped = closingEdges(edges);
  return edges.flatMap(({ row, ...edge }) => {
    if (!dropped.has(edge.group_id, edge.subgroup_id)) return [edge];
    usable(ledger, row, () => {
      throw new RowUnusable('The group would hold itself.');
    });
    return [];
  });
}

interface Edge {
  readonly group_id: number;
  readonly subgroup_id: number;
}

/** Finds edges that close a cycle. */
function closingEdges(edges: readonly Edge[]): Unique {
  const below = new Map<number, number[]>();
  for (const { group_id: group, subgroup_id: subgroup } of edges) addTo(below, group, subgroup);
  const closing = new Unique();
  const done = new Set<number>();
  for (const start of below.keys()) {
    const way = [{ id: start, next: 0 }];
    const onWay = new Set([start]);
    while (way.length > 0) {
      const last = way.at(-1) as { id: number; next: number };
      const held = done.has(last.id) ? undefined : below.get(last.id)?.[last.next++];
      if (held === undefined) {
        done.add(last.id);
        onWay.delete(last.id);
        way.pop();
      } else if (onWay.has(held)) closing.require(last.id, held);
      else if (!done.has(held)) {
        onWay.add(held);
        way.push({ id: held, next: 0 });
      }
    }
  }
  return closing;
}
