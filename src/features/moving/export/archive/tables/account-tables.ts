import { accountSettings, mapped, numbered } from './organization-tables';
import { EmailVisibility } from '../../../../users/users.module';
import { type ExportContext, REALM, recipientId, RecipientType } from '../export-context';
import { type NamedRows, pagedRows, type RawRow } from '../row-files';

const ACCOUNTS = 'SELECT * FROM account WHERE is_system_bot = ?';

/** Importers identify system bots by address; this bot has another address in Zulip. */
const OTHER_SYSTEM_BOTS: Readonly<Record<string, string>> = {
  'messaging-bridge@zulip.com': 'notification-bot@zulip.com',
};

/** People and bots, and the data about all of them. */
export function accountTables(context: ExportContext): NamedRows[] {
  const { db } = context;
  return [
    ['zerver_userprofile', accounts(context, false)],
    ['zerver_userprofile_mirrordummy', accounts(context, true)],
    [
      'zerver_userprofile_crossrealm',
      mapped(pagedRows(db, ACCOUNTS, ['id'], [true]), ({ id, delivery_email: email }) => ({
        id,
        email: OTHER_SYSTEM_BOTS[String(email)] ?? email,
        recipient_id: recipientId(RecipientType.person, Number(id)),
      })),
    ],
    [
      'zerver_userpresence',
      mapped(
        pagedRows(db, 'SELECT user_id AS id, active_at, connected_at FROM presence'),
        ({ id, active_at: active, connected_at: connected }) => ({
          id,
          user_profile: id,
          realm: REALM,
          last_connected_time: connected,
          last_active_time: active,
          last_update_id: 0,
        }),
      ),
    ],
    ['zerver_useractivity', []],
    ['zerver_useractivityinterval', []],
  ];
}

/**
 * @param dummies whether to return only placeholders: people who do not consent, in an archive with consent; people
 * with hidden addresses; and invitees who never joined
 */
async function* accounts(context: ExportContext, dummies: boolean): AsyncIterable<object> {
  for await (const raw of pagedRows(context.db, ACCOUNTS, ['id'], [false])) {
    if (isDummy(context, raw) === dummies) yield accountRow(context, raw, dummies);
  }
}

function isDummy({ scope }: ExportContext, raw: RawRow): boolean {
  if (raw.is_deleted) return true;
  if (!raw.is_active) return Boolean(raw.is_imported_stub);
  if (scope.hasPersonal(Number(raw.id))) return false;
  return scope.content === 'with consent' || raw.email_visibility === EmailVisibility.nobody;
}

/** Converts an account to a row of the archive. */
export function accountRow(context: ExportContext, raw: RawRow, isMirrorDummy: boolean): object {
  const { scope, settings } = context;
  const id = Number(raw.id);
  // A public export does not include personal settings.
  const chosen =
    scope.content === 'public'
      ? settings.user_settings_defaults
      : (JSON.parse(String(raw.settings)) as Record<string, unknown>);
  return {
    id,
    realm: REALM,
    recipient: recipientId(RecipientType.person, id),
    ...accountAddresses(context, raw),
    full_name: raw.full_name,
    date_joined: raw.date_joined,
    tos_version: null,
    is_staff: false,
    is_superuser: false,
    is_active: Boolean(raw.is_active) && !isMirrorDummy,
    is_bot: Boolean(raw.is_bot),
    bot_type: raw.bot_type,
    bot_owner: raw.bot_owner_id,
    role: raw.role,
    long_term_idle: false,
    last_active_message_id: null,
    is_mirror_dummy: isMirrorDummy,
    can_forge_sender: false,
    can_create_users: Boolean(raw.can_create_users),
    can_change_user_emails: false,
    last_login: null,
    last_reminder: null,
    rate_limits: '',
    default_sending_stream: raw.default_sending_channel_id,
    default_events_register_stream: raw.default_events_channel_id,
    default_all_public_streams: Boolean(raw.default_all_public_channels),
    timezone: raw.timezone,
    avatar_source: raw.avatar_source === 'U' ? 'U' : 'G',
    avatar_version: raw.avatar_version,
    avatar_hash: null,
    zoom_token: null,
    groups: [],
    user_permissions: [],
    ...accountSettings(chosen, Number(raw.email_visibility)),
  };
}

/** The archived addresses of an account. Deleted users get the addresses by which Zulip recognizes them. */
export function accountAddresses(
  { scope, emailDomain }: ExportContext,
  raw: RawRow,
): { delivery_email: string; email: string } {
  const id = Number(raw.id);
  if (raw.is_deleted) {
    const address = `deleteduser${id}@${emailDomain}`;
    return { delivery_email: address, email: address };
  }
  const isHidden = raw.email_visibility === EmailVisibility.nobody && !scope.hasPersonal(id);
  const real = isHidden ? `${scope.hiddenName(id)}@${emailDomain}` : String(raw.delivery_email);
  const isShown = raw.email_visibility === EmailVisibility.everyone;
  return { delivery_email: real, email: isShown ? real : `user${id}@${emailDomain}` };
}

const SETTINGS = [
  'can_add_members_group',
  'can_join_group',
  'can_leave_group',
  'can_manage_group',
  'can_mention_group',
  'can_remove_members_group',
] as const;

/** User groups with their members, and the anonymous groups that settings use. */
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
