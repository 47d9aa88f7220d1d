import type { ServerEvent } from '../../../platform/events/server-event';
import { SharedJson } from '../../../platform/http/success-envelope';
import type { QueueEvent } from '../queues/live-queue';

/** An event as a queue delivers it. */
export interface ClientEvent extends ServerEvent {
  readonly id: number;
}

/** What a poll is answered with. */
export type EventsAnswer = SharedJson<{ events: ClientEvent[] }>;

/** Writes answers to polls: those that are answered with the same events, one after the other, get the same text. */
export class EventsAnswers {
  private last: { readonly events: readonly QueueEvent[]; readonly answer: EventsAnswer } | null = null;

  of(events: readonly QueueEvent[]): EventsAnswer {
    if (this.last?.events === events) return this.last.answer;
    const texts = events.map(({ id, members }) => `{"id":${id},${members}}`);
    const answer: EventsAnswer = new SharedJson(`{"events":[${texts.join(',')}]}`);
    this.last = { events, answer };
    return answer;
  }
}
