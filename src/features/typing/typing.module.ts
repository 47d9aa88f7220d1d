import { Module } from '@nestjs/common';
import { ChannelsModule } from '../channels';
import { MessageChangesModule } from '../message-changes';
import { MessagesModule } from '../messages';
import { OrganizationSettingsModule } from '../organization-settings';
import { UsersModule } from '../users';
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
