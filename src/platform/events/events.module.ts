import { Global, Module } from '@nestjs/common';
import { MetricsModule } from '../metrics/metrics';
import { RedisLink } from '../redis/redis-link';
import { WorkerLink } from '../workers/worker-link';
import { WorkersModule } from '../workers/workers.module';
import { RedisModule } from '../redis/redis.module';
import { AudienceStore } from './audience';
import { EventLogMetrics, EventLogReader, InProcessWakeUp, NodeWakeUp, WakeUp } from './event-log-reader';
import { EventLog, EventLogWriter } from './event-log.service';
import { InProcessTransientEvents, NodeTransientEvents, TransientEvents } from './transient-events';
import { QueueHandover } from './queue-handover';
import { Directories } from './directories';

type Links = readonly [redis: RedisLink | null, workers: WorkerLink | null];

/** Redis reaches the workers of this server like any other node. */
function linkOf([redis, workers]: Links): RedisLink | WorkerLink | null {
  return redis ?? workers;
}

/** The durable event log, the directories in memory that follow it, and transient events. */
@Global()
@Module({
  imports: [MetricsModule, RedisModule, WorkersModule],
  providers: [
    AudienceStore,
    EventLog,
    EventLogMetrics,
    EventLogReader,
    EventLogWriter,
    Directories,
    {
      provide: QueueHandover,
      inject: [RedisLink, WorkerLink],
      useFactory: (...links: Links) => new QueueHandover(linkOf(links)),
    },
    {
      provide: WakeUp,
      inject: [RedisLink, WorkerLink],
      useFactory: (...links: Links) => {
        const link = linkOf(links);
        return link ? new NodeWakeUp(link) : new InProcessWakeUp();
      },
    },
    {
      provide: TransientEvents,
      inject: [RedisLink, WorkerLink],
      useFactory: (...links: Links) => {
        const link = linkOf(links);
        return link ? new NodeTransientEvents(link) : new InProcessTransientEvents();
      },
    },
  ],
  exports: [EventLog, EventLogReader, EventLogWriter, QueueHandover, Directories, TransientEvents, WakeUp],
})
export class EventsModule {}
