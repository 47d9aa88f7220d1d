import { Audience } from './audience';
import type { ServerEvent } from './server-event';

/** What an event carries beside its payload and audience. */
export interface EmitOptions {
  /** Keys merged into the event for one person only, by user ID; for the exceptions, not for everybody. */
  readonly personal?: ReadonlyMap<number, Record<string, unknown>>;
  /** Keys merged into the event for one client queue only, such as the echo of a `local_id`. */
  readonly queue?: { readonly id: string; readonly extra: Record<string, unknown> };
  /** Name of a client capability; only queues that declared it get the event. */
  readonly requires?: string;
  /** Names of client capabilities; only queues that declared none of them get the event. */
  readonly unless?: string | readonly string[];
  /** Keys merged into `event.message`, by the form of the message that the queue asked for. */
  readonly alternatives?: Record<string, unknown>;
  /** Set on messages of public channels, which some queues take for people who are not in the audience. */
  readonly open?: { readonly except: Audience };
}

/** An event on its way into the log. */
export interface Emission {
  readonly event: ServerEvent;
  readonly audience: Audience;
  readonly options: EmitOptions;
}

/** Whether an event with these options is for a queue that declared these capabilities. */
export function isForCapabilities(
  { requires, unless = [] }: EmitOptions,
  declared: ReadonlySet<string>,
): boolean {
  if (requires !== undefined && !declared.has(requires)) return false;
  return !(typeof unless === 'string' ? [unless] : unless).some((name) => declared.has(name));
}

/** What of {@link EmitOptions} is not the same as JSON. */
type EncodedOptions = Omit<EmitOptions, 'personal' | 'open'> & {
  readonly personal?: [number, Record<string, unknown>][];
  /** Encoding of the exceptions in Base64. */
  readonly open?: string;
};

/** {@link EmitOptions} as the text of one column; null when there are none. */
export function encodeOptions({ personal, open, ...rest }: EmitOptions): string | null {
  const encoded: EncodedOptions = {
    ...rest,
    ...(personal && personal.size > 0 ? { personal: [...personal] } : {}),
    ...(open ? { open: open.except.encoding().toString('base64') } : {}),
  };
  return Object.keys(encoded).length === 0 ? null : JSON.stringify(encoded);
}

/** Reverses {@link encodeOptions}. */
export function decodeOptions(text: string | null): EmitOptions {
  if (text === null) return {};
  const { personal, open, ...rest } = JSON.parse(text) as EncodedOptions;
  return {
    ...rest,
    ...(personal ? { personal: new Map(personal) } : {}),
    ...(open === undefined ? {} : { open: { except: Audience.decode(Buffer.from(open, 'base64')) } }),
  };
}
