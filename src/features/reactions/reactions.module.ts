import { Module } from '@nestjs/common';
import { EmojiModule } from '../emoji/emoji.module';
import { MessagesModule } from '../messages/messages.module';
import { UsersModule } from '../users/users.module';
import { ReactionEventsService } from './reaction-events.service';
import { ReactionRecordsService } from './reaction-records.service';
import { ReactionRowsService } from './reaction-rows.service';
import { ReactionsController } from './reactions.controller';
import { ReactionsService } from './reactions.service';

/** Reactions to messages. */
@Module({
  imports: [UsersModule, MessagesModule, EmojiModule],
  controllers: [ReactionsController],
  providers: [ReactionEventsService, ReactionRecordsService, ReactionRowsService, ReactionsService],
  exports: [ReactionsService],
})
export class ReactionsModule {}
