import { Module } from '@nestjs/common';
import { Tables } from '../../platform/database/tables.decorator';
import { ChannelsModule } from '../channels/channels.module';
import { MessagesModule } from '../messages/messages.module';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { UserGroupsModule } from '../user-groups/user-groups.module';
import { UsersModule } from '../users/users.module';
import { CheckScheduledService } from './check-scheduled.service';
import { DeliverScheduledService } from './deliver-scheduled.service';
import { DeliverReminderService } from './reminders/deliver-reminder.service';
import { ForgetDeletedService } from './reminders/forget-deleted.service';
import { ReminderRowsService } from './reminders/reminder-rows.service';
import { ReminderTextService } from './reminders/reminder-text.service';
import { RemindersController } from './reminders/reminders.controller';
import { RemindersService } from './reminders/reminders.service';
import { ScheduledMessageRowsService } from './scheduled-message-rows.service';
import { ScheduledMessagesController } from './scheduled-messages.controller';
import { ScheduledMessagesService } from './scheduled-messages.service';
import { ScheduledMessage } from './scheduled-message.entity';
import { Reminder } from './reminders/reminder.entity';

/** Messages that are sent later, and reminders of messages. */
@Tables({ entities: [ScheduledMessage, Reminder] })
@Module({
  imports: [OrganizationSettingsModule, UsersModule, UserGroupsModule, ChannelsModule, MessagesModule],
  controllers: [ScheduledMessagesController, RemindersController],
  providers: [
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
export class ScheduledMessagesModule {}
