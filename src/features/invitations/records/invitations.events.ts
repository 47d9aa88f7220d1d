import { defineEvent } from '../../../platform/events/server-event';

/** Invitations that the receiver may see changed; clients fetch them again. */
export const invitesChanged = defineEvent<Record<never, never>>('invites_changed');
