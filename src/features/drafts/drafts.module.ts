import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Migrations } from '../../platform/database/tables';
import { ChannelsModule } from '../channels/channels.module';
import { MessagesModule } from '../messages/messages.module';
import { UsersModule } from '../users/users.module';
import { DraftContentService } from './draft-content.service';
import { DraftsController } from './drafts.controller';
import { DraftsGuard } from './drafts.guard';
import { DraftsService } from './drafts.service';
import { Draft } from './draft.entity';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { UserGroupsModule } from '../user-groups/user-groups.module';
import { CheckScheduledService } from './scheduled/check-scheduled.service';
import { DeliverScheduledService } from './scheduled/deliver-scheduled.service';
import { DeliverReminderService } from './reminders/deliver-reminder.service';
import { ForgetDeletedService } from './reminders/forget-deleted.service';
import { ReminderRowsService } from './reminders/reminder-rows.service';
import { ReminderTextService } from './reminders/reminder-text.service';
import { RemindersController } from './reminders/reminders.controller';
import { RemindersService } from './reminders/reminders.service';
import { ScheduledMessageRowsService } from './scheduled/scheduled-message-rows.service';
import { ScheduledMessagesController } from './scheduled/scheduled-messages.controller';
import { ScheduledMessagesService } from './scheduled/scheduled-messages.service';
import { ScheduledMessage, SentScheduledMessage } from './scheduled/scheduled-message.entity';
import { SentScheduledMessages1700000000047 } from './0047-sent-scheduled-messages.migration';
import { Reminder } from './reminders/reminder.entity';

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
})
export class DraftsModule {}
