import { Global, Module } from '@nestjs/common';
import { MetricsModule } from '../metrics/metrics.module';
import { RedisLink } from '../redis/redis-link';
import { RedisModule } from '../redis/redis.module';
import { AudienceStore } from './audience-store';
import { EventLogMetrics } from './event-log-metrics';
import { EventLogReader } from './event-log-reader';
import { EventLogWriter } from './event-log-writer';
import { EventLog } from './event-log.service';
import { LogClaims } from './log-claims';
import { NodeTransientEvents } from './node-transient-events';
import { NodeWakeUp } from './node-wake-up';
import { QueueHandover } from './queue-handover';
import { Directories } from './directories';
import { InProcessTransientEvents, TransientEvents } from './transient-events';
import { InProcessWakeUp, WakeUp } from './wake-up';

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
    LogClaims,
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
  exports: [
    EventLog,
    EventLogReader,
    EventLogWriter,
    LogClaims,
    QueueHandover,
    Directories,
    TransientEvents,
    WakeUp,
  ],
})
export class EventsModule {}
