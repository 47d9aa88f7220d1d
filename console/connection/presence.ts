import { effect, signal } from '@preact/signals';
import { call } from './call';
import { connection } from './live';
import { settings } from './state';

/** UNIX seconds: last activity, and last open client. */
interface Sighting {
  readonly active_timestamp: number;
  readonly idle_timestamp: number;
}

export type Presence = 'active' | 'idle' | 'offline';

/** A report is due so often; the server counts as gone who sends none for longer than {@link OFFLINE_SECONDS}. */
const PING_MS = 60_000;
const OFFLINE_SECONDS = 140;
/** Idle after this long without input. */
const IDLE_MS = 5 * 60_000;

const sightings = signal<ReadonlyMap<number, Sighting>>(new Map());
let last = -1;
let usedAt = Date.now();
let toldAt = 0;
/** Between the clock of the server and that of the device, in seconds. */
let ahead = 0;

/** The time by the clock of the server, in UNIX seconds. */
export const serverNow = () => Date.now() / 1000 + ahead;

/** When a user was last seen, in UNIX seconds; null if not recently. */
export function seenAt(userId: number): number | null {
  const sighting = sightings.value.get(userId);
  return sighting ? Math.max(sighting.active_timestamp, sighting.idle_timestamp) : null;
}

/** Presence of a user, as far as they share it. */
export function presenceOf(userId: number): Presence {
  const sighting = sightings.value.get(userId);
  const since = serverNow() - OFFLINE_SECONDS;
  if (!sighting || Math.max(sighting.active_timestamp, sighting.idle_timestamp) < since) return 'offline';
  return sighting.active_timestamp >= since ? 'active' : 'idle';
}

async function report(): Promise<void> {
  const isActive = document.visibilityState === 'visible' && Date.now() - usedAt < IDLE_MS;
  const answer = await call<{
    presences?: Readonly<Record<string, Sighting>>;
    presence_last_update_id?: number;
    server_timestamp?: number;
  }>('POST', 'users/me/presence', {
    status: isActive ? 'active' : 'idle',
    new_user_input: usedAt > toldAt,
    slim_presence: true,
    last_update_id: last,
    // What is known already is kept.
    history_limit_days: 1,
  });
  toldAt = Date.now();
  last = answer.presence_last_update_id ?? last;
  ahead = (answer.server_timestamp ?? Date.now() / 1000) - Date.now() / 1000;
  const found = Object.entries(answer.presences ?? {}).map(([id, each]): [number, Sighting] => [
    Number(id),
    each,
  ]);
  // A new map even if nothing came: time alone makes people idle and offline.
  sightings.value = new Map([...sightings.value, ...found]);
}

/** Tells that the reader is here, and hears who else is, for as long as the page is open and the server there. */
export function stayPresent(): void {
  for (const name of ['pointerdown', 'keydown', 'pointermove', 'wheel'])
    addEventListener(name, () => (usedAt = Date.now()), { passive: true });
  const tell = () => {
    // A failure is that of the connection, which is shown already.
    if (connection.value === 'live' && settings.value['presence_enabled'] !== undefined)
      report().catch(() => undefined);
  };
  setInterval(tell, PING_MS);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') tell();
  });
  effect(() => {
    if (connection.value === 'live') setTimeout(tell);
  });
}
