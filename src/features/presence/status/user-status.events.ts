import { defineEvent } from '../../../platform/events/server-event';
import type { StatusChangeWire } from './user-status.wire';

/** What somebody says of themselves changed, or whether they hide when they are there. */
export const userStatusChanged = defineEvent<StatusChangeWire & { readonly user_id: number }>('user_status');
