import { Module } from '@nestjs/common';
import { ChannelsModule } from '../channels/channels.module';
import { MessageChangesModule } from '../message-changes/message-changes.module';
import { MessagesModule } from '../messages/messages.module';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { UsersModule } from '../users/users.module';
import { EditTypingService } from './edit-typing.service';
import { TypingChannelAccess } from './typing-channel.access';
import { TypingController } from './typing.controller';
import { TypingPeopleService } from './typing-people.service';
import { TypingService } from './typing.service';

/** Typing notifications. */
@Module({
  imports: [OrganizationSettingsModule, UsersModule, ChannelsModule, MessagesModule, MessageChangesModule],
  controllers: [TypingController],
  providers: [TypingService, EditTypingService, TypingPeopleService, TypingChannelAccess],
})
export class TypingModule {}
