import { Module } from '@nestjs/common';
import { Tables } from '../../platform/database/tables.decorator';
import { ChannelsModule } from '../channels/channels.module';
import { MessagesModule } from '../messages/messages.module';
import { UsersModule } from '../users/users.module';
import { DraftContentService } from './draft-content.service';
import { DraftsController } from './drafts.controller';
import { DraftsGuard } from './drafts.guard';
import { DraftsService } from './drafts.service';
import { Draft } from './draft.entity';

/** Drafts: what people have begun to write, on each of their devices, with the time of each. */
@Tables({ entities: [Draft] })
@Module({
  imports: [UsersModule, ChannelsModule, MessagesModule],
  controllers: [DraftsController],
  providers: [DraftsService, DraftContentService, DraftsGuard],
})
export class DraftsModule {}
