import { effect, signal } from '@preact/signals';
import { call } from './call';
import { connection } from './live';
import { settings } from './state';

/** Last activity, and last open client; UNIX seconds. */
interface Sighting {
  readonly active_timestamp: number;
  readonly idle_timestamp: number;
}

export type Presence = 'active' | 'idle' | 'offline';

/** Interval of reports. The server considers a user offline after {@link OFFLINE_SECONDS} without one. */
const PING_MS = 60_000;
const OFFLINE_SECONDS = 140;
/** Users are idle after this long without input. */
const IDLE_MS = 5 * 60_000;

const sightings = signal<ReadonlyMap<number, Sighting>>(new Map());
let last = -1;
let usedAt = Date.now();
let toldAt = 0;
/** Difference between the server's clock and the device's, in seconds. */
let ahead = 0;

/** The server's time in UNIX seconds. */
export const serverNow = () => Date.now() / 1000 + ahead;

/** When a user was last seen, in UNIX seconds; null if not recently. */
export function seenAt(userId: number): number | null {
  const sighting = sightings.value.get(userId);
  return sighting ? Math.max(sighting.active_timestamp, sighting.idle_timestamp) : null;
}

/** Presence of a user, if they share it. */
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
    // Earlier reports are kept.
    history_limit_days: 1,
  });
  toldAt = Date.now();
  last = answer.presence_last_update_id ?? last;
  ahead = (answer.server_timestamp ?? Date.now() / 1000) - Date.now() / 1000;
  const found = Object.entries(answer.presences ?? {}).map(([id, each]): [number, Sighting] => [
    Number(id),
    each,
  ]);
  // A new map even without changes, because people become idle and offline as time passes.
  sightings.value = new Map([...sightings.value, ...found]);
}

/** Reports the user's presence and receives that of others, while the page is open and connected. */
export function stayPresent(): void {
  for (const name of ['pointerdown', 'keydown', 'pointermove', 'wheel'])
    addEventListener(name, () => (usedAt = Date.now()), { passive: true });
  const tell = () => {
    // Failures are caused by the connection, whose state is already shown.
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
