import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EmojiModule } from '../emoji/emoji.module';
import { MessagesModule } from '../messages/messages.module';
import { UsersModule } from '../users/users.module';
import { ReactionsController } from './reactions.controller';
import { ReactionsService } from './reactions.service';
import { Reaction } from './reaction.entity';

/** Emoji reactions. */
@Module({
  imports: [TypeOrmModule.forFeature([Reaction]), UsersModule, MessagesModule, EmojiModule],
  controllers: [ReactionsController],
  providers: [ReactionsService],
  exports: [ReactionsService],
})
export class ReactionsModule {}

// Exports for other features.
export { ReactionsService } from './reactions.service';
