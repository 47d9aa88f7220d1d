import { Module } from '@nestjs/common';
import { ChannelsModule } from '../channels/channels.module';
import { MessagesModule } from '../messages/messages.module';
import { MutedUsersModule } from '../muted-users/muted-users.module';
import { OrganizationModule } from '../organization/organization.module';
import { UsersModule } from '../users/users.module';
import { ChangeFlagsService } from './change-flags.service';
import { MarkAsReadController } from './mark-as-read.controller';
import { MarkAsReadService } from './mark-as-read.service';
import { MessageFlagsStateService } from './message-flags-state.service';
import { MessageFlagsController } from './message-flags.controller';
import { NarrowFlagsService } from './narrow-flags.service';
import { ReadReceiptsController } from './read-receipts.controller';
import { ReadReceiptsService } from './read-receipts.service';
import { UnreadPlacesService } from './unread-places.service';
import { UnreadService } from './unread.service';
import { UpdateFlagsService } from './update-flags.service';

/** What people note on messages for themselves: read, starred, collapsed; and who has read a message. */
@Module({
  imports: [OrganizationModule, UsersModule, MutedUsersModule, ChannelsModule, MessagesModule],
  controllers: [MarkAsReadController, MessageFlagsController, ReadReceiptsController],
  providers: [
    ChangeFlagsService,
    MarkAsReadService,
    MessageFlagsStateService,
    NarrowFlagsService,
    ReadReceiptsService,
    UnreadPlacesService,
    UnreadService,
    UpdateFlagsService,
  ],
  exports: [MarkAsReadService, UnreadService, UpdateFlagsService],
})
export class MessageFlagsModule {}
