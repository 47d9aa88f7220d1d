import type { ClientFacts, Json } from './level-change';
import { isObject, parsed } from './records';

/** Queues that are remembered, the newest. */
const MOST_QUEUES = 10_000;

/** What clients said when they registered, by their queues. */
export class ClientMemory {
  private readonly clients = new Map<string, ClientFacts>();

  remember(queueId: string, client: ClientFacts): void {
    this.clients.set(queueId, client);
    const [oldest] = this.clients.keys();
    if (this.clients.size > MOST_QUEUES && oldest !== undefined) this.clients.delete(oldest);
  }

  of(queueId = ''): ClientFacts | null {
    return this.clients.get(queueId) ?? null;
  }
}

/** What a client says that registers. What is wrong says nothing: the request is refused for what it is. */
export function clientIn(parameters: ReadonlyMap<string, string>): ClientFacts {
  const declared = parsed(parameters.get('client_capabilities'));
  const eventTypes = typesIn(parameters.get('event_types'));
  const capabilities = isObject(declared) ? Object.entries(declared).filter(([, has]) => has === true) : [];
  return {
    capabilities: new Set(capabilities.map(([name]) => name)),
    eventTypes,
    fetchTypes: typesIn(parameters.get('fetch_event_types')) ?? eventTypes,
  };
}

/** Declares a capability of a client that registers. What is no declaration is refused for what it is. */
export function declareCapability(parameters: Map<string, string>, name: string): void {
  const declared = parsed(parameters.get('client_capabilities') ?? '{}');
  if (!isObject(declared)) return;
  // Who declares anything has to say this.
  const least = parameters.has('client_capabilities') ? {} : { notification_settings_null: false };
  parameters.set('client_capabilities', JSON.stringify({ ...least, ...declared, [name]: true }));
}

/**
 * Has a client that registers get what it did not ask for, to be turned into what it did ask for.
 * @param what the parameter with types of events, or of state
 */
export function requestType(
  parameters: Map<string, string>,
  what: 'event_types' | 'fetch_event_types',
  type: string,
): void {
  const types = typesIn(parameters.get(what) ?? parameters.get('event_types'));
  if (types === null || types.has(type)) return;
  // Where nothing else is said, the state is of the types of the events.
  const fetched = parameters.get('fetch_event_types') ?? parameters.get('event_types');
  if (fetched !== undefined) parameters.set('fetch_event_types', fetched);
  parameters.set(what, JSON.stringify([...types, type]));
}

/** Types of events from which others are derived, so that clients may get them unasked: see {@link requestType}. */
const SOURCES: ReadonlySet<unknown> = new Set(['realm_user', 'user_settings']);

/** Whether an event only came to derive others from it. */
export function isSourceAlone(event: Json, client: ClientFacts | null): boolean {
  return SOURCES.has(event['type']) && !requests(client, String(event['type']));
}

/** Whether a client wants events of a type. */
export function requests(client: ClientFacts | null, type: string): boolean {
  return client?.eventTypes?.has(type) ?? true;
}

/** Whether a client wants the state of a type. */
export function fetches(client: ClientFacts | null, type: string): boolean {
  return client?.fetchTypes?.has(type) ?? true;
}

function typesIn(text: string | undefined): ReadonlySet<string> | null {
  const types = parsed(text);
  return Array.isArray(types) ? new Set(types as string[]) : null;
}
