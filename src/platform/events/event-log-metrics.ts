import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../clock';
import { Metrics } from '../metrics/metrics';
import { EventLogReader } from './event-log-reader';
import { EventLog, type LoggedEvent } from './event-log.service';

/** Figures about the event log: how long it is, and how far and how soon this node reads it. */
@Injectable()
export class EventLogMetrics implements OnModuleDestroy {
  private readonly end: () => void;

  constructor(
    private readonly log: EventLog,
    private readonly reader: EventLogReader,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    metrics.gauges(
      {
        parley_event_log_length:
          'Numbers from the oldest event kept to the newest; a write undone leaves a gap.',
        parley_event_log_oldest_age_seconds: 'Age of the oldest event kept.',
        parley_event_log_lag: 'Numbers that are in the log and were not read by this node yet.',
      },
      () => this.read(),
    );
    const delay = metrics.durations(
      'parley_event_delay_seconds',
      'From when an event was written until this node read it, for the last of those read together.',
    );
    this.end = reader.onRows((rows) => {
      const { createdAt } = rows.at(-1) as LoggedEvent;
      // The clocks of two nodes differ.
      delay.observe(Math.max(0, this.clock.nowMs() - createdAt) / 1000);
    });
  }

  onModuleDestroy(): void {
    this.end();
  }

  private async read() {
    // In this order, since the log goes on growing and the reader goes on reading.
    const [oldest] = await this.log.readAfter(0, 1);
    const newest = await this.log.lastNumber();
    return {
      parley_event_log_length: oldest ? newest - oldest.number + 1 : 0,
      parley_event_log_oldest_age_seconds: oldest ? (this.clock.nowMs() - oldest.createdAt) / 1000 : 0,
      parley_event_log_lag: Math.max(0, newest - this.reader.position),
    };
  }
}
