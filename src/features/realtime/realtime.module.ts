import { Module } from '@nestjs/common';
import { ChannelsModule } from '../channels';
import { MessagesModule } from '../messages';
import { OrganizationSettingsModule } from '../organization-settings';
import { UsersModule } from '../users';
import { DeliverEventsService } from './deliver-events.service';
import { EventQueuesController } from './event-queues.controller';
import { EventQueuesService } from './event-queues.service';
import { LiveQueues } from './live-queues.directory';
import { OutgoingEventsService } from './outgoing-events.service';
import { InitialStateService } from './initial-state.service';
import { PastEventsService } from './past-events.service';
import { PollEventsService } from './poll-events.service';
import { QueueLifetimesService } from './queue-lifetimes.service';
import { QueueOptionsService } from './queue-options.service';
import { QueueMaintenanceService } from './queue-maintenance.service';
import { QueuesDataService } from './queues-data.service';
import { RegisterController } from './register.controller';
import { RegisterService } from './register.service';
import { SentEchoService } from './sent-echo.service';
import { ServerStartService } from './server-start.service';

/** Registering clients, and telling them what happens. */
@Module({
  imports: [OrganizationSettingsModule, UsersModule, ChannelsModule, MessagesModule],
  controllers: [RegisterController, EventQueuesController],
  providers: [
    DeliverEventsService,
    EventQueuesService,
    InitialStateService,
    LiveQueues,
    OutgoingEventsService,
    PastEventsService,
    PollEventsService,
    QueueLifetimesService,
    QueueOptionsService,
    QueueMaintenanceService,
    QueuesDataService,
    RegisterService,
    SentEchoService,
    ServerStartService,
  ],
})
export class RealtimeModule {}
