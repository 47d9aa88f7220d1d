import { roleName, type Role } from '../../../../platform/actor';
import { addTo } from '../../../../platform/collections';
import type { Queryable } from '../../../../platform/sql/queryable';
import {
  ORGANIZATION_CHANNEL_SETTINGS,
  ORGANIZATION_GROUP_SETTINGS,
  SYSTEM_GROUP_NAMES,
} from '../../../organization-settings/organization-settings.module';
import { MOST_FINDINGS, type Invariant } from './invariant';

interface Edge {
  readonly group_id: number;
  readonly subgroup_id: number;
}

/** System groups of which an account with a role may be a direct member; it must be in the first one. */
const GROUPS_OF_ROLE = {
  owner: ['role:owners'],
  administrator: ['role:administrators'],
  moderator: ['role:moderators'],
  member: ['role:members', 'role:fullmembers'],
  guest: ['role:everyone'],
} as const;

/** Invariants of groups, and of settings that name one. */
export const groupInvariants: readonly Invariant[] = [
  {
    name: 'system-groups',
    about: 'There are the eight system groups, each holding the one before it.',
    find: findBrokenChain,
  },
  {
    name: 'system-group-members',
    about: 'Every account is in the system group of its role, and in no other one.',
    find: findMisplaced,
  },
  {
    name: 'group-cycles',
    about: 'No group holds itself, by whatever detour.',
    find: findCycles,
  },
  {
    name: 'group-settings',
    about: 'Every permission names a group that is there.',
    find: findDanglingSettings,
  },
  {
    name: 'organization-settings',
    about: 'The settings of the organization are JSON, and the channels they name are there.',
    find: findWrongSettings,
  },
];

async function findBrokenChain(db: Queryable): Promise<string[]> {
  const groups = await db.query<{ id: number; name: string; is_system: unknown }>(
    `SELECT id, name, is_system FROM user_group WHERE is_system OR name IN (?)`,
    [SYSTEM_GROUP_NAMES],
  );
  // Before the first start there is nothing to check.
  const [anybody] = await db.query('SELECT 1 AS found FROM account LIMIT 1');
  if (groups.length === 0 && !anybody) return [];
  const idOf = new Map(groups.filter(({ is_system }) => is_system).map(({ id, name }) => [name, id]));
  const missing = SYSTEM_GROUP_NAMES.filter((name) => !idOf.has(name));
  if (missing.length > 0) return missing.map((name) => `${name} is missing.`);
  const nested = await db.query<Edge>(
    'SELECT group_id, subgroup_id FROM user_group_subgroup WHERE group_id IN (?)',
    [[...idOf.values()]],
  );
  const has = new Set(nested.map((edge) => `${edge.group_id} ${edge.subgroup_id}`));
  // role:nobody has no members and no parents.
  const chain = SYSTEM_GROUP_NAMES.slice(1);
  const wanted = chain.slice(1).map((name, at) => [name, chain[at] as string] as const);
  const found = wanted
    .filter(([name, held]) => !has.has(`${idOf.get(name)} ${idOf.get(held)}`))
    .map(([name, held]) => `${name} does not hold ${held}.`);
  if (nested.length > wanted.length) found.push('A system group holds another group than the one before it.');
  return found;
}

async function findMisplaced(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ id: number; role: Role; name: string | null }>(
    `SELECT a.id, a.role, g.name FROM account a
     LEFT JOIN (user_group_member m JOIN user_group g ON g.id = m.group_id AND g.is_system AND g.name IS NOT NULL)
       ON m.user_id = a.id
     WHERE NOT a.is_system_bot AND NOT a.is_deleted ORDER BY a.id`,
  );
  const accounts = new Map<number, { role: Role; names: string[] }>();
  for (const { id, role, name } of rows) {
    const entry = accounts.get(id) ?? { role, names: [] };
    if (name !== null) entry.names.push(name);
    accounts.set(id, entry);
  }
  const found: string[] = [];
  for (const [id, { role, names }] of accounts) {
    const known = roleName(role);
    const allowed: readonly string[] = known ? GROUPS_OF_ROLE[known] : [];
    const isRight = names.every((name) => allowed.includes(name)) && names.includes(allowed[0] ?? '');
    if (!isRight) found.push(`Account ${id}, ${known ?? role}, is in ${names.join(', ') || 'none of them'}.`);
    if (found.length > MOST_FINDINGS) break;
  }
  return found;
}

async function findCycles(db: Queryable): Promise<string[]> {
  const below = new Map<number, number[]>();
  for (const { group_id, subgroup_id } of await db.query<Edge>(
    'SELECT group_id, subgroup_id FROM user_group_subgroup',
  )) {
    addTo(below, group_id, subgroup_id);
  }
  const isDone = new Set<number>();
  const found: string[] = [];
  for (const start of below.keys()) {
    // The groups on the current path, and where to continue in each.
    const way = [{ id: start, next: 0 }];
    while (way.length > 0) {
      const last = way.at(-1) as { id: number; next: number };
      const held = isDone.has(last.id) ? undefined : below.get(last.id)?.[last.next++];
      if (held === undefined) {
        isDone.add(last.id);
        way.pop();
      } else if (way.some(({ id }) => id === held)) {
        found.push(`Group ${held} holds itself, by way of group ${last.id}.`);
      } else {
        way.push({ id: held, next: 0 });
      }
    }
  }
  return found;
}

async function findDanglingSettings(db: Queryable): Promise<string[]> {
  const known = new Set((await db.query<{ id: number }>('SELECT id FROM user_group')).map(({ id }) => id));
  const found: string[] = [];
  for (const table of ['channel', 'user_group'] as const) {
    for (const row of await db.query<Record<string, unknown>>(`SELECT * FROM ${table}`)) {
      const settings = Object.entries(row).filter(
        ([name, value]) => /^can_.*_group$/.test(name) && value !== null,
      );
      for (const [name, value] of settings) {
        if (!known.has(value as number))
          found.push(`${table} ${String(row.id)}: ${name} names group ${String(value)}.`);
      }
    }
  }
  for (const [name, value] of await organizationSettings(db)) {
    if (name in ORGANIZATION_GROUP_SETTINGS && !known.has(Number(value))) {
      found.push(`The organization: ${name} names group ${value}.`);
    }
  }
  return found;
}

async function findWrongSettings(db: Queryable): Promise<string[]> {
  const channels = new Set((await db.query<{ id: number }>('SELECT id FROM channel')).map(({ id }) => id));
  const found: string[] = [];
  for (const [name, value] of await organizationSettings(db)) {
    const parsed = parsedOr(value);
    if (parsed === undefined) found.push(`${name} is ${value}.`);
    else if (ORGANIZATION_CHANNEL_SETTINGS.some((each) => each === name) && parsed !== -1) {
      if (!channels.has(parsed as number)) found.push(`${name} names channel ${value}.`);
    }
  }
  return found;
}

async function organizationSettings(db: Queryable): Promise<[name: string, value: string][]> {
  const rows = await db.query<{ name: string; value: string }>(
    'SELECT name, value FROM organization_setting',
  );
  return rows.map(({ name, value }) => [name, value]);
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
