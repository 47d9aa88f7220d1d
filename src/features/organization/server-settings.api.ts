import type { StateKeys } from '../../platform/client-state/initial-state.hooks';
import { type IdentityProvider, providerSignInPath } from '../../platform/config/identity-providers';
import { PASSWORD_RULES } from '../../platform/secrets/passwords';
import {
  authenticationMethodsWire,
  type OrganizationDirectory,
} from '../organization-settings/organization-settings.module';
import { GIF_RATINGS, VIDEO_CHAT_PROVIDERS } from './setting-choices';
import { ANIMATED_THUMBNAIL, STILL_THUMBNAIL, type ThumbnailFormat } from '../messages/messages.module';
import { ADVERTISED_VERSION, FEATURE_LEVEL } from '../../platform/version';

/** The data for the parts of the initial state that describe the server rather than a person. */
export interface StateFacts {
  readonly address: string;
  /** HTML. */
  readonly description: string;
  /** Domain of the addresses of bots. */
  readonly botDomain: string;
  readonly isDevelopment: boolean;
  readonly maxUploadMib: number;
  /** 0 if there is no limit. */
  readonly uploadQuotaMib: number;
  /** 0 if there is no limit. */
  readonly personalUploadQuotaMib: number;
  readonly signInMethods: OrganizationDirectory['signInMethods'];
  readonly jitsiServerUrl: string;
  /** Null if the organization has none. */
  readonly ownJitsiServerUrl: string | null;
  /** UNIX seconds. */
  readonly organizationCreatedAt: number;
}

/** Maximum size of avatars, icons and logos, in MiB. */
const MAX_PICTURE_MIB = 5;

/** Organization settings that cannot be changed yet. */
export function fixedOrganizationWire(facts: StateFacts) {
  return {
    realm_url: facts.address,
    realm_uri: facts.address,
    realm_bot_domain: facts.botDomain,
    realm_date_created: facts.organizationCreatedAt,
    realm_rendered_description: facts.description,
    realm_plan_type: 1,
    realm_authentication_methods: authenticationMethodsWire(facts.signInMethods),
    realm_email_auth_enabled: facts.signInMethods.Email === true,
    realm_password_auth_enabled: facts.signInMethods.Email === true || facts.signInMethods.LDAP === true,
    // Joining requires an invitation.
    realm_available_video_chat_providers: VIDEO_CHAT_PROVIDERS,
    realm_push_notifications_enabled: false,
    realm_push_notifications_enabled_end_timestamp: null,
    realm_upload_quota_mib: facts.uploadQuotaMib || null,
    user_upload_quota_mib: facts.personalUploadQuotaMib || null,
    realm_owner_full_content_access: false,
  };
}

/** The server: its limits, and timing parameters for clients. */
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
    server_thumbnail_formats: [ANIMATED_THUMBNAIL, STILL_THUMBNAIL].map(thumbnailFormatWire),
    server_can_summarize_topics: false,
    server_jitsi_server_url: facts.jitsiServerUrl,
    // For clients that only support one server: the organization's own, if it has one.
    jitsi_server_url: facts.ownJitsiServerUrl ?? facts.jitsiServerUrl,
    server_min_deactivated_realm_deletion_days: null,
    server_max_deactivated_realm_deletion_days: null,
    settings_send_digest_emails: false,
    gif_rating_policy_options: GIF_RATINGS,
    giphy_rating_options: GIF_RATINGS,
    zulip_plan_is_not_limited: true,
    upgrade_text_for_wide_organization_logo: '',
  };
}

function thumbnailFormatWire({ name, maxWidth, maxHeight, format, isAnimated }: ThumbnailFormat) {
  return { name, max_width: maxWidth, max_height: maxHeight, format, animated: isAnimated };
}

/**
 * State of features that clients expect and this server lacks, by the fetch type that requests it. There are no events
 * for any of them.
 */
export const STATE_OF_ABSENT_FEATURES = {
  tenor: { tenor_api_key: '' },
  video_calls: { has_zoom_token: false, has_webex_token: false },
  realm_billing: { realm_billing: { has_pending_sponsorship_request: false } },
  // Searches ignore no words.
  stop_words: { stop_words: [] },
} satisfies Record<string, StateKeys>;

/** Keys with the prefix that organization settings have in the initial state. */
type RealmKeys<Settings> = {
  readonly [Name in keyof Settings & string as `realm_${Name}`]: Settings[Name];
};

/** Settings for anonymous callers: features that need an account are off, as in Zulip. */
export const SETTINGS_FOR_ANYBODY = {
  realm_allow_message_editing: false,
  realm_presence_disabled: true,
  realm_moderation_request_channel_id: -1,
  realm_welcome_message_custom_text: '',
};

/** Settings under their names in the initial state. */
export function settingsState<Settings extends object>(settings: Settings): RealmKeys<Settings> {
  const named = Object.entries(settings).map(([name, value]: [string, unknown]) => [`realm_${name}`, value]);
  return Object.fromEntries(named) as RealmKeys<Settings>;
}

/** The properties of a provider that its button needs. */
type ProviderLink = Pick<IdentityProvider, 'protocol' | 'name' | 'label'>;

/** The data for the response of `GET /server_settings`. */
export interface ServerFacts {
  readonly address: string;
  readonly name: string;
  /** URL of the icon, or path on this server. */
  readonly iconUrl: string;
  /** HTML. */
  readonly description: string;
  readonly signInMethods: OrganizationDirectory['signInMethods'];
  /** In the order of the buttons. */
  readonly identityProviders: readonly ProviderLink[];
  /** Whether anything can be read without an account. */
  readonly hasPublicContent: boolean;
}

/** The server's public description. */
export function serverSettings(facts: ServerFacts) {
  const {
    Email: byPassword = false,
    LDAP: byDirectory = false,
    Dev: inDevelopment = false,
  } = facts.signInMethods;
  const { SAML: bySaml = false, 'OpenID Connect': byOpenId = false } = facts.signInMethods;
  const isOn = { saml: bySaml, oidc: byOpenId };
  return {
    authentication_methods: {
      password: byPassword || byDirectory,
      email: byPassword,
      dev: inDevelopment,
      ldap: byDirectory,
      remoteuser: false,
      github: false,
      azuread: false,
      gitlab: false,
      google: false,
      apple: false,
      saml: bySaml,
      'openid connect': byOpenId,
      discord: false,
    },
    external_authentication_methods: facts.identityProviders
      .filter(({ protocol }) => isOn[protocol])
      .map((each) => providerWire(each, facts.address)),
    zulip_version: ADVERTISED_VERSION,
    zulip_merge_base: ADVERTISED_VERSION,
    zulip_feature_level: FEATURE_LEVEL,
    push_notifications_enabled: false,
    is_incompatible: false,
    email_auth_enabled: byPassword,
    require_email_format_usernames: !byDirectory,
    realm_url: facts.address,
    realm_uri: facts.address,
    realm_name: facts.name,
    realm_icon: facts.iconUrl,
    realm_description: facts.description,
    realm_web_public_access_enabled: facts.hasPublicContent,
  };
}

/** A button on the sign-in pages of clients, which replace the query of the URL with their own. */
function providerWire(provider: ProviderLink, address: string) {
  const { protocol, name, label } = provider;
  const url = `${address}${providerSignInPath(provider)}`;
  return {
    name: `${protocol}:${name}`,
    display_name: label,
    display_icon: null,
    login_url: url,
    signup_url: url,
  };
}

/** The response of `GET /server_settings`. */
export type ServerSettingsWire = ReturnType<typeof serverSettings>;
