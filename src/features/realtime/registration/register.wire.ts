import { ADVERTISED_VERSION, FEATURE_LEVEL } from '../../../platform/version';
import { BEFORE_FIRST_EVENT } from '../queues/live-queue';

/** The answer to a client that registers. */
export interface RegistrationWire {
  readonly zulip_version: string;
  readonly zulip_merge_base: string;
  readonly zulip_feature_level: number;
  /** Null for a client without an account. */
  readonly queue_id: string | null;
  readonly last_event_id?: number;
  readonly idle_queue_timeout_secs?: number;
  readonly [state: string]: unknown;
}

/** The answer to registering: the state, and the queue where there is one. */
export function registrationWire(
  state: Readonly<Record<string, unknown>>,
  queue: { readonly id: string; readonly idleTimeoutMs: number } | null,
): RegistrationWire {
  return {
    ...state,
    zulip_version: ADVERTISED_VERSION,
    zulip_merge_base: ADVERTISED_VERSION,
    zulip_feature_level: FEATURE_LEVEL,
    ...(queue === null
      ? { queue_id: null }
      : {
          queue_id: queue.id,
          last_event_id: BEFORE_FIRST_EVENT,
          idle_queue_timeout_secs: queue.idleTimeoutMs / 1000,
        }),
  };
}
