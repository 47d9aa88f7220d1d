import { defineEvent } from '../../platform/events/server-event';

/** A muted person, and the time of muting in UNIX seconds. */
export interface MutedUserWire {
  readonly id: number;
  readonly timestamp: number;
}

/** The receiver muted or unmuted a person; the list is complete. */
export const mutedUsersChanged = defineEvent<{ muted_users: readonly MutedUserWire[] }>('muted_users');
