import { Module } from '@nestjs/common';
import { EmojiModule } from '../emoji';
import { MessagesModule } from '../messages';
import { UsersModule } from '../users';
import { ReactionsController } from './reactions.controller';
import { ReactionsService } from './reactions.service';

/** Reactions to messages. */
@Module({
  imports: [UsersModule, MessagesModule, EmojiModule],
  controllers: [ReactionsController],
  providers: [ReactionsService],
  exports: [ReactionsService],
})
export class ReactionsModule {}
