import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.service';
import { EventLogReader } from '../../../platform/events/event-log-reader';
import { EventLog, type LoggedEvent } from '../../../platform/events/event-log.service';
import type { ClientConnection } from '../../../platform/http/client-connection';
import { OutgoingEventsService } from '../queues/outgoing-events.service';
import type { LiveQueue, QueueEvent } from '../queues/live-queue';
import { Semaphore } from './semaphore';

const ROWS_PER_QUERY = 500;

/** After an outage many clients want the past at once; so many of them read at a time. */
const READ_AT_A_TIME = 4;

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

/** Looks into the past: at rows of the log that memory has let go of. */
@Injectable()
export class PastEventsService {
  private readonly semaphore = new Semaphore(READ_AT_A_TIME);

  constructor(
    private readonly database: Database,
    private readonly log: EventLog,
    private readonly reader: EventLogReader,
    private readonly outgoing: OutgoingEventsService,
  ) {}

  /**
   * Adds the events of a queue to a batch, from where the batch begins to where memory does.
   * @returns whether the client is still there to get them
   */
  async collect(queue: LiveQueue, batch: EventBatch, connection: ClientConnection): Promise<boolean> {
    while (batch.searchedTo < this.reader.memoryBegins && !batch.isFull) {
      if (connection.isClosed) return false;
      const rows = await this.read(batch.searchedTo, ROWS_PER_QUERY);
      // What was committed a moment ago is for memory to tell.
      const past = rows.filter(({ number }) => number <= this.reader.position);
      for (const row of past) {
        if (batch.isFull) return true;
        batch.add(this.outgoing.eventsOf(row, queue), row.number);
      }
      if (rows.length < ROWS_PER_QUERY) batch.noteSearched(this.reader.memoryBegins);
    }
    return true;
  }

  /** A row of the log; undefined when there is none with this number, or none any more. */
  async row(number: number): Promise<LoggedEvent | undefined> {
    const [row] = await this.read(number - 1, 1);
    return row?.number === number ? row : undefined;
  }

  private read(after: number, limit: number): Promise<LoggedEvent[]> {
    return this.semaphore.run(() => this.log.readAfter(after, limit, this.database.background));
  }
}
