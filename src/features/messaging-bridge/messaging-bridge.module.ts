import { Module } from '@nestjs/common';
import { Tables } from '../../platform/database/tables.decorator';
import { ChannelsModule } from '../channels/channels.module';
import { MessagesModule } from '../messages/messages.module';
import { UsersModule } from '../users/users.module';
import { BridgePlaceService } from './bridge-place.service';
import { ConversationDirectory } from './conversation.directory';
import { DeliverAnswersService } from './deliver-answers.service';
import { ExpireMessagingService } from './expire-messaging.service';
import { HandOnAnswerService } from './hand-on-answer.service';
import { MessagingController } from './messaging.controller';
import { MockLogService } from './mock-log.service';
import { NoteAnswersService } from './note-answers.service';
import { ReadDeliveryService } from './read-delivery.service';
import { ReceiveMessagesService } from './receive-messages.service';
import { MessagingConversation } from './messaging-conversation.entity';
import { MessagingReceipt } from './messaging-receipt.entity';
import { MessagingMockEntry } from './messaging-mock-entry.entity';

/** Messages from people outside, who have a topic each, and the answers to them, delivered through a provider by jobs. */
@Tables({ entities: [MessagingConversation, MessagingReceipt, MessagingMockEntry] })
@Module({
  imports: [UsersModule, ChannelsModule, MessagesModule],
  controllers: [MessagingController],
  providers: [
    BridgePlaceService,
    ConversationDirectory,
    DeliverAnswersService,
    ExpireMessagingService,
    HandOnAnswerService,
    MockLogService,
    NoteAnswersService,
    ReadDeliveryService,
    ReceiveMessagesService,
  ],
})
export class MessagingBridgeModule {}
