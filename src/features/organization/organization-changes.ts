import {
  type LimitText,
  type OrganizationChanges,
  type LimitSetting,
  BadSettingValue,
  InvalidAuthenticationMethod,
  InvalidChoice,
  InvalidLanguage,
  NoAuthenticationMethod,
} from './organization-settings.api';
import { isOwner, type Actor } from '../../platform/actor';
import { MustBeOwner } from '../../platform/errors/shared.errors';
import {
  MAX_DAYS,
  type OrganizationGroupSetting,
  type OrganizationSettings,
  wireNameOf,
} from '../organization-settings/organization-settings.module';
import { languageName } from '../users/users.module';
import {
  GIF_RATINGS,
  isChoice,
  requireAvailable,
  type UnavailableSetting,
  VIDEO_CHAT_PROVIDERS,
} from './setting-choices';

/** Settings that only owners may include in a request, even unchanged. */
const OWNERS_ONLY: ReadonlySet<string> = new Set<
  keyof OrganizationSettings | OrganizationGroupSetting | UnavailableSetting
>([
  'can_create_groups',
  'can_invite_users_group',
  'can_manage_all_groups',
  'can_manage_billing_group',
  'create_multiuse_invite_group',
  'disallow_disposable_email_addresses',
  'emails_restricted_to_domains',
  'invite_required',
  'waiting_period_threshold',
]);

/**
 * Validates what needs neither channels nor groups, in the order in which clients expect errors.
 * @param methods sign-in methods that the server supports
 * @returns the settings with their internal values
 * @throws InvalidLanguage, MustBeOwner, and the errors in organization-settings.api.ts
 */
export function checkedSettings(
  actor: Actor,
  changes: OrganizationChanges,
  methods: Readonly<Record<string, boolean>>,
): Partial<OrganizationSettings> {
  const { settings, groupSettings, authenticationMethods: wanted, unavailable, limits } = changes;
  const { default_language: language, video_chat_provider: provider, gif_rating_policy: rating } = settings;
  const requireOwner = (isNeeded: boolean) => {
    if (isNeeded && !isOwner(actor)) throw new MustBeOwner();
  };
  if (language !== undefined && languageName(language) === undefined) throw new InvalidLanguage(language);
  requireOwner(wanted !== undefined);
  const authenticationMethods = wanted && checkedMethods(wanted, methods);
  requireChoice('video_chat_provider', VIDEO_CHAT_PROVIDERS, provider);
  requireChoice('gif_rating_policy', GIF_RATINGS, rating);
  requireOwner(changes.retention !== undefined);
  const retention = checkedRetention(changes.retention);
  requireOwner(named(settings, groupSettings, unavailable).some((name) => OWNERS_ONLY.has(name)));
  requireAvailable(unavailable);
  return {
    ...settings,
    authentication_methods: authenticationMethods,
    message_retention_days: retention,
    ...Object.fromEntries(
      named(limits).map((name) => [name, checkedLimit(name as LimitSetting, limits[name as LimitSetting]!)]),
    ),
  };
}

/** Names of defined properties. */
function named(...records: readonly object[]): string[] {
  const entries = records.flatMap((record) => Object.entries(record) as [string, unknown][]);
  return entries.filter(([, value]) => value !== undefined).map(([name]) => name);
}

function requireChoice(
  name: string,
  choices: Parameters<typeof isChoice>[0],
  value: number | undefined,
): void {
  if (value !== undefined && !isChoice(choices, value)) throw new InvalidChoice(name, value);
}

/** @returns all sign-in methods that the server supports; those not in the request are unchanged */
function checkedMethods(
  wanted: Readonly<Record<string, boolean>>,
  current: Readonly<Record<string, boolean>>,
): Readonly<Record<string, boolean>> {
  for (const name of Object.keys(wanted)) {
    if (!Object.hasOwn(current, name)) throw new InvalidAuthenticationMethod(name, Object.keys(current));
  }
  const methods = { ...current, ...wanted };
  if (!Object.values(methods).includes(true)) throw new NoAuthenticationMethod();
  return methods;
}

/** Days as a positive number, or `unlimited`, stored as -1. */
function checkedRetention(value: LimitText | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (value === 'unlimited') return -1;
  if (typeof value === 'number' && value > 0 && value <= MAX_DAYS) return value;
  throw new BadSettingValue('message_retention_days', value);
}

/** `unlimited` means no limit, stored as null. */
function checkedLimit(setting: LimitSetting, value: LimitText): number | null {
  if (value === 'unlimited') return null;
  if (typeof value === 'number' && value > 0) return value;
  throw new BadSettingValue(wireNameOf(setting), value);
}
