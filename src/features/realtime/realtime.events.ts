import { defineEvent } from '../../platform/events/server-event';

/** Nothing happened for a while; tells a client that its connection works. */
export const heartbeat = defineEvent<Record<string, never>>('heartbeat');

/** The server began anew. */
export const serverRestarted = defineEvent<{
  readonly zulip_version: string;
  readonly zulip_merge_base: string;
  readonly zulip_feature_level: number;
  readonly server_generation: number;
}>('restart');
