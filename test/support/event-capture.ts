import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { EventLog } from '../../src/platform/events/event-log.service';
import { type EmitOptions, isNodeRow, type ServerEvent } from '../../src/platform/events/server-event';
import { TransientEvents } from '../../src/platform/events/transient-events';
import { contractCheck } from './contract/running-check';
import { noteSeenEvents } from './seen-events';

/** A transient event, with its recipients in ascending order. */
export interface CapturedTransientEvent {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look at any key of any event
  readonly event: any;
  readonly audience: readonly number[];
  readonly options: EmitOptions;
}

/** The same for a durable event. */
export interface CapturedEvent extends CapturedTransientEvent {
  readonly number: number;
}

/** Reads the events written since it was started. */
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
    const clientRows = rows.filter((row) => !isNodeRow(row));
    noteSeenEvents(clientRows.map((row) => row.event));
    for (const { event, options } of clientRows)
      contractCheck.checkEvent(withId(personalForm(event, options)));
    return clientRows.map((row) => ({
      number: row.number,
      event: row.event,
      audience: [...row.audience.ids()],
      options: row.options,
    }));
  }
}

/** An event as delivered by a queue: for some kinds, the contract requires the ID. */
function withId(event: ServerEvent): ServerEvent {
  return { ...event, id: 0 };
}

/** Runs the work and returns the transient events that it published, in order. */
export async function captureTransient(
  app: NestFastifyApplication,
  work: () => Promise<unknown>,
): Promise<CapturedTransientEvent[]> {
  const captured: CapturedTransientEvent[] = [];
  const stop = app.get(TransientEvents, { strict: false }).onPublished(({ event, audience, options }) => {
    captured.push({ event, audience: [...audience.ids()], options });
  });
  try {
    await work();
  } finally {
    stop();
  }
  noteSeenEvents(captured.map(({ event }) => event));
  for (const { event, options } of captured) contractCheck.checkEvent(personalForm(event, options));
  return captured;
}

/** The event as received by one person, if it has personal keys. */
function personalForm(event: ServerEvent, { personal }: EmitOptions): ServerEvent {
  const [extra] = personal?.values() ?? [];
  return { ...event, ...extra };
}
