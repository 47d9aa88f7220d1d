import { Module } from '@nestjs/common';
import { Tables } from '../../platform/database/tables.decorator';
import { Database } from '../../platform/database/database.service';
import { AlertWordsModule } from '../alert-words';
import { ChannelsModule } from '../channels';
import { MutedUsersModule } from '../muted-users';
import { OrganizationSettingsModule } from '../organization-settings';
import { TopicsModule } from '../topics';
import { UserGroupsModule } from '../user-groups';
import { UsersModule } from '../users';
import { AutomaticTopicPolicyService } from './sending/automatic-topic-policy.service';
import { BotOwnerNoticeService } from './sending/bot-owner-notice.service';
import { ChannelNarrowService } from './fetching/channel-narrow.service';
import { ChannelNoticesService } from './notices/channel-notices.service';
import { ChannelTargetService, DirectMessageAccess } from './sending/destination.access';
import { DirectConversationService } from './store/direct-conversation.service';
import { EditedContentService } from './sending/edited-content.service';
import { FlaggedEventsService } from './sending/flagged-events.service';
import { MessageRecipientsService } from './sending/message-recipients.service';
import { FetchMessagesService } from './fetching/fetch-messages.service';
import { HistoricalMessageService } from './readers/historical-message.service';
import { IndexMessagesService } from './fetching/index-messages.service';
import { GroupNoticesService } from './notices/group-notices.service';
import { MarkReadService } from './unread/mark-read.service';
import { MentionAccess } from './sending/mention.access';
import { MessageAudienceService } from './readers/message-audience.service';
import { MessageCountsService } from './store/message-counts.service';
import { MessageRangeService } from './fetching/message-range.service';
import { MessageRecordsService } from './store/message-records.service';
import { MessageRendererService } from './markdown/message-renderer.service';
import { MessageScanService } from './scan/message-scan.service';
import { MessageRowsService } from './store/message-rows.service';
import { MessageStoreService } from './sending/message-store.service';
import { MessageTextService } from './sending/message-text.service';
import { MessageWriterService } from './sending/message-writer.service';
import { MessageAccess } from './readers/message.access';
import { MessagesController } from './messages.controller';
import { MutedSendersService } from './unread/muted-senders.service';
import { MessagesStateService } from './messages-state.service';
import { NarrowService } from './fetching/narrow.service';
import { ParticipationService } from './store/participation.service';
import { PeopleNarrowService } from './fetching/people-narrow.service';
import { PersonalFlagRowsService } from './readers/personal-flag-rows.service';
import { PersonalFlagsService } from './readers/personal-flags.service';
import { PersonalMessagesService } from './unread/personal-messages.service';
import { ReadRowsService } from './readers/read-rows.service';
import { ReadStateService } from './readers/read-state.service';
import { ReadWatermarkService } from './readers/read-watermark.service';
import { SearchMessagesService } from './fetching/search-messages.service';
import { PostgresSearchIndex } from './fetching/postgres-search-index';
import { SearchIndex } from './fetching/search-index';
import { SqliteSearchIndex } from './fetching/sqlite-search-index';
import { SendMessageService } from './sending/send-message.service';
import { SettledMessagesService } from './store/settled-messages.service';
import { SystemMessageService } from './sending/system-message.service';
import { DirectConversationMember } from './store/direct-conversation-member.entity';
import { DirectConversation } from './store/direct-conversation.entity';
import { MentionSetMember } from './store/mention-set-member.entity';
import { MentionSet } from './store/mention-set.entity';
import { MessageFlag } from './store/message-flag.entity';
import { Message } from './store/message.entity';
import { ReadBlock } from './store/read-block.entity';
import { ReadWatermark } from './store/read-watermark.entity';

const sending = [
  ChannelNoticesService,
  ChannelTargetService,
  DirectMessageAccess,
  GroupNoticesService,
  MessageStoreService,
  MessageWriterService,
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
  MessageScanService,
  MutedSendersService,
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
  DirectConversationService,
  DirectMessageAccess,
  EditedContentService,
  FlaggedEventsService,
  HistoricalMessageService,
  IndexMessagesService,
  MarkReadService,
  MentionAccess,
  MessageAccess,
  MessageAudienceService,
  MessageCountsService,
  MessageRangeService,
  MessageRecipientsService,
  MessageRecordsService,
  MessageRowsService,
  MessageRendererService,
  MessageTextService,
  PersonalFlagRowsService,
  PersonalMessagesService,
  ReadStateService,
  SendMessageService,
  SystemMessageService,
];

/**
 * Messages in channels and between people: sending, rendering, fetching, narrows, search, and the rows that say who
 * received, read and flagged what.
 */
@Tables({
  entities: [
    DirectConversationMember,
    DirectConversation,
    MentionSetMember,
    MentionSet,
    MessageFlag,
    Message,
    ReadBlock,
    ReadWatermark,
  ],
})
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
