import { RawJson } from '../../../platform/http/raw-json';
import type { ServerEvent } from '../../../platform/events/server-event';
import type { QueueEvent } from '../queues/live-queue';

/** An event as a queue delivers it. */
export interface ClientEvent extends ServerEvent {
  readonly id: number;
}

/** The answer to a poll. */
export function eventsWire(events: readonly QueueEvent[]): { events: RawJson<ClientEvent[]> } {
  return { events: new RawJson(`[${events.map(({ id, members }) => `{"id":${id},${members}}`).join(',')}]`) };
}
