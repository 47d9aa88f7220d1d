import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module';
import { EmojiModule } from '../emoji/emoji.module';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { UsersModule } from '../users/users.module';
import { LastActivityService, PresenceStoreService } from './sightings/presence-store.service';
import { PresenceController } from './sightings/presence.controller';
import { PresenceDirectory } from './sightings/presence.directory';
import { PresenceListService } from './sightings/presence-list.service';
import { PresenceService } from './sightings/presence.service';
import { ShownStatusService, UserStatusService } from './status/user-status.service';
import { UserStatusController } from './status/user-status.controller';
import { Presence } from './sightings/presence.entity';
import { UserStatus } from './status/user-status.entity';
import { ChannelsModule } from '../channels/channels.module';
import { MessageChangesModule } from '../message-changes/message-changes.module';
import { MessagesModule } from '../messages/messages.module';
import { EditTypingService, TypingPeopleService, TypingService } from './typing/typing.service';
import { TypingChannelAccess } from './typing/typing-channel.access';
import { TypingController } from './typing/typing.controller';

/** Presence, user status, typing notifications. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Presence, UserStatus]),
    AuditModule,
    OrganizationSettingsModule,
    UsersModule,
    EmojiModule,
    ChannelsModule,
    MessagesModule,
    MessageChangesModule,
  ],
  controllers: [PresenceController, UserStatusController, TypingController],
  providers: [
    PresenceDirectory,
    PresenceStoreService,
    PresenceListService,
    LastActivityService,
    PresenceService,
    UserStatusService,
    ShownStatusService,
    TypingService,
    EditTypingService,
    TypingPeopleService,
    TypingChannelAccess,
  ],
  exports: [LastActivityService, UserStatusService],
})
export class PresenceModule {}

// Exports for other features.
export { LastActivityService } from './sightings/presence-store.service';
export { UserStatusService } from './status/user-status.service';
