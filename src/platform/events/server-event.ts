import { Audience } from './audience';

/** An event as clients receive it, without its ID. */
export interface ServerEvent {
  readonly type: string;
  readonly op?: string;
  readonly [key: string]: unknown;
}

/** Creates events of one kind; contains the kind's names, so that a catalog can list it. */
export interface EventDefinition<Payload extends object> {
  (payload: Payload): ServerEvent;
  readonly type: string;
  readonly op: string | undefined;
}

/** Declares a kind of event: its name and its keys. Each feature lists its own in `<feature>.events.ts`. */
export function defineEvent<Payload extends object>(type: string, op?: string): EventDefinition<Payload> {
  const names = op === undefined ? { type } : { type, op };
  return Object.assign((payload: Payload): ServerEvent => ({ ...names, ...payload }), { type, op });
}

/** Options of an event, besides its payload and audience. */
export interface EmitOptions {
  /** Keys merged into the event for one person only, by user ID; for exceptions, not for everyone. */
  readonly personal?: ReadonlyMap<number, Record<string, unknown>>;
  /** Keys merged into the event for one client queue only, such as the echo of a `local_id`. */
  readonly queue?: { readonly id: string; readonly extra: Record<string, unknown> };
  /** Name of a client capability; only queues that declared it get the event. */
  readonly requires?: string;
  /** Names of client capabilities; only queues that declared none of them get the event. */
  readonly unless?: string | readonly string[];
  /** Keys merged into `event.message`, by the message format that the queue requested. */
  readonly alternatives?: Record<string, unknown>;
  /** Set on messages of public channels, which some queues also receive for people outside the audience. */
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

/** The parts of {@link EmitOptions} that need another form in JSON. */
type EncodedOptions = Omit<EmitOptions, 'personal' | 'open'> & {
  readonly personal?: [number, Record<string, unknown>][];
  /** Base64 encoding of the exceptions. */
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

/**
 * Types of log rows that nodes send each other, ordered with all other events. Their audience is empty, so no client
 * receives them.
 */
export const NodeRow = {
  /** Directories changed; the stored name is an older one. */
  directories: 'snapshot',
  /** A client queue was deleted. */
  queueRemoved: 'queue_removed',
  /** All client queues created up to a number were deleted. */
  queuesEnded: 'queues_ended',
  /** Sessions of a person ended. */
  sessionsEnded: 'sessions_ended',
  /** No change; only raises the number of the log. */
  nextNumber: 'next_number',
} as const;

const types: ReadonlySet<string> = new Set(Object.values(NodeRow));

/** Whether a row of the log is only for nodes and never reaches a client. */
export function isNodeRow({ type }: Pick<ServerEvent, 'type'>): boolean {
  return types.has(type);
}
