import { RawJson } from '../../platform/http/raw-json';
import type { QueueEvent } from './queue/live-queue';

/** The answer to a poll. */
export function eventsWire(events: readonly QueueEvent[]): { events: RawJson } {
  return { events: new RawJson(`[${events.map(({ id, members }) => `{"id":${id},${members}}`).join(',')}]`) };
}
