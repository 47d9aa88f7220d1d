import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MessagesModule } from '../messages/messages.module';
import { UsersModule } from '../users/users.module';
import { SubmessageRowsService } from './submessage-rows.service';
import { SubmessagesService } from './submessages.service';
import { WidgetsController } from './widgets.controller';
import { Submessage } from './submessage.entity';

/** Polls, to-do lists and other interactive messages. */
@Module({
  imports: [TypeOrmModule.forFeature([Submessage]), UsersModule, MessagesModule],
  controllers: [WidgetsController],
  providers: [SubmessageRowsService, SubmessagesService],
  exports: [SubmessageRowsService],
})
export class WidgetsModule {}

// What other features may import.
export { SubmessageRowsService } from './submessage-rows.service';
