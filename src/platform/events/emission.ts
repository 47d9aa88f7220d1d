import type { Audience } from './audience';
import type { ServerEvent } from './server-event';

/** What an event carries beside its payload and audience. */
export interface EmitOptions {
  /** Keys merged into the event for one person only, by user ID; for the exceptions, not for everybody. */
  readonly personal?: ReadonlyMap<number, Record<string, unknown>>;
  /** Keys merged into the event for one client queue only, such as the echo of a `local_id`. */
  readonly queue?: { readonly id: string; readonly extra: Record<string, unknown> };
  /** Name of a client capability; only queues that declared it get the event. */
  readonly requires?: string;
  /** Name of a client capability; only queues that did not declare it get the event. */
  readonly unless?: string;
  /** Keys merged into `event.message`, by the form of the message that the queue asked for. */
  readonly alternatives?: Record<string, unknown>;
}

/** An event on its way into the log. */
export interface Emission {
  readonly event: ServerEvent;
  readonly audience: Audience;
  readonly options: EmitOptions;
}

/** {@link EmitOptions} as the text of one column; null when there are none. */
export function encodeOptions(options: EmitOptions): string | null {
  const { personal, ...rest } = options;
  const plain = personal && personal.size > 0 ? { ...rest, personal: [...personal] } : rest;
  return Object.keys(plain).length === 0 ? null : JSON.stringify(plain);
}

/** Reverses {@link encodeOptions}. */
export function decodeOptions(text: string | null): EmitOptions {
  if (text === null) return {};
  const { personal, ...rest } = JSON.parse(text) as Omit<EmitOptions, 'personal'> & {
    personal?: [number, Record<string, unknown>][];
  };
  return personal ? { ...rest, personal: new Map(personal) } : rest;
}
