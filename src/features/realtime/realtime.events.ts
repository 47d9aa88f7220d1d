import { defineEvent } from '../../platform/events/server-event';

/** Tells a client that its connection works, after a while without events. */
export const heartbeat = defineEvent<Record<string, never>>('heartbeat');

/** The server was restarted. */
export const serverRestarted = defineEvent<{
  readonly zulip_version: string;
  readonly zulip_merge_base: string;
  readonly zulip_feature_level: number;
  readonly server_generation: number;
}>('restart');
