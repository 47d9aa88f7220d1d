import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { EventLog } from '../../src/platform/events/event-log.service';
import type { EmitOptions } from '../../src/platform/events/emission';
import { noteSeenEvents } from './seen-events';

/** An event as the log holds it, with the people it is due to in ascending order. */
export interface CapturedEvent {
  readonly number: number;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look at any key of any event
  readonly event: any;
  readonly audience: readonly number[];
  readonly options: EmitOptions;
}

/** Reads the events written since it was begun. */
export class EventCapture {
  private constructor(
    private readonly log: EventLog,
    private readonly from: number,
  ) {}

  static async begin(app: NestFastifyApplication): Promise<EventCapture> {
    const log = app.get(EventLog, { strict: false });
    return new EventCapture(log, await log.lastNumber());
  }

  async events(): Promise<CapturedEvent[]> {
    const rows = await this.log.readAfter(this.from, 100_000);
    const clientRows = rows.filter((row) => row.event.type !== 'snapshot');
    noteSeenEvents(clientRows.map((row) => row.event));
    return clientRows.map((row) => ({
      number: row.number,
      event: row.event,
      audience: [...row.audience.ids()],
      options: row.options,
    }));
  }
}
