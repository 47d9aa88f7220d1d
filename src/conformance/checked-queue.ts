import { fits } from './expectations';
import { type Client, type WireObject, UnexpectedAnswer } from './client';

/** A client that was registered, and what it was told. */
export class CheckedQueue {
  private readonly seen: WireObject[] = [];
  private lastId: number;

  private constructor(
    private readonly client: Client,
    readonly state: WireObject,
    private readonly patienceMs: number,
  ) {
    this.lastId = Number(state['last_event_id']);
  }

  /** @param patienceMs how long an event is waited for */
  static async register(client: Client, parameters: WireObject, patienceMs: number): Promise<CheckedQueue> {
    return new CheckedQueue(client, await client.ok('POST /register', parameters), patienceMs);
  }

  get id(): string {
    return String(this.state['queue_id']);
  }

  /**
   * Waits for an event.
   * @throws {UnexpectedAnswer} where none comes that fits
   */
  async next(expected: WireObject): Promise<WireObject> {
    const deadline = performance.now() + this.patienceMs;
    for (;;) {
      const at = this.seen.findIndex((event) => fits(event, expected));
      if (at >= 0) return this.seen.splice(at, 1)[0] ?? {};
      if (performance.now() > deadline)
        throw new UnexpectedAnswer(
          `No event ${JSON.stringify(expected)} came, but ${JSON.stringify(this.seen).slice(0, 400)}`,
        );
      await this.poll();
    }
  }

  /** All events that came until now and were not asked for. */
  async rest(): Promise<readonly WireObject[]> {
    await this.poll();
    return this.seen;
  }

  /** Never waits: what is delayed comes with a later one. */
  private async poll(): Promise<void> {
    const { events } = await this.client.ok('GET /events', {
      queue_id: this.id,
      last_event_id: this.lastId,
      dont_block: true,
    });
    for (const event of events as WireObject[]) {
      this.lastId = Math.max(this.lastId, Number(event['id']));
      this.seen.push(event);
    }
    if ((events as WireObject[]).length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
  }

  async end(): Promise<void> {
    await this.client.ask('DELETE /events', { queue_id: this.id });
  }
}
