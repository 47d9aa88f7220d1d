import { Module } from '@nestjs/common';
import { ChannelsModule } from '../channels/channels.module';
import { MessagesModule } from '../messages/messages.module';
import { PersonalModule } from '../personal/personal.module';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { UsersModule } from '../users/users.module';
import { ChangeFlagsService } from './change-flags.service';
import { FlagsController, MarkAsReadController, ReadReceiptsController } from './flags.controller';
import { MarkAsReadService, ReadReceiptsService, UpdateFlagsService } from './flags.service';
import { FlagsStateService, UnreadService } from './unread.service';

/** Message flags, unread counts, read receipts. */
@Module({
  imports: [OrganizationSettingsModule, UsersModule, PersonalModule, ChannelsModule, MessagesModule],
  controllers: [MarkAsReadController, FlagsController, ReadReceiptsController],
  providers: [
    ChangeFlagsService,
    MarkAsReadService,
    FlagsStateService,
    ReadReceiptsService,
    UnreadService,
    UpdateFlagsService,
  ],
  exports: [MarkAsReadService, UnreadService, UpdateFlagsService],
})
export class FlagsModule {}

// Exports for other features.
export { MarkAsReadService, UpdateFlagsService } from './flags.service';
