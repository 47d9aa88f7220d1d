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
