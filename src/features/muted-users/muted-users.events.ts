import { defineEvent } from '../../platform/events/server-event';
import type { MutedUserWire } from './muted-users.wire';

/** One muted or unmuted somebody; the list is complete (messages reference 8.3). */
export const mutedUsersChanged = defineEvent<{ muted_users: readonly MutedUserWire[] }>('muted_users');
