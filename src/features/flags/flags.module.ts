import { Module } from '@nestjs/common';
import { ChannelsModule } from '../channels/channels.module';
import { MessagesModule } from '../messages/messages.module';
import { PersonalModule } from '../personal/personal.module';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { UsersModule } from '../users/users.module';
import { ChangeFlagsService } from './change-flags.service';
import { MarkAsReadController } from './mark-as-read.controller';
import { MarkAsReadService } from './mark-as-read.service';
import { FlagsStateService } from './flags-state.service';
import { FlagsController, ReadReceiptsController } from './flags.controller';
import { ReadReceiptsService } from './read-receipts.service';
import { UnreadService } from './unread.service';
import { UpdateFlagsService } from './update-flags.service';

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

// What other features may import.
export { MarkAsReadService } from './mark-as-read.service';
export { UpdateFlagsService } from './update-flags.service';
