import { Module } from '@nestjs/common';
import { Database } from '../../platform/database/database.service';
import { AlertWordsModule } from '../alert-words';
import { ChannelsModule } from '../channels';
import { MutedUsersModule } from '../muted-users';
import { OrganizationSettingsModule } from '../organization-settings';
import { TopicsModule } from '../topics';
import { UserGroupsModule } from '../user-groups';
import { UsersModule } from '../users';
import { AutomaticTopicPolicyService } from './automatic-topic-policy.service';
import { BotOwnerNoticeService } from './bot-owner-notice.service';
import { ChannelNarrowService } from './narrow/channel-narrow.service';
import { ChannelNoticesService } from './sending/channel-notices.service';
import { ChannelTargetService } from './sending/channel-target.service';
import { ChannelActivityService } from './channel-activity.service';
import { DirectConversationService } from './direct-conversation.service';
import { DirectMessageAccess } from './direct-message.access';
import { EditedContentService } from './edited-content.service';
import { FlaggedEventsService } from './flagged-events.service';
import { MessageRecipientsService } from './sending/message-recipients.service';
import { ExpectedMessagesService } from './expected-messages.service';
import { FetchMessagesService } from './reading/fetch-messages.service';
import { HistoricalMessageService } from './historical-message.service';
import { IndexMessagesService } from './index-messages.service';
import { GroupNoticesService } from './sending/group-notices.service';
import { MarkReadService } from './mark-read.service';
import { MatchMessagesService } from './narrow/match-messages.service';
import { MentionAccess } from './mention.access';
import { MessageAudienceService } from './message-audience.service';
import { MessageContributorRegistry } from './message-contributor.registry';
import { MessageDeliveryService } from './sending/message-delivery.service';
import { MessageObserverRegistry } from './message-observer.registry';
import { MessageRangeService } from './reading/message-range.service';
import { MessageReadersService } from './message-readers.service';
import { MessageRecordsService } from './message-records.service';
import { MessageRendererService } from './message-renderer.service';
import { MessageScanService } from './narrow/message-scan.service';
import { MessageStoreService } from './sending/message-store.service';
import { MessageTextService } from './message-text.service';
import { MessageWriterService } from './sending/message-writer.service';
import { MessageAccess } from './message.access';
import { MessagesController } from './messages.controller';
import { MutedSendersService } from './reading/muted-senders.service';
import { MutedMessagesService } from './muted-messages.service';
import { MessagesDataService } from './messages-data.service';
import { MessagesStateService } from './messages-state.service';
import { NarrowService } from './narrow/narrow.service';
import { NarrowedRangeService } from './narrowed-range.service';
import { OutgoingContentService } from './outgoing-content.service';
import { ParticipationService } from './participation.service';
import { PeopleNarrowService } from './narrow/people-narrow.service';
import { PersonalFlagRowsService } from './personal-flag-rows.service';
import { PersonalFlagsService } from './reading/personal-flags.service';
import { ReactionFactService } from './reaction-fact.service';
import { ReadRowsService } from './reading/read-rows.service';
import { ReadStateService } from './read-state.service';
import { ReadWatermarkService } from './reading/read-watermark.service';
import { RenderingRegistry } from './rendering.registry';
import { SearchMessagesService } from './search/search-messages.service';
import { PostgresSearchIndex } from './search/postgres-search-index';
import { SearchIndex } from './search/search-index';
import { SqliteSearchIndex } from './search/sqlite-search-index';
import { SendChannelMessageService } from './sending/send-channel-message.service';
import { SendDirectMessageService } from './sending/send-direct-message.service';
import { SendMessageService } from './send-message.service';
import { SentEchoRegistry } from './sent-echo.registry';
import { SettledMessagesService } from './reading/settled-messages.service';
import { SentMessagesService } from './sent-messages.service';
import { StarredMessagesService } from './starred-messages.service';
import { SystemMessageService } from './system-message.service';
import { UnfinishedWorkService } from './unfinished-work.service';
import { UnreadMessagesService } from './unread-messages.service';

const sending = [
  ChannelNoticesService,
  ChannelTargetService,
  ChannelActivityService,
  DirectMessageAccess,
  GroupNoticesService,
  MessageDeliveryService,
  MessageStoreService,
  MessageWriterService,
  SendChannelMessageService,
  SendDirectMessageService,
];

const searching = [
  SearchMessagesService,
  {
    provide: SearchIndex,
    inject: [Database],
    useFactory: ({ engine }: Database) =>
      engine === 'sqlite' ? new SqliteSearchIndex() : new PostgresSearchIndex(),
  },
];

const reading = [
  ChannelNarrowService,
  FetchMessagesService,
  MatchMessagesService,
  MessageRangeService,
  MessageScanService,
  MutedSendersService,
  MessagesDataService,
  MessagesStateService,
  NarrowService,
  ParticipationService,
  PeopleNarrowService,
  PersonalFlagsService,
  ReadRowsService,
  ReadWatermarkService,
  SettledMessagesService,
];

/** What other features stand on. */
const shared = [
  AutomaticTopicPolicyService,
  BotOwnerNoticeService,
  ChannelActivityService,
  DirectConversationService,
  DirectMessageAccess,
  EditedContentService,
  ExpectedMessagesService,
  FlaggedEventsService,
  HistoricalMessageService,
  IndexMessagesService,
  MarkReadService,
  MentionAccess,
  MessageAccess,
  MessageAudienceService,
  MessageContributorRegistry,
  MessageObserverRegistry,
  MessageReadersService,
  MessageRecipientsService,
  MessageRecordsService,
  MessageRendererService,
  MessageTextService,
  MutedMessagesService,
  NarrowedRangeService,
  OutgoingContentService,
  PersonalFlagRowsService,
  ReactionFactService,
  ReadStateService,
  RenderingRegistry,
  SendMessageService,
  SentEchoRegistry,
  SentMessagesService,
  StarredMessagesService,
  SystemMessageService,
  UnfinishedWorkService,
  UnreadMessagesService,
];

/** Messages in channels and between people: sending, rendering, fetching, and what each person has read. */
@Module({
  imports: [
    OrganizationSettingsModule,
    UsersModule,
    AlertWordsModule,
    MutedUsersModule,
    UserGroupsModule,
    ChannelsModule,
    TopicsModule,
  ],
  controllers: [MessagesController],
  providers: [...sending, ...searching, ...reading, ...shared],
  exports: shared,
})
export class MessagesModule {}
