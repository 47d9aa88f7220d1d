import { defineEvent } from '../../platform/events/server-event';

/** A muted person and when that was, in UNIX seconds. */
export interface MutedUserWire {
  readonly id: number;
  readonly timestamp: number;
}

/** One muted or unmuted somebody; the list is complete. */
export const mutedUsersChanged = defineEvent<{ muted_users: readonly MutedUserWire[] }>('muted_users');
