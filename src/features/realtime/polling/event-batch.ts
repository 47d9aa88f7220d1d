import type { QueueEvent } from '../queues/live-queue';

/** An answer holds no more events than this, and stops growing at so many characters; the rest comes with the next. */
const MAX_EVENTS = 1_000;
const MAX_CHARACTERS = 4_000_000;

/** The answer to a poll, while the log is searched for what goes into it. */
export class EventBatch {
  private readonly events: QueueEvent[] = [];
  private characters = 0;

  constructor(
    /** The last event that the client has. */
    private readonly afterId: number,
    private upTo: number,
  ) {}

  /** The number of the log up to which it was searched. */
  get searchedTo(): number {
    return this.upTo;
  }

  get isFull(): boolean {
    return this.events.length >= MAX_EVENTS || this.characters >= MAX_CHARACTERS;
  }

  /** Adds the events of a row, which the client may have in part. */
  add(events: readonly QueueEvent[], number: number): void {
    for (const event of events) {
      if (event.id <= this.afterId) continue;
      this.events.push(event);
      this.characters += event.members.length;
    }
    this.upTo = number;
  }

  /** Takes note that there are no rows up to a number that were not added. */
  noteSearched(number: number): void {
    this.upTo = Math.max(this.upTo, number);
  }

  /**
   * Everything in the order of the IDs.
   * @param transients events that no row holds; those behind what the batch had no room for have to wait
   */
  with(transients: readonly QueueEvent[]): readonly QueueEvent[] {
    const last = this.isFull ? (this.events.at(-1)?.id ?? 0) : Infinity;
    const fitting = transients.filter(({ id }) => id < last);
    return fitting.length === 0 ? this.events : [...this.events, ...fitting].sort((a, b) => a.id - b.id);
  }
}
