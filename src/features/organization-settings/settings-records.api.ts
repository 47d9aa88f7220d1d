import { keysOf } from '../../platform/collections';
import { ORGANIZATION_SETTING_DEFAULTS, type OrganizationSettings } from './organization-settings';
import { defineEvent, type ServerEvent } from '../../platform/events/server-event';

/** Settings whose name on the wire differs from the internal one. */
const WIRE_NAMES = {
  organization_type: 'org_type',
  new_channel_announcements_channel_id: 'new_stream_announcements_stream_id',
  signup_announcements_channel_id: 'signup_announcements_stream_id',
  update_announcements_channel_id: 'zulip_update_announcements_stream_id',
  move_messages_within_channel_limit_seconds: 'move_messages_within_stream_limit_seconds',
  move_messages_between_channels_limit_seconds: 'move_messages_between_streams_limit_seconds',
} as const satisfies Partial<Record<keyof OrganizationSettings, string>>;

/** The legacy forms of settings that have more values by now. */
const OLDER_FORMS: Partial<Record<keyof OrganizationSettings, (value: unknown) => Partial<OlderFormsWire>>> =
  {
    topics_policy: (policy) => ({ mandatory_topics: policy === 'disable_empty_topic' }),
    message_edit_history_visibility_policy: (policy) => ({ allow_edit_history: policy !== 'none' }),
    gif_rating_policy: (policy) => ({ giphy_rating: policy as number }),
  };

interface OlderFormsWire {
  readonly mandatory_topics: boolean;
  readonly allow_edit_history: boolean;
  readonly giphy_rating: number;
}

/** The name of an organization setting on the wire. */
export function wireNameOf(setting: keyof OrganizationSettings): string {
  return (WIRE_NAMES as Partial<Record<keyof OrganizationSettings, string>>)[setting] ?? setting;
}

/** A setting under its name on the wire, and the legacy settings derived from it. */
export function settingWire(
  setting: keyof OrganizationSettings,
  value: OrganizationSettings[keyof OrganizationSettings],
): Partial<OrganizationSettingsWire> {
  return { [wireNameOf(setting)]: value, ...OLDER_FORMS[setting]?.(value) };
}

/** Settings that clients receive in another form. */
const SHOWN_ELSEWHERE = [
  'authentication_methods',
  'second_factor_required',
  'allowed_domains',
  'icon',
  'logo',
  'night_logo',
  'deactivated_at',
  'user_settings_defaults',
] as const satisfies (keyof OrganizationSettings)[];

type ShownSetting = Exclude<keyof OrganizationSettings, (typeof SHOWN_ELSEWHERE)[number]>;

type WireName<Setting> = Setting extends keyof typeof WIRE_NAMES ? (typeof WIRE_NAMES)[Setting] : Setting;

/** All settings under their names on the wire, with their legacy forms. */
export type OrganizationSettingsWire = {
  readonly [Setting in ShownSetting as WireName<Setting>]: OrganizationSettings[Setting];
} & OlderFormsWire;

/** All settings in the form of {@link settingWire}. */
export function organizationSettingsWire(settings: Readonly<OrganizationSettings>): OrganizationSettingsWire {
  const names = keysOf(ORGANIZATION_SETTING_DEFAULTS);
  const elsewhere: readonly string[] = SHOWN_ELSEWHERE;
  const shown = names.filter((setting) => !elsewhere.includes(setting));
  const parts = shown.map((setting) => settingWire(setting, settings[setting]));
  return Object.assign({}, ...parts) as OrganizationSettingsWire;
}

/** Sign-in methods by name. */
export type AuthenticationMethodsWire = Readonly<
  Record<string, { readonly enabled: boolean; readonly available: true }>
>;

/** Sign-in methods as sent to clients; excludes those that the server does not support. */
export function authenticationMethodsWire(
  methods: Readonly<Record<string, boolean>>,
): AuthenticationMethodsWire {
  const shown = Object.entries(methods).map(([name, enabled]) => [name, { enabled, available: true }]);
  return Object.fromEntries(shown) as AuthenticationMethodsWire;
}

/** Settings that are always sent together with related ones. */
const TOLD_TOGETHER: readonly (keyof OrganizationSettingsWire)[] = [
  'allow_message_editing',
  'message_content_edit_limit_seconds',
  'topics_policy',
];

/** One organization setting changed. */
const settingChanged = defineEvent<{
  property: keyof OrganizationSettingsWire;
  value: OrganizationSettingsWire[keyof OrganizationSettingsWire];
}>('realm', 'update');

/** Several organization settings changed together, or one that is sent with related ones. */
export const organizationSettingsChanged = defineEvent<{
  property: 'default';
  data: Partial<OrganizationSettingsWire> & {
    /** HTML of the description. */
    readonly rendered_description?: string;
    readonly authentication_methods?: AuthenticationMethodsWire;
  };
}>('realm', 'update_dict');

/**
 * A setting changed, in the form that clients expect.
 * @param shown the setting under its name on the wire, and changed legacy forms
 */
export function organizationSettingChanged(shown: Partial<OrganizationSettingsWire>): ServerEvent[] {
  const properties = keysOf(shown);
  if (properties.some((property) => TOLD_TOGETHER.includes(property))) {
    return [organizationSettingsChanged({ property: 'default', data: shown })];
  }
  return properties.map((property) => settingChanged({ property, value: shown[property]! }));
}
