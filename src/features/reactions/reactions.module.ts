import { Module } from '@nestjs/common';
import { Tables } from '../../platform/database/tables.decorator';
import { EmojiModule } from '../emoji';
import { MessagesModule } from '../messages';
import { UsersModule } from '../users';
import { ReactionsController } from './reactions.controller';
import { ReactionsService } from './reactions.service';
import { Reaction } from './reaction.entity';

/** Reactions to messages. */
@Tables({ entities: [Reaction] })
@Module({
  imports: [UsersModule, MessagesModule, EmojiModule],
  controllers: [ReactionsController],
  providers: [ReactionsService],
  exports: [ReactionsService],
})
export class ReactionsModule {}
