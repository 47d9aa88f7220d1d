/** An event as clients receive it, without its ID. */
export interface ServerEvent {
  readonly type: string;
  readonly op?: string;
  readonly [key: string]: unknown;
}

/** Makes events of one kind; carries the kind's names so that a catalogue can list it. */
export interface EventDefinition<Payload extends object> {
  (payload: Payload): ServerEvent;
  readonly type: string;
  readonly op: string | undefined;
}

/**
 * Declares one kind of event: what it is called and which keys it carries. Each feature lists its own
 * in `<feature>.events.ts`.
 */
export function defineEvent<Payload extends object>(type: string, op?: string): EventDefinition<Payload> {
  const names = op === undefined ? { type } : { type, op };
  return Object.assign((payload: Payload): ServerEvent => ({ ...names, ...payload }), { type, op });
}
