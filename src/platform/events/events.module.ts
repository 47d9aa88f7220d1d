import { Global, Module } from '@nestjs/common';
import { MetricsModule } from '../metrics/metrics.module';
import { RedisLink } from '../redis/redis-link';
import { RedisModule } from '../redis/redis.module';
import { AudienceStore } from './audience';
import { EventLogMetrics, EventLogReader } from './event-log-reader';
import { EventLog, EventLogWriter } from './event-log.service';
import { InProcessTransientEvents, NodeTransientEvents, TransientEvents } from './transient-events';
import { InProcessWakeUp, NodeWakeUp, WakeUp } from './wake-up';
import { QueueHandover } from './queue-handover';
import { Directories } from './directories';

/** The durable event log, the directories in memory that follow it, and events that are not kept. */
@Global()
@Module({
  imports: [MetricsModule, RedisModule],
  providers: [
    AudienceStore,
    EventLog,
    EventLogMetrics,
    EventLogReader,
    EventLogWriter,
    Directories,
    {
      provide: QueueHandover,
      inject: [RedisLink],
      useFactory: (link: RedisLink | null) => new QueueHandover(link),
    },
    {
      provide: WakeUp,
      inject: [RedisLink],
      useFactory: (link: RedisLink | null) => (link ? new NodeWakeUp(link) : new InProcessWakeUp()),
    },
    {
      provide: TransientEvents,
      inject: [RedisLink],
      useFactory: (link: RedisLink | null) =>
        link ? new NodeTransientEvents(link) : new InProcessTransientEvents(),
    },
  ],
  exports: [EventLog, EventLogReader, EventLogWriter, QueueHandover, Directories, TransientEvents, WakeUp],
})
export class EventsModule {}
