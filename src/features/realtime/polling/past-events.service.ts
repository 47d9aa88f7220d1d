import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.service';
import { EventLogReader } from '../../../platform/events/event-log-reader';
import { EventLog, type LoggedEvent } from '../../../platform/events/event-log.service';
import type { ClientConnection } from '../../../platform/http/client-connection';
import { OutgoingEventsService } from '../queues/outgoing-events.service';
import type { EventBatch } from './event-batch';
import type { LiveQueue } from '../queues/live-queue';
import { Turns } from './turns';

const ROWS_PER_QUERY = 500;

/** After an outage many clients want the past at once; so many of them read at a time. */
const READ_AT_A_TIME = 4;

/** Looks into the past: at rows of the log that memory has let go of. */
@Injectable()
export class PastEventsService {
  private readonly turns = new Turns(READ_AT_A_TIME);

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
    return this.turns.take(() => this.log.readAfter(after, limit, this.database.background));
  }
}
