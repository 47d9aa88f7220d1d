import type { StateKeys } from '../../platform/client-state/initial-state.hooks';
import { PASSWORD_RULES } from '../../platform/secrets/passwords';

/** What decides the parts of the state that are about the server rather than about a person. */
export interface StateFacts {
  readonly address: string;
  readonly iconUrl: string;
  /** HTML. */
  readonly description: string;
  /** Domain of the addresses that bots get. */
  readonly botDomain: string;
  readonly isDevelopment: boolean;
  readonly maxUploadMib: number;
  /** 0 where there is no limit. */
  readonly uploadQuotaMib: number;
  /** As above. */
  readonly personalUploadQuotaMib: number;
  /** Domains that new addresses must belong to; empty for any. */
  readonly allowedDomains: readonly string[];
  /** UNIX seconds. */
  readonly organizationCreatedAt: number;
}

/** Largest pictures of people and organizations, in MiB. */
const MAX_PICTURE_MIB = 5;

/** The organization as far as nobody can change it yet. */
export function fixedOrganizationWire(facts: StateFacts) {
  return {
    realm_url: facts.address,
    realm_uri: facts.address,
    realm_bot_domain: facts.botDomain,
    realm_date_created: facts.organizationCreatedAt,
    realm_rendered_description: facts.description,
    realm_icon_url: facts.iconUrl,
    realm_icon_source: 'G',
    realm_logo_url: facts.iconUrl,
    realm_logo_source: 'D',
    realm_night_logo_url: facts.iconUrl,
    realm_night_logo_source: 'D',
    realm_org_type: 0,
    realm_plan_type: 1,
    realm_authentication_methods: authenticationMethods(facts),
    realm_email_auth_enabled: true,
    realm_password_auth_enabled: true,
    // Administrators make accounts, and nobody signs up.
    realm_invite_required: true,
    realm_emails_restricted_to_domains: facts.allowedDomains.length > 0,
    realm_disallow_disposable_email_addresses: false,
    realm_send_welcome_emails: false,
    realm_message_content_allowed_in_email_notifications: true,
    realm_digest_emails_enabled: false,
    realm_digest_weekday: 1,
    realm_inline_url_embed_preview: false,
    realm_want_advertise_in_communities_directory: false,
    realm_video_chat_provider: NO_VIDEO_CHAT.id,
    // Clients require the entry of Jitsi Meet even where it is not in use.
    realm_available_video_chat_providers: { disabled: NO_VIDEO_CHAT, jitsi_meet: JITSI_MEET },
    realm_jitsi_server_url: null,
    realm_gif_rating_policy: NO_GIFS.id,
    // What clients from before feature level 453 know instead.
    realm_giphy_rating: NO_GIFS.id,
    realm_push_notifications_enabled: false,
    realm_push_notifications_enabled_end_timestamp: null,
    realm_upload_quota_mib: facts.uploadQuotaMib || null,
    user_upload_quota_mib: facts.personalUploadQuotaMib || null,
    realm_enable_guest_user_dm_warning: true,
    realm_enable_guest_user_indicator: true,
    // Messages cannot be reported.
    realm_moderation_request_channel_id: -1,
    realm_default_avatar_source: 'G',
    realm_welcome_message_custom_text: '',
    realm_owner_full_content_access: false,
  };
}

const NO_VIDEO_CHAT = { id: 0, name: 'None' } as const;
const JITSI_MEET = { id: 1, name: 'Jitsi Meet' } as const;
const NO_GIFS = { id: 0, name: 'GIF integration disabled' } as const;

/** What messages could be reported for; clients require the list even where reports are not taken. */
const REPORT_TYPES = [
  { key: 'spam', name: 'Spam' },
  { key: 'harassment', name: 'Harassment' },
  { key: 'inappropriate', name: 'Inappropriate content' },
  { key: 'norms', name: 'Violates community norms' },
  { key: 'other', name: 'Other reason' },
] as const;

function authenticationMethods({ isDevelopment }: StateFacts) {
  const inUse = { enabled: true, available: true };
  return isDevelopment ? { Email: inUse, Dev: inUse } : { Email: inUse };
}

/** The server: its limits, and how clients are to time what they send. */
export function serverWire(facts: StateFacts) {
  return {
    development_environment: facts.isDevelopment,
    server_needs_upgrade: false,
    event_queue_longpoll_timeout_seconds: 90,
    max_file_upload_size_mib: facts.maxUploadMib,
    max_avatar_file_size_mib: MAX_PICTURE_MIB,
    max_icon_file_size_mib: MAX_PICTURE_MIB,
    max_logo_file_size_mib: MAX_PICTURE_MIB,
    password_min_length: PASSWORD_RULES.minLength,
    password_max_length: PASSWORD_RULES.maxLength,
    password_min_guesses: PASSWORD_RULES.minGuesses,
    server_presence_ping_interval_seconds: 60,
    server_presence_offline_threshold_seconds: 200,
    server_typing_started_expiry_period_milliseconds: 45_000,
    server_typing_stopped_wait_period_milliseconds: 12_000,
    server_typing_started_wait_period_milliseconds: 30_000,
    server_avatar_changes_disabled: false,
    server_name_changes_disabled: false,
    server_inline_image_preview: true,
    server_inline_url_embed_preview: false,
    server_thumbnail_formats: [],
    server_can_summarize_topics: false,
    server_jitsi_server_url: null,
    jitsi_server_url: '',
    server_min_deactivated_realm_deletion_days: null,
    server_max_deactivated_realm_deletion_days: null,
    settings_send_digest_emails: false,
    gif_rating_policy_options: { disabled: NO_GIFS },
    giphy_rating_options: { disabled: NO_GIFS },
    server_report_message_types: REPORT_TYPES,
    zulip_plan_is_not_limited: true,
    upgrade_text_for_wide_organization_logo: '',
  };
}

/**
 * What clients expect and this server has nothing of, by the fetch type that asks for it. There are no events
 * about any of it, and none are due.
 */
export const STATE_OF_ABSENT_FEATURES = {
  giphy: { giphy_api_key: '' },
  klipy: { klipy_api_key: '' },
  tenor: { tenor_api_key: '' },
  video_calls: { has_zoom_token: false, has_webex_token: false },
  realm_billing: { realm_billing: { has_pending_sponsorship_request: false } },
  // Administrators make accounts, and nobody is invited.
  realm_user: { can_invite_others_to_realm: false },
  // Every word counts in a search.
  stop_words: { stop_words: [] },
} satisfies Record<string, StateKeys>;

/** Keys with the prefix that settings of the organization have in the state. */
type RealmKeys<Settings> = {
  readonly [Name in keyof Settings & string as `realm_${Name}`]: Settings[Name];
};

/** Domains that new addresses must belong to. */
export function domainsState(allowedDomains: readonly string[]) {
  return { realm_domains: allowedDomains.map((domain) => ({ domain, allow_subdomains: false })) };
}

/** What takes an account is shown as switched off to those who have none, as clients know it. */
export const SETTINGS_FOR_ANYBODY = { realm_allow_message_editing: false, realm_presence_disabled: true };

/** Settings under the names that they have in the state. */
export function settingsState<Settings extends object>(settings: Settings): RealmKeys<Settings> {
  const named = Object.entries(settings).map(([name, value]: [string, unknown]) => [`realm_${name}`, value]);
  return Object.fromEntries(named) as RealmKeys<Settings>;
}
