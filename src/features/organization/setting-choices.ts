import { ApiError } from '../../platform/errors/api-error';

/** Types of organizations by their numbers on the wire. */
export const ORGANIZATION_TYPES = [0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100, 1000] as const;

/** A choice, as sent to clients. */
interface Choice {
  readonly id: number;
  readonly name: string;
}

/**
 * Video call providers. Clients create the links of Jitsi Meet themselves; other providers would require an account of
 * the server.
 */
export const VIDEO_CHAT_PROVIDERS = {
  disabled: { id: 0, name: 'None' },
  jitsi_meet: { id: 1, name: 'Jitsi Meet' },
} as const satisfies Record<string, Choice>;

/** Maximum ratings of GIFs. */
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

/** A setting of an unsupported feature accepts only one value. */
class SettingUnavailable extends ApiError {
  constructor(name: string, reason: string) {
    super(`'${name}' cannot be changed. ${reason}`);
  }
}

const NO_MAIL = 'This server does not send such email.';

/**
 * Settings of unsupported features: their only value, and the reason. Sending that value is not an error; storing
 * another would promise something that the server does not do.
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

/** Name of a setting of an unsupported feature. */
export type UnavailableSetting = keyof typeof UNAVAILABLE;

/** Names of these settings. */
export const UNAVAILABLE_SETTINGS = Object.keys(UNAVAILABLE) as UnavailableSetting[];

/** Values of these settings. */
export const UNAVAILABLE_SETTINGS_WIRE = Object.fromEntries(
  Object.entries(UNAVAILABLE).map(([name, { value }]) => [name, value]),
) as { readonly [Name in UnavailableSetting]: (typeof UNAVAILABLE)[Name]['value'] };

/** @throws SettingUnavailable for the first one with another value */
export function requireAvailable(wanted: Partial<Record<UnavailableSetting, unknown>>): void {
  for (const name of UNAVAILABLE_SETTINGS) {
    const { value, reason } = UNAVAILABLE[name];
    if (wanted[name] !== undefined && wanted[name] !== value) throw new SettingUnavailable(name, reason);
  }
}
