import type { ClientFacts } from './level-change';
import { isObject } from './records';

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
  const declared = json(parameters.get('client_capabilities'));
  const types = json(parameters.get('event_types'));
  const capabilities = isObject(declared) ? Object.entries(declared).filter(([, has]) => has === true) : [];
  return {
    capabilities: new Set(capabilities.map(([name]) => name)),
    eventTypes: Array.isArray(types) ? new Set(types as string[]) : null,
  };
}

function json(text = 'null'): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
