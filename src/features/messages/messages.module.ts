import { Module } from '@nestjs/common';
import { ChannelsModule } from '../channels/channels.module';
import { OrganizationModule } from '../organization/organization.module';
import { UserGroupsModule } from '../user-groups/user-groups.module';
import { UsersModule } from '../users/users.module';
import { AutomaticTopicPolicyService } from './automatic-topic-policy.service';
import { BotOwnerNoticeService } from './bot-owner-notice.service';
import { ChannelNarrowService } from './channel-narrow.service';
import { ChannelNoticesService } from './channel-notices.service';
import { ChannelTargetService } from './channel-target.service';
import { ChannelUpkeepService } from './channel-upkeep.service';
import { DirectConversationService } from './direct-conversation.service';
import { DirectMessageAccess } from './direct-message.access';
import { FetchMessagesService } from './fetch-messages.service';
import { HistoricalMessageService } from './historical-message.service';
import { GroupNoticesService } from './group-notices.service';
import { MarkReadService } from './mark-read.service';
import { MentionAccess } from './mention.access';
import { MessageAudienceService } from './message-audience.service';
import { MessageContributorRegistry } from './message-contributor.registry';
import { MessageDeliveryService } from './message-delivery.service';
import { MessageObserverRegistry } from './message-observer.registry';
import { MessageRangeService } from './message-range.service';
import { MessageRecordsService } from './message-records.service';
import { MessageRendererService } from './message-renderer.service';
import { MessageScanService } from './message-scan.service';
import { MessageStoreService } from './message-store.service';
import { MessageWriterService } from './message-writer.service';
import { MessageAccess } from './message.access';
import { MessagesController } from './messages.controller';
import { NarrowService } from './narrow.service';
import { OutgoingContentService } from './outgoing-content.service';
import { PeopleNarrowService } from './people-narrow.service';
import { PersonalFlagsService } from './personal-flags.service';
import { ReactionFactService } from './reaction-fact.service';
import { ReadStateService } from './read-state.service';
import { RenderingRegistry } from './rendering.registry';
import { SendChannelMessageService } from './send-channel-message.service';
import { SendDirectMessageService } from './send-direct-message.service';
import { SendMessageService } from './send-message.service';
import { SystemMessageService } from './system-message.service';
import { TopicListService } from './topic-list.service';
import { TopicsController } from './topics.controller';

const sending = [
  BotOwnerNoticeService,
  ChannelNoticesService,
  ChannelTargetService,
  ChannelUpkeepService,
  DirectMessageAccess,
  GroupNoticesService,
  MentionAccess,
  MessageDeliveryService,
  MessageStoreService,
  MessageWriterService,
  OutgoingContentService,
  SendChannelMessageService,
  SendDirectMessageService,
];

const reading = [
  ChannelNarrowService,
  FetchMessagesService,
  MessageRangeService,
  MessageScanService,
  NarrowService,
  PeopleNarrowService,
  PersonalFlagsService,
  TopicListService,
];

/** What other features stand on. */
const shared = [
  AutomaticTopicPolicyService,
  DirectConversationService,
  HistoricalMessageService,
  MarkReadService,
  MessageAccess,
  MessageAudienceService,
  MessageContributorRegistry,
  MessageObserverRegistry,
  MessageRecordsService,
  MessageRendererService,
  ReactionFactService,
  ReadStateService,
  RenderingRegistry,
  SendMessageService,
  SystemMessageService,
];

/** Messages in channels and between people: sending, rendering, fetching, and what each person has read. */
@Module({
  imports: [OrganizationModule, UsersModule, UserGroupsModule, ChannelsModule],
  controllers: [MessagesController, TopicsController],
  providers: [...sending, ...reading, ...shared],
  exports: shared,
})
export class MessagesModule {}
