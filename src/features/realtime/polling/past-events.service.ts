import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.service';
import { EventLogReader } from '../../../platform/events/event-log-reader';
import { EventLog, type LoggedEvent } from '../../../platform/events/event-log.service';
import type { LaterAnswer } from '../../../platform/http/envelope.interceptor';
import { OutgoingEventsService } from '../queues/outgoing-events.service';
import type { LiveQueue, QueueEvent } from '../queues/live-queue';
import { Semaphore } from '../../../platform/semaphore';

const ROWS_PER_QUERY = 500;

/** After an outage many clients want the past at once; this many of them read at a time. */
const READ_AT_A_TIME = 4;

/** An answer has at most this many events, and stops growing at this many characters; the rest comes with the next. */
const MAX_EVENTS = 1_000;
const MAX_CHARACTERS = 4_000_000;

/** The answer to a poll, while the log is searched for its events. */
export class EventBatch {
  private readonly events: QueueEvent[] = [];
  private characters = 0;

  constructor(
    /** The last event that the client has. */
    private readonly afterId: number,
    private upTo: number,
  ) {}

  /** The number up to which the log was searched. */
  get searchedTo(): number {
    return this.upTo;
  }

  get isFull(): boolean {
    return this.events.length >= MAX_EVENTS || this.characters >= MAX_CHARACTERS;
  }

  /** Adds the events of a row, of which the client may have some already. */
  add(events: readonly QueueEvent[], number: number): void {
    for (const event of events) {
      if (event.id <= this.afterId) continue;
      this.events.push(event);
      this.characters += event.members.length;
    }
    this.upTo = number;
  }

  /** Notes that all rows up to a number were searched. */
  noteSearched(number: number): void {
    this.upTo = Math.max(this.upTo, number);
  }

  /**
   * All events in the order of their IDs.
   * @param transients transient events; those after the last event of a full batch have to wait
   */
  with(transients: readonly QueueEvent[]): readonly QueueEvent[] {
    const last = this.isFull ? (this.events.at(-1)?.id ?? 0) : Infinity;
    const fitting = transients.filter(({ id }) => id < last);
    return fitting.length === 0 ? this.events : [...this.events, ...fitting].sort((a, b) => a.id - b.id);
  }
}

/** Reads events of the past: rows of the log that memory no longer has. */
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
   * Adds the events of a queue to a batch, from the start of the batch to where memory begins.
   * @returns whether the client is still connected
   */
  async collect(queue: LiveQueue, batch: EventBatch, answer: LaterAnswer): Promise<boolean> {
    while (batch.searchedTo < this.reader.memoryBegins && !batch.isFull) {
      if (answer.isUnwanted) return false;
      const rows = await this.read(batch.searchedTo, ROWS_PER_QUERY);
      // Memory covers what was committed a moment ago.
      const past = rows.filter(({ number }) => number <= this.reader.position);
      for (const row of past) {
        if (batch.isFull) return true;
        batch.add(this.outgoing.eventsOf(row, queue), row.number);
      }
      if (rows.length < ROWS_PER_QUERY) batch.noteSearched(this.reader.memoryBegins);
    }
    return true;
  }

  /** A row of the log; undefined if there is none with this number, or no longer. */
  async row(number: number): Promise<LoggedEvent | undefined> {
    const [row] = await this.read(number - 1, 1);
    return row?.number === number ? row : undefined;
  }

  private read(after: number, limit: number): Promise<LoggedEvent[]> {
    return this.semaphore.run(() => this.log.readAfter(after, limit, this.database.background));
  }
}
