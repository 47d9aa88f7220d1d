import type { Answer, ApiClient, Parameters } from './api-client';
import { expectSuccess } from './expect-answer';
import { noteSeenEvents } from './seen-events';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look at any key of any event
export type QueueEvent = any;

/** A client with an event queue: it registers, polls, and acknowledges what it got. */
export class TestQueue {
  /** Of the last event that it got. */
  lastEventId: number;

  private constructor(
    private readonly client: ApiClient,
    /** The answer of `POST /register`. */
    readonly state: Answer['body'],
    private readonly note: (events: readonly QueueEvent[]) => void,
  ) {
    this.lastEventId = state.last_event_id;
  }

  /**
   * Fetches no state unless `fetch_event_types` is given.
   * @param note is told of every event; kinds that no test gets fail the build ({@link noteSeenEvents})
   */
  static async register(
    client: ApiClient,
    parameters: Parameters = {},
    note: (events: readonly QueueEvent[]) => void = noteSeenEvents,
  ): Promise<TestQueue> {
    const answer = await client.post('/register', { fetch_event_types: [], ...parameters });
    return new TestQueue(client, expectSuccess(answer), note);
  }

  /** The same client, going on with another node. */
  at(client: ApiClient): TestQueue {
    const moved = new TestQueue(client, this.state, this.note);
    moved.lastEventId = this.lastEventId;
    return moved;
  }

  get id(): string {
    return this.state.queue_id;
  }

  /** One request as the client would make it next, its answer not acknowledged. */
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

  /** Every event until now, without waiting and without heartbeats; whoever was answered finds its events here. */
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
