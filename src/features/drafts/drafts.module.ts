import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Migrations } from '../../platform/database/database.options';
import { ChannelsModule } from '../channels/channels.module';
import { MessagesModule } from '../messages/messages.module';
import { UsersModule } from '../users/users.module';
import { DraftContentService, DraftsService } from './drafts.service';
import {
  DraftsController,
  DraftsGuard,
  RemindersController,
  ScheduledMessagesController,
} from './drafts.controller';
import { Draft, Reminder, ScheduledMessage, SentScheduledMessage } from './drafts.entity';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { UserGroupsModule } from '../user-groups/user-groups.module';
import {
  CheckScheduledService,
  ScheduledMessageRowsService,
} from './scheduled/scheduled-message-rows.service';
import { DeliverScheduledService } from './scheduled/deliver-scheduled.service';
import { DeliverReminderService, ReminderRowsService, RemindersService } from './reminders/reminders.service';
import { ForgetDeletedService, ReminderTextService } from './reminders/reminder-text.service';
import { ScheduledMessagesService } from './scheduled/scheduled-messages.service';
import { SentScheduledMessages1700000000047 } from './0047-sent-scheduled-messages.migration';

/** Drafts, scheduled messages, reminders. */
@Migrations(SentScheduledMessages1700000000047)
@Module({
  imports: [
    TypeOrmModule.forFeature([Draft, ScheduledMessage, SentScheduledMessage, Reminder]),
    UsersModule,
    ChannelsModule,
    MessagesModule,
    OrganizationSettingsModule,
    UserGroupsModule,
  ],
  controllers: [DraftsController, ScheduledMessagesController, RemindersController],
  providers: [
    DraftsService,
    DraftContentService,
    DraftsGuard,
    ScheduledMessageRowsService,
    CheckScheduledService,
    ScheduledMessagesService,
    DeliverScheduledService,
    ReminderRowsService,
    ReminderTextService,
    RemindersService,
    DeliverReminderService,
    ForgetDeletedService,
  ],
  exports: [ScheduledMessageRowsService],
})
export class DraftsModule {}

// Exports for other features.
export type { ScheduledMessage } from './drafts.entity';
export { MAX_DRAFTS } from './drafts.api';
export { SCHEDULED_OF_PERSON, ScheduledMessageRowsService } from './scheduled/scheduled-message-rows.service';
