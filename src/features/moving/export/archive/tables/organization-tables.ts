import { randomBytes } from 'node:crypto';
import type {
  OrganizationPicture,
  OrganizationSettings,
} from '../../../../organization-settings/organization-settings.module';
import {
  PERSONAL_SETTING_NAMES,
  personalSetting,
  type PersonalSettings,
} from '../../../../users/users.module';
import { type ExportContext, REALM } from '../export-context';
import { type NamedRows, pagedRows, type RawRow } from '../row-files';

/** Settings that are newer than the archive's schema. */
const LATER: ReadonlySet<keyof PersonalSettings> = new Set<keyof PersonalSettings>([
  'resolved_topic_notice_auto_read_policy',
  'web_inbox_show_channel_folders',
  'web_left_sidebar_show_channel_folders',
  'web_left_sidebar_unreads_count_summary',
]);

/** Values that the archive spells differently. */
const FORMER_WORDS: Readonly<Record<string, string>> = { recent: 'recent_topics' };

/**
 * Converts personal settings to columns of the archive.
 * @param chosen settings that differ from their defaults
 * @param emailVisibility visibility of the real address
 */
export function accountSettings(
  chosen: Readonly<Record<string, unknown>>,
  emailVisibility: number,
): Record<string, unknown> {
  const settings: Record<string, unknown> = { email_address_visibility: emailVisibility };
  for (const name of PERSONAL_SETTING_NAMES) {
    if (LATER.has(name)) continue;
    const value = personalSetting(chosen, name);
    settings[name] = name === 'web_home_view' ? (FORMER_WORDS[String(value)] ?? value) : value;
  }
  return settings;
}

/** The archive's numbers for who can see edit histories. */
const EDIT_HISTORY = { all: 1, moves: 2, none: 3 } as const;

/** Settings with the same name in the archive. */
const PLAIN_SETTINGS = [
  'name',
  'description',
  'emails_restricted_to_domains',
  'disallow_disposable_email_addresses',
  'enable_spectator_access',
  'inline_image_preview',
  'message_content_allowed_in_email_notifications',
  'require_unique_names',
  'name_changes_disabled',
  'email_changes_disabled',
  'avatar_changes_disabled',
  'waiting_period_threshold',
  'message_content_delete_limit_seconds',
  'allow_message_editing',
  'message_content_edit_limit_seconds',
  'default_language',
  'message_retention_days',
  'video_chat_provider',
  'jitsi_server_url',
  'default_code_block_language',
  'enable_read_receipts',
  'enable_guest_user_indicator',
  'enable_guest_user_dm_warning',
] as const satisfies readonly (keyof OrganizationSettings)[];

/** Permissions that the archive's schema lacks. */
const UNKNOWN_PERMISSIONS: ReadonlySet<string> = new Set([
  'can_set_delete_message_policy_group',
  'can_set_topics_policy_group',
  'workplace_users_group',
]);

/** Data about the organization as a whole. */
export function organizationTables(context: ExportContext): NamedRows[] {
  const { db, settings } = context;
  const rows = (sql: string, row: (raw: RawRow) => object) => mapped(pagedRows(db, sql), row);
  return [
    ['zerver_realm', realm(context)],
    ['zerver_realmauthenticationmethod', authenticationMethods(settings)],
    [
      'zerver_realmuserdefault',
      [{ id: 1, realm: REALM, ...accountSettings(settings.user_settings_defaults, 1) }],
    ],
    ['zerver_presencesequence', [{ id: 1, realm: REALM, last_update_id: 0 }]],
    [
      'zerver_realmdomain',
      settings.allowed_domains.map(({ id, domain, withSubdomains }) => ({
        id,
        realm: REALM,
        domain,
        allow_subdomains: withSubdomains,
      })),
    ],
    [
      'zerver_realmfilter',
      rows('SELECT id, position, pattern, url_template FROM linkifier', (raw) => ({
        id: raw.id,
        realm: REALM,
        pattern: raw.pattern,
        url_template: raw.url_template,
        order: raw.position,
      })),
    ],
    [
      'zerver_realmplayground',
      rows('SELECT id, name, language, url_template FROM playground', (raw) => ({
        id: raw.id,
        realm: REALM,
        name: raw.name,
        pygments_language: raw.language,
        url_template: raw.url_template,
      })),
    ],
    [
      'zerver_realmemoji',
      rows('SELECT id, name, file_key, author_id, is_animated, is_deactivated FROM custom_emoji', (raw) => ({
        id: raw.id,
        realm: REALM,
        author: raw.author_id,
        name: raw.name,
        file_name: `${raw.file_key}.${raw.is_animated ? 'gif' : 'png'}`,
        is_animated: Boolean(raw.is_animated),
        deactivated: Boolean(raw.is_deactivated),
      })),
    ],
    ['zerver_realmexport', []],
    [
      'zerver_customprofilefield',
      rows('SELECT * FROM custom_profile_field', (raw) => ({
        id: raw.id,
        realm: REALM,
        name: raw.name,
        hint: raw.hint,
        order: raw.position,
        field_type: raw.type,
        field_data: raw.field_data,
        display_in_profile_summary: Boolean(raw.is_in_profile_summary),
        required: Boolean(raw.is_required),
        editable_by_user: Boolean(raw.is_editable_by_user),
      })),
    ],
    [
      'zerver_customprofilefieldvalue',
      numbered(pagedRows(db, 'SELECT * FROM custom_profile_value', ['user_id', 'field_id']), (raw) => ({
        user_profile: raw.user_id,
        field: raw.field_id,
        value: raw.value,
        rendered_value: raw.rendered_value,
      })),
    ],
  ];
}

