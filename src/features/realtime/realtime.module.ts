import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChannelsModule } from '../channels/channels.module';
import { MessagesModule } from '../messages/messages.module';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { UsersModule } from '../users/users.module';
import { DeliverEventsService } from './polling/deliver-events.service';
import { EventQueuesController } from './polling/event-queues.controller';
import { EventQueuesService } from './queues/event-queues.service';
import { LiveQueues } from './queues/live-queues.directory';
import { OutgoingEventsService } from './queues/outgoing-events.service';
import { InitialStateService } from './registration/initial-state.service';
import { PastEventsService } from './polling/past-events.service';
import { PollEventsService } from './polling/poll-events.service';
import { QueueLifetimesService } from './queues/queue-lifetimes.service';
import { QueueOptionsService } from './registration/queue-options.service';
import { QueueMaintenanceService } from './queue-maintenance.service';
import { RegisterController } from './registration/register.controller';
import { RegisterService } from './registration/register.service';
import { SentEchoService } from './sent-echo.service';
import { ServerStartService } from './server-start.service';
import { EventQueue } from './queues/event-queue.entity';
import { SentEcho } from './sent-echo.entity';

/** Client registration, event queues, long polling. */
@Module({
  imports: [
    TypeOrmModule.forFeature([EventQueue, SentEcho]),
    OrganizationSettingsModule,
    UsersModule,
    ChannelsModule,
    MessagesModule,
  ],
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
    RegisterService,
    SentEchoService,
    ServerStartService,
  ],
  exports: [RegisterService],
})
export class RealtimeModule {}

// What other features may import.
export { numberOf } from './queues/live-queue';
export { RegisterService } from './registration/register.service';
export { ServerStartService } from './server-start.service';
