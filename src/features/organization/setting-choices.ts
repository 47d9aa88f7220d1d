import { ApiError } from '../../platform/errors/api-error';

/** Kinds of organization by the numbers that clients have for them. */
export const ORGANIZATION_TYPES = [0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100, 1000] as const;

/** One of several things to choose, as clients are told of it. */
interface Choice {
  readonly id: number;
  readonly name: string;
}

/** Kinds of video calls. Clients make the links of Jitsi Meet themselves; others would take an account of the server. */
export const VIDEO_CHAT_PROVIDERS = {
  disabled: { id: 0, name: 'None' },
  jitsi_meet: { id: 1, name: 'Jitsi Meet' },
} as const satisfies Record<string, Choice>;

/** How GIFs may be rated to be shown. */
export const GIF_RATINGS = {
  disabled: { id: 0, name: 'No GIFs' },
  y: { id: 1, name: 'For young children (Y)' },
  g: { id: 2, name: 'For all ages (G)' },
  pg: { id: 3, name: 'With parental guidance (PG)' },
  'pg-13': { id: 4, name: 'From 13 years on (PG-13)' },
  r: { id: 5, name: 'For adults (R)' },
} as const satisfies Record<string, Choice>;

/** Whether the number is one of the choices. */
export function isChoice(choices: Readonly<Record<string, Choice>>, id: number): boolean {
  return Object.values(choices).some((choice) => choice.id === id);
}

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