/** Converts rows to the archive's format. */
export async function* mapped<Raw>(
  rows: AsyncIterable<Raw>,
  row: (raw: Raw) => object,
): AsyncIterable<object> {
  for await (const raw of rows) yield row(raw);
}

/** Assigns IDs, from one on, to rows that have none in the database. @param row returns null to skip one */
export async function* numbered<Raw>(
  rows: AsyncIterable<Raw>,
  row: (raw: Raw) => object | null,
): AsyncIterable<object> {
  let id = 0;
  for await (const raw of rows) {
    const shown = row(raw);
    if (shown !== null) yield { id: ++id, ...shown };
  }
}

async function* realm({ db, settings, permissions }: ExportContext): AsyncIterable<object> {
  const [first] = await db.query<{ at: number | null }>('SELECT MIN(date_joined) AS at FROM account');
  const plain = Object.fromEntries(PLAIN_SETTINGS.map((name) => [name, settings[name]]));
  const groups = Object.entries(permissions).filter(([name]) => !UNKNOWN_PERMISSIONS.has(name));
  yield {
    id: REALM,
    string_id: '',
    uuid: settings.uuid,
    // A new secret: the importing server registers with it for the first time.
    uuid_owner_secret: `zuliprealm_${randomBytes(16).toString('hex')}`,
    date_created: first?.at ?? 0,
    deactivated: false,
    deactivated_redirect: null,
    demo_organization_scheduled_deletion_date: null,
    scheduled_deletion_date: null,
    org_type: settings.organization_type,
    plan_type: 1,
    ...plain,
    ...Object.fromEntries(groups),
    mandatory_topics: settings.topics_policy === 'disable_empty_topic',
    giphy_rating: settings.gif_rating_policy,
    message_edit_history_visibility_policy: EDIT_HISTORY[settings.message_edit_history_visibility_policy],
    move_messages_within_stream_limit_seconds: settings.move_messages_within_channel_limit_seconds,
    move_messages_between_streams_limit_seconds: settings.move_messages_between_channels_limit_seconds,
    moderation_request_channel: channelOrNone(settings.moderation_request_channel_id),
    new_stream_announcements_stream: channelOrNone(settings.new_channel_announcements_channel_id),
    signup_announcements_stream: channelOrNone(settings.signup_announcements_channel_id),
    zulip_update_announcements_stream: channelOrNone(settings.update_announcements_channel_id),
    ...picture('icon', settings.icon, 'G'),
    ...picture('logo', settings.logo, 'D'),
    ...picture('night_logo', settings.night_logo, 'D'),
    invite_required: true,
    inline_url_embed_preview: false,
    digest_emails_enabled: false,
    digest_weekday: 1,
    send_welcome_emails: false,
    want_advertise_in_communities_directory: false,
    message_visibility_limit: null,
    first_visible_message_id: 0,
    custom_upload_quota_gb: null,
    _max_invites: null,
    push_notifications_enabled: false,
    push_notifications_enabled_end_timestamp: null,
    zulip_update_announcements_level: null,
  };
}

function channelOrNone(id: number): number | null {
  return id === -1 ? null : id;
}

function picture(name: string, { key, version }: OrganizationPicture, none: 'G' | 'D'): object {
  return { [`${name}_source`]: key === null ? none : 'U', [`${name}_version`]: version };
}

function authenticationMethods({ authentication_methods: chosen }: OrganizationSettings): object[] {
  const on = ['Email', ...Object.keys(chosen).filter((name) => name !== 'Email')].filter(
    (name) => chosen[name] !== false,
  );
  return on.map((name, at) => ({ id: at + 1, realm: REALM, name }));
}
