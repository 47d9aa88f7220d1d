import type { Answer, ApiClient, Parameters } from './api-client';
import { expectSuccess } from './expect-answer';
import { noteSeenEvents } from './seen-events';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look at any key of any event
export type QueueEvent = any;

/** A client with an event queue: it registers, polls, and acknowledges events. */
export class TestQueue {
  /** Of the last received event. */
  lastEventId: number;

  private constructor(
    private readonly client: ApiClient,
    /** The response of `POST /register`. */
    readonly state: Answer['body'],
    private readonly note: (events: readonly QueueEvent[]) => void,
  ) {
    this.lastEventId = state.last_event_id;
  }

  /**
   * Fetches no state unless `fetch_event_types` is given.
   * @param note called for every event; kinds that no test receives fail the build ({@link noteSeenEvents})
   */
  static async register(
    client: ApiClient,
    parameters: Parameters = {},
    note: (events: readonly QueueEvent[]) => void = noteSeenEvents,
  ): Promise<TestQueue> {
    const answer = await client.post('/register', { fetch_event_types: [], ...parameters });
    return new TestQueue(client, expectSuccess(answer), note);
  }

  /** The same client, continuing on another node. */
  at(client: ApiClient): TestQueue {
    const moved = new TestQueue(client, this.state, this.note);
    moved.lastEventId = this.lastEventId;
    return moved;
  }

  get id(): string {
    return this.state.queue_id;
  }

  /** The client's next request, without acknowledging its answer. */
  request(parameters: Parameters = {}): Promise<Answer> {
    return this.client.get('/events', {
      queue_id: this.id,
      last_event_id: this.lastEventId,
      ...parameters,
    });
  }

  /** Waits for events. Each has its `id`. */
  wait(): Promise<QueueEvent[]> {
    return this.take({});
  }

  /** Every event until now, without waiting and without heartbeats; the events of answered requests are included. */
  async events(): Promise<QueueEvent[]> {
    const all: QueueEvent[] = [];
    for (;;) {
      const events = await this.take({ dont_block: true });
      if (events.length === 0) return all.filter(({ type }) => type !== 'heartbeat');
      all.push(...events);
    }
  }

  private async take(parameters: Parameters): Promise<QueueEvent[]> {
    const { events } = expectSuccess(await this.request(parameters));
    this.lastEventId = events.at(-1)?.id ?? this.lastEventId;
    this.note(events);
    return events;
  }
}
