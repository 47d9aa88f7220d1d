import { defineEvent } from '../../platform/events/server-event';

/** Nothing happened for a while; tells a client that its connection works (messages reference 7.2). */
export const heartbeat = defineEvent<Record<string, never>>('heartbeat');

/** The server began anew (messages reference 7.4). */
export const serverRestarted = defineEvent<{
  readonly zulip_version: string;
  readonly zulip_merge_base: string;
  readonly zulip_feature_level: number;
  readonly server_generation: number;
}>('restart');
