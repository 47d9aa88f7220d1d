import { ApiError } from '../../platform/errors/api-error';

/** A setting of what the server does not do has one value only. */
class SettingUnavailable extends ApiError {
  constructor(name: string, reason: string) {
    super(`'${name}' cannot be changed. ${reason}`);
  }
}

const NO_MAIL = 'This server does not send such email.';

/**
 * Settings of what the server does not do: the only value that they have, and why it is the only one. Saying it again is
 * no mistake; to store another would promise what nothing here does.
 */
const UNAVAILABLE = {
  invite_required: { value: true, reason: 'An invitation is always required to join.' },
  digest_emails_enabled: { value: false, reason: NO_MAIL },
  digest_weekday: { value: 1, reason: NO_MAIL },
  send_welcome_emails: { value: false, reason: NO_MAIL },
  inline_url_embed_preview: { value: false, reason: 'This server does not generate website previews.' },
  want_advertise_in_communities_directory: {
    value: false,
    reason: 'This server cannot be listed in the communities directory.',
  },
} as const;

/** Name of such a setting. */
export type UnavailableSetting = keyof typeof UNAVAILABLE;

/** Their names. */
export const UNAVAILABLE_SETTINGS = Object.keys(UNAVAILABLE) as UnavailableSetting[];

/** The values that they have. */
export const UNAVAILABLE_SETTINGS_WIRE = Object.fromEntries(
  Object.entries(UNAVAILABLE).map(([name, { value }]) => [name, value]),
) as { readonly [Name in UnavailableSetting]: (typeof UNAVAILABLE)[Name]['value'] };

/** @throws SettingUnavailable for the first that is to have another value */
export function requireAvailable(wanted: Partial<Record<UnavailableSetting, unknown>>): void {
  for (const name of UNAVAILABLE_SETTINGS) {
    const { value, reason } = UNAVAILABLE[name];
    if (wanted[name] !== undefined && wanted[name] !== value) throw new SettingUnavailable(name, reason);
  }
}
