import { defineEvent } from '../../../platform/events/server-event';
import type { StatusChangeWire } from './user-status.wire';

/** The status of a person changed, or whether they hide their presence. */
export const userStatusChanged = defineEvent<StatusChangeWire & { readonly user_id: number }>('user_status');
