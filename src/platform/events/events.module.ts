import { Global, Module } from '@nestjs/common';
import { Config } from '../config/config';
import { CommittedReads } from '../database/queryable';
import { AudienceStore } from './audience-store';
import { EventLogReader } from './event-log-reader';
import { EventLogWriter } from './event-log-writer';
import { EventLog } from './event-log.service';
import { LogClaims } from './log-claims';
import { NodeTransientEvents } from './node-transient-events';
import { NodeWakeUp } from './node-wake-up';
import { RedisLink } from './redis-link';
import { SnapshotRegistry } from './snapshot-registry';
import { InProcessTransientEvents, TransientEvents } from './transient-events';
import { InProcessWakeUp, WakeUp } from './wake-up';

/** The way to other nodes; null where there are none. */
const REDIS_LINK = Symbol('RedisLink');

/** The durable event log, the snapshots in memory that follow it, and events that are not kept. */
@Global()
@Module({
  providers: [
    AudienceStore,
    EventLog,
    EventLogReader,
    EventLogWriter,
    LogClaims,
    SnapshotRegistry,
    {
      provide: REDIS_LINK,
      inject: [Config, CommittedReads],
      // A database file has one node.
      useFactory: ({ redisUrl, databaseUrl }: Config, database: CommittedReads) =>
        redisUrl !== null && databaseUrl !== null ? new RedisLink(redisUrl, database) : null,
    },
    {
      provide: WakeUp,
      inject: [REDIS_LINK],
      useFactory: (link: RedisLink | null) => (link ? new NodeWakeUp(link) : new InProcessWakeUp()),
    },
    {
      provide: TransientEvents,
      inject: [REDIS_LINK],
      useFactory: (link: RedisLink | null) =>
        link ? new NodeTransientEvents(link) : new InProcessTransientEvents(),
    },
  ],
  exports: [EventLog, EventLogReader, EventLogWriter, LogClaims, SnapshotRegistry, TransientEvents, WakeUp],
})
export class EventsModule {}
