import { OFFLINE_AFTER_SECONDS, type PresenceRecord } from './presence.directory';

/** In the form of old clients, a person still counts as active for this long. */
const ACTIVE_FOR_SECONDS = 70;

/** Presence as new clients know it. UNIX seconds. */
export interface PresenceWire {
  readonly active_timestamp: number;
  readonly idle_timestamp: number;
}

/** Presence as old clients know it, some of which knew several programs for each person. */
interface ClientPresenceWire {
  readonly client: 'website';
  readonly status: 'active' | 'idle';
  readonly timestamp: number;
}

/** Presence as older clients read it, by client program; there is one, `website`. */
export interface LegacyPresenceWire {
  readonly aggregated: ClientPresenceWire;
  readonly website: ClientPresenceWire & { readonly pushable: false };
}

/** Presence as it is shown to those who ask for one person. */
interface StatusWire {
  readonly status: 'active' | 'idle' | 'offline';
  readonly timestamp: number;
}

/** @param dateJoined stands in for the last activity of a person who was never active */
export function presenceWire({ activeAt, connectedAt }: PresenceRecord, dateJoined: number): PresenceWire {
  return { active_timestamp: activeAt ?? dateJoined, idle_timestamp: connectedAt };
}

/** The older form of a presence, with one client in it. */
export function legacyPresenceWire(record: PresenceRecord): LegacyPresenceWire {
  const aggregated: ClientPresenceWire = { client: 'website', ...legacyStatus(record) };
  return { aggregated, website: { ...aggregated, pushable: false } };
}

/** The presence of one person, in the present form and beside it in the one of old clients. */
interface PersonPresenceWire extends PresenceWire {
  readonly aggregated: StatusWire;
  readonly website: StatusWire;
}

/** @param now UNIX seconds. @param dateJoined as in {@link presenceWire} */
export function personPresenceWire(
  record: PresenceRecord,
  dateJoined: number,
  now: number,
): PersonPresenceWire {
  const website = legacyStatus(record);
  const isOffline = now - website.timestamp > OFFLINE_AFTER_SECONDS;
  const aggregated: StatusWire = isOffline ? { ...website, status: 'offline' } : website;
  return { ...presenceWire(record, dateJoined), aggregated, website };
}

function legacyStatus({
  activeAt,
  connectedAt,
}: PresenceRecord): Pick<ClientPresenceWire, 'status' | 'timestamp'> {
  return activeAt !== null && activeAt + ACTIVE_FOR_SECONDS >= connectedAt
    ? { status: 'active', timestamp: activeAt }
    : { status: 'idle', timestamp: connectedAt };
}
