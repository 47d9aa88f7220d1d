import { defineEvent } from '../../../platform/events/server-event';
import type { LegacyPresenceWire, PresenceWire } from './presence.wire';

/** One person, in the form for old clients. */
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

/** One person, by ID. */
interface Payload {
  readonly presences: Readonly<Record<number, PresenceWire>>;
}

/** A person came online, or seems to have gone offline. */
export const presenceChanged = defineEvent<LegacyPayload | Payload>('presence');
