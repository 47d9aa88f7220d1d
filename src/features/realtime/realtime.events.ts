import { defineEvent } from '../../platform/events/server-event';

/** Nothing happened for a while; tells a client that its connection works (messages reference 7.2). */
export const heartbeat = defineEvent<Record<string, never>>('heartbeat');
