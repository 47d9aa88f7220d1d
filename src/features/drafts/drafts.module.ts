import { Module } from '@nestjs/common';
import { ChannelsModule } from '../channels';
import { MessagesModule } from '../messages';
import { UsersModule } from '../users';
import { DraftContentService } from './draft-content.service';
import { DraftsController } from './drafts.controller';
import { DraftsGuard } from './drafts.guard';
import { DraftsService } from './drafts.service';

/** Drafts: what people have begun to write, on each of their devices, with the time of each. */
@Module({
  imports: [UsersModule, ChannelsModule, MessagesModule],
  controllers: [DraftsController],
  providers: [DraftsService, DraftContentService, DraftsGuard],
})
export class DraftsModule {}
