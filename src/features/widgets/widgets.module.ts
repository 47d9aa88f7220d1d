import { Module } from '@nestjs/common';
import { MessagesModule } from '../messages';
import { UsersModule } from '../users';
import { SubmessageRowsService } from './submessage-rows.service';
import { SubmessagesService } from './submessages.service';
import { WidgetsController } from './widgets.controller';

/** Polls, to-do lists and other messages that readers take part in. */
@Module({
  imports: [UsersModule, MessagesModule],
  controllers: [WidgetsController],
  providers: [SubmessageRowsService, SubmessagesService],
  exports: [SubmessageRowsService],
})
export class WidgetsModule {}
