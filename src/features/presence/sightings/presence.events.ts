import { defineEvent } from '../../../platform/events/server-event';
import type { LegacyPresenceWire, PresenceWire } from './presence.wire';

/** One person, by what old clients know. */
interface LegacyPayload {
  readonly user_id: number;
  readonly email?: string;
  /**
   * UNIX seconds with a fraction.
   * @fraction
   */
  readonly server_timestamp: number;
  readonly presence: Pick<LegacyPresenceWire, 'website'>;
}

/** Anybody, by ID. */
interface Payload {
  readonly presences: Readonly<Record<number, PresenceWire>>;
}

/** Somebody is there who seemed gone, or appears to be gone. */
export const presenceChanged = defineEvent<LegacyPayload | Payload>('presence');
