import { type ExportContext, REALM } from '../export-context';
import type { NamedRows } from '../json-file';
import { pagedRows, type RawRow } from '../paged-rows';
import { mapped, numbered } from './organization-tables';

const SETTINGS = [
  'can_add_members_group',
  'can_join_group',
  'can_leave_group',
  'can_manage_group',
  'can_mention_group',
  'can_remove_members_group',
] as const;

/** User groups with their members, and the nameless ones that settings hold. */
export function groupTables(context: ExportContext): NamedRows[] {
  const { db } = context;
  const nobody = context.systemGroup('role:nobody');
  return [
    [
      'zerver_usergroup',
      mapped(pagedRows(db, 'SELECT id FROM user_group'), ({ id }) => ({ id, realm: REALM })),
    ],
    [
      'zerver_namedusergroup',
      mapped(pagedRows(db, 'SELECT * FROM user_group WHERE name IS NOT NULL'), (raw) => ({
        id: raw.id,
        usergroup_ptr: raw.id,
        name: raw.name,
        description: raw.description,
        date_created: raw.date_created,
        creator: raw.creator_id,
        is_system_group: Boolean(raw.is_system),
        deactivated: Boolean(raw.is_deactivated),
        realm_for_sharding: REALM,
        ...groupSettings(raw, nobody),
      })),
    ],
    [
      'zerver_usergroupmembership',
      numbered(
        pagedRows(
          db,
          `SELECT m.group_id, m.user_id FROM user_group_member m
           JOIN account a ON a.id = m.user_id WHERE a.is_system_bot = ?`,
          ['group_id', 'user_id'],
          [false],
        ),
        (raw) => ({ user_group: raw.group_id, user_profile: raw.user_id }),
      ),
    ],
    [
      'zerver_groupgroupmembership',
      numbered(
        pagedRows(db, 'SELECT group_id, subgroup_id FROM user_group_subgroup', ['group_id', 'subgroup_id']),
        (raw) => ({ supergroup: raw.group_id, subgroup: raw.subgroup_id }),
      ),
    ],
  ];
}

function groupSettings(raw: RawRow, nobody: number): object {
  return Object.fromEntries(SETTINGS.map((name) => [name, raw[name] ?? nobody]));
}
