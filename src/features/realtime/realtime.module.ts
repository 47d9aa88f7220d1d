import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChannelsModule } from '../channels/channels.module';
import { MessagesModule } from '../messages/messages.module';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { UsersModule } from '../users/users.module';
import { DeliverEventsService } from './polling/deliver-events.service';
import { EventQueuesController, RegisterController } from './realtime.controller';
import { EventQueuesService, QueueLifetimesService } from './queues/event-queues.service';
import { LiveQueues } from './queues/live-queues.directory';
import { OutgoingEventsService } from './queues/outgoing-events.service';
import { InitialStateService, RegisterService } from './registration/register.service';
import { PastEventsService, PollEventsService } from './polling/poll-events.service';
import { QueueOptionsService } from './registration/queue-options.service';
import { QueueMaintenanceService, ServerStartService } from './queue-maintenance.service';
import { SentEchoService } from './sent-echo.service';
import { EventQueue, SentEcho } from './realtime.entity';

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

// Exports for other features.
export { numberOf } from './queues/live-queue';
export { RegisterService } from './registration/register.service';
export { ServerStartService } from './queue-maintenance.service';
