import { Global, Module } from '@nestjs/common';
import { AudienceStore } from './audience-store';
import { EventLogWriter } from './event-log-writer';
import { EventLog } from './event-log.service';
import { SnapshotRegistry } from './snapshot-registry';
import { InProcessWakeUp, WakeUp } from './wake-up';

/** The durable event log, and the snapshots in memory that follow it. */
@Global()
@Module({
  providers: [
    AudienceStore,
    EventLog,
    EventLogWriter,
    SnapshotRegistry,
    { provide: WakeUp, useClass: InProcessWakeUp },
  ],
  exports: [EventLog, EventLogWriter, SnapshotRegistry, WakeUp],
})
export class EventsModule {}
