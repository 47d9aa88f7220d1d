import { ADVERTISED_VERSION, FEATURE_LEVEL } from '../../../platform/version';
import { BEFORE_FIRST_EVENT } from '../queues/live-queue';

/** The answer to a client that registers. */
export interface RegistrationWire {
  readonly zulip_version: string;
  readonly zulip_merge_base: string;
  readonly zulip_feature_level: number;
  readonly max_reminder_note_length: number;
  /** Null for a client without an account. */
  readonly queue_id: string | null;
  readonly last_event_id?: number;
  readonly idle_queue_timeout_secs?: number;
  readonly [state: string]: unknown;
}

/** Clients require the limit at their start, whatever they ask for, although there are no reminders. */
const MAX_REMINDER_NOTE_LENGTH = 1000;

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
    max_reminder_note_length: MAX_REMINDER_NOTE_LENGTH,
    ...(queue === null
      ? { queue_id: null }
      : {
          queue_id: queue.id,
          last_event_id: BEFORE_FIRST_EVENT,
          idle_queue_timeout_secs: queue.idleTimeoutMs / 1000,
        }),
  };
}
