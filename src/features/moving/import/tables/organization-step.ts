import { insertRows, type NewRow } from '../../../../platform/sql/entity-rows';
import {
  ORGANIZATION_GROUP_SETTING_NAMES,
  ORGANIZATION_GROUP_SETTINGS,
  ORGANIZATION_SETTING_DEFAULTS,
  type OrganizationSettings,
} from '../../../organization-settings/organization-settings.module';
import { type ArchiveRow, cutText } from '../records/archive-row';
import {
  chosenSettings,
  type ImportContext,
  type ImportStep,
  type PreparedStep,
  usableRows,
} from './import-context';

/** Settings with the same name in the archive, and the maximum length of texts. */
const PLAIN: Partial<Record<keyof OrganizationSettings, number>> = {
  name: 40,
  description: 1000,
  emails_restricted_to_domains: 0,
  disallow_disposable_email_addresses: 0,
  enable_spectator_access: 0,
  inline_image_preview: 0,
  message_content_allowed_in_email_notifications: 0,
  require_unique_names: 0,
  name_changes_disabled: 0,
  email_changes_disabled: 0,
  avatar_changes_disabled: 0,
  waiting_period_threshold: 0,
  allow_message_editing: 0,
  default_language: 50,
  message_retention_days: 0,
  video_chat_provider: 0,
  default_code_block_language: 100,
  enable_read_receipts: 0,
  enable_guest_user_indicator: 0,
  enable_guest_user_dm_warning: 0,
};

/** Limits in seconds by their names here; no value means no limit. */
const LIMITS = {
  message_content_edit_limit_seconds: 'message_content_edit_limit_seconds',
  message_content_delete_limit_seconds: 'message_content_delete_limit_seconds',
  move_messages_within_channel_limit_seconds: 'move_messages_within_stream_limit_seconds',
  move_messages_between_channels_limit_seconds: 'move_messages_between_streams_limit_seconds',
} as const;

const CHANNELS = {
  new_channel_announcements_channel_id: 'new_stream_announcements_stream',
  signup_announcements_channel_id: 'signup_announcements_stream',
  update_announcements_channel_id: 'zulip_update_announcements_stream',
  moderation_request_channel_id: 'moderation_request_channel',
} as const;

const EDIT_HISTORY = ['all', 'moves', 'none'] as const;

const MAX_DAYS = 2 ** 31 - 1;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Data about the organization as a whole. */
export class OrganizationStep implements ImportStep {
  readonly name = 'organization';

  async prepare(context: ImportContext): Promise<PreparedStep> {
    const chosen: Partial<Record<string, unknown>> = {};
    await usableRows(context, ['zerver_realm'], (row) => {
      Object.assign(chosen, plainSettings(row), permissions(context, row), channels(context, row));
      return null;
    });
    const domains = await allowedDomains(context);
    if (domains.length > 0) chosen.allowed_domains = domains;
    await usableRows(context, ['zerver_realmuserdefault'], (row) => {
      const defaults = chosenSettings(row, context.ledger);
      if (Object.keys(defaults).length > 0) chosen.user_settings_defaults = defaults;
      return null;
    });
    return async (tx) => {
      const rows: NewRow[] = Object.entries(chosen).map(([name, value]) => ({
        name,
        value: JSON.stringify(value),
      }));
      await insertRows(
        tx,
        'organization_setting',
        rows,
        'ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      );
    };
  }
}

/** Settings that differ from their defaults. */
function plainSettings(row: ArchiveRow): Record<string, unknown> {
  const chosen: Record<string, unknown> = {};
  const choose = <Name extends keyof OrganizationSettings>(name: Name, value: OrganizationSettings[Name]) => {
    if (value !== ORGANIZATION_SETTING_DEFAULTS[name]) chosen[name] = value;
  };
  for (const [name, most] of Object.entries(PLAIN) as [keyof OrganizationSettings, number][]) {
    const given = row.value(name);
    if (typeof given !== typeof ORGANIZATION_SETTING_DEFAULTS[name]) continue;
    if (typeof given === 'string') choose(name, cutText(row.text(name), most));
    else if (typeof given === 'boolean') choose(name, given);
    else
      choose(
        name,
        row.number(name, {
          min: -1,
          max: MAX_DAYS,
          otherwise: ORGANIZATION_SETTING_DEFAULTS[name] as number,
        }),
      );
  }
  for (const [name, field] of Object.entries(LIMITS) as [keyof typeof LIMITS, string][]) {
    if (row.value(field) === undefined) continue;
    choose(name, row.has(field) ? row.number(field, { min: 1, max: MAX_DAYS, otherwise: 600 }) : null);
  }
  choose('organization_type', row.number('org_type', { min: 0, max: 1000, otherwise: 0 }));
  choose('gif_rating_policy', row.number('giphy_rating', { min: 0, max: 4, otherwise: 2 }));
  const history = row.number('message_edit_history_visibility_policy', { min: 1, max: 3, otherwise: 1 });
  choose('message_edit_history_visibility_policy', EDIT_HISTORY[history - 1] ?? 'all');
  const jitsi = row.optionalText('jitsi_server_url');
  if (jitsi !== null && /^https?:\/\//.test(jitsi) && jitsi.length <= 200) choose('jitsi_server_url', jitsi);
  const policy = row.value('topics_policy');
  if (row.flag('mandatory_topics') || policy === 3) choose('topics_policy', 'disable_empty_topic');
  const uuid = row.optionalText('uuid');
  if (uuid !== null && UUID.test(uuid)) choose('uuid', uuid);
  return chosen;
}

function permissions({ survey, local, ledger }: ImportContext, row: ArchiveRow): Record<string, unknown> {
  const chosen: Record<string, unknown> = {};
  const { systemGroups } = local;
  for (const name of ORGANIZATION_GROUP_SETTING_NAMES) {
    if (!row.has(name)) continue;
    const group = survey.groups.find(row.id(name));
    const { default: initial, ...definition } = ORGANIZATION_GROUP_SETTINGS[name];
    const allowed: readonly string[] | undefined =
      'onlySystemGroups' in definition ? definition.onlySystemGroups : undefined;
    const isAllowed =
      group !== null &&
      (allowed === undefined || allowed.some((each) => systemGroups.get(each) === group)) &&
      (definition.allowsNobody || group !== systemGroups.get('role:nobody')) &&
      (definition.allowsEveryone ||
        (group !== systemGroups.get('role:everyone') && group !== systemGroups.get('role:internet')));
    if (!isAllowed)
      ledger.note('replaced', row.table, row.name, `"${name}" names a group that cannot have it.`);
    else if (group !== systemGroups.get(initial)) chosen[name] = group;
  }
  return chosen;
}

function channels({ survey }: ImportContext, row: ArchiveRow): Record<string, unknown> {
  const named = Object.entries(CHANNELS).flatMap(([name, field]) => {
    const channel = survey.channels.find(row.optionalId(field));
    return channel === null ? [] : [[name, channel]];
  });
  return Object.fromEntries(named) as Record<string, unknown>;
}

async function allowedDomains(context: ImportContext): Promise<object[]> {
  const domains = await usableRows(context, ['zerver_realmdomain'], (row) => ({
    domain: cutText(row.text('domain').toLowerCase(), 80),
    withSubdomains: row.flag('allow_subdomains'),
  }));
  return domains.map((domain, at) => ({ id: at + 1, ...domain }));
}
