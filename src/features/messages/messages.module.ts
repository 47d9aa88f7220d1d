import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Database } from '../../platform/database/database.service';
import { PersonalModule } from '../personal/personal.module';
import { ChannelsModule } from '../channels/channels.module';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { UserGroupsModule } from '../user-groups/user-groups.module';
import { UsersModule } from '../users/users.module';
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
import { UnreadPlacesService } from './unread/unread-places.service';
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
import { DirectConversationMember, DirectConversation } from './store/direct-conversation.entity';
import { MentionSetMember, MentionSet } from './store/mention-set.entity';
import { MessageFlag, Message } from './store/message.entity';
import { ReadBlock, ReadWatermark } from './store/read-block.entity';
import { SubmessageRowsService } from './widgets/submessage-rows.service';
import { Submessage } from './widgets/submessage.entity';
import { SubmessagesService } from './widgets/submessages.service';
import { WidgetsController } from './widgets/widgets.controller';

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
  UnreadPlacesService,
  ReadStateService,
  SendMessageService,
  SubmessageRowsService,
  SystemMessageService,
];

/** Messages: sending, rendering, fetching, search, per-user state, polls and to-do lists. */
@Module({
  imports: [
    TypeOrmModule.forFeature([
      DirectConversationMember,
      DirectConversation,
      MentionSetMember,
      MentionSet,
      MessageFlag,
      Message,
      ReadBlock,
      ReadWatermark,
      Submessage,
    ]),
    OrganizationSettingsModule,
    UsersModule,
    PersonalModule,
    UserGroupsModule,
    ChannelsModule,
  ],
  controllers: [MessagesController, WidgetsController],
  providers: [...sending, ...searching, ...reading, ...shared, SubmessagesService],
  exports: shared,
})
export class MessagesModule {}

// What other features may import.
export { Message } from './store/message.entity';
export { SendMessageService, type SendMessageRequest } from './sending/send-message.service';
export { SystemMessageService } from './sending/system-message.service';
export { escapeMarkdown, fenceAround, HELP_PAGES, silentMention, topicReference } from './sending/references';
export {
  ChannelNameUnknown,
  type MessageWire,
  type RecipientWire,
  sentMessageWire,
  type SentMessageWire,
  messageFlagAdded,
  messageFlagRemoved,
  type UnreadPlaceWire,
} from './store/message-records.api';
export { BotOwnerNoticeService } from './sending/bot-owner-notice.service';
export { DirectMessageAccess } from './sending/destination.access';
export { MentionAccess } from './sending/mention.access';
export { AutomaticTopicPolicyService } from './sending/automatic-topic-policy.service';
export { namedIn } from './markdown/mentions';
export { channelNarrow, conversationNarrow } from './markdown/narrow-links';
export { MessageRendererService } from './markdown/message-renderer.service';
export { isFormula, splitAtFormulas } from './typesetting/formula-text';
export { customEmojisPort, linkifiersPort, uploadedFilesPort } from './markdown/markdown.hooks';
export { awaitedPaths, mayAwaitPictures, showAsUploaded } from './markdown/media-html';
export {
  ANIMATED_THUMBNAIL,
  STILL_THUMBNAIL,
  type ThumbnailFormat,
  type UploadedMedia,
} from './markdown/uploaded-media';
export type { LinkFinder, LinkMatch } from './markdown/render-context';
export { MAX_CONTENT_LENGTH, MessageTextService } from './sending/message-text.service';
export { EditedContentService } from './sending/edited-content.service';
export { readHtml } from './fetching/html-text';
export { FlaggedEventsService } from './sending/flagged-events.service';
export type { ReplacingContent } from './sending/message-store.service';
export {
  type FoundMessage,
  FoundMessages,
  MessageAccess,
  type ReadableMessage,
} from './readers/message.access';
export { MessageRangeService } from './fetching/message-range.service';
export { MessageAudienceService, type PlacedMessage } from './readers/message-audience.service';
export { factsOf, Flag, isFlagName, mentionsReader, MessageFact } from './store/message-flags';
export { HistoricalMessageService } from './readers/historical-message.service';
export { personalState } from './readers/personal-flags.service';
export { PersonalFlagRowsService } from './readers/personal-flag-rows.service';
export { jsonMembers } from './store/record-text';
export { PersonalMessagesService } from './unread/personal-messages.service';
export { type UnreadMessages, UnreadPlacesService } from './unread/unread-places.service';
export { blockOf, isCanonicalBlock, ReadSet } from './store/read-set';
export { ReadStateService } from './readers/read-state.service';
export { MarkReadService, type ReadingPlace } from './unread/mark-read.service';
export {
  loadMessages,
  type MessageRow,
  MessageRowsService,
  type NewPlace,
} from './store/message-rows.service';
export { MessageCountsService } from './store/message-counts.service';
export { DirectConversationService, membersKey } from './store/direct-conversation.service';
export { MessageRecordsService } from './store/message-records.service';
export {
  type EditedMessage,
  emptyMessageFields,
  FieldsTooLarge,
  type FieldsView,
  type LocalEcho,
  messageEdited,
  messageFields,
  messagesDeleted,
  messageSent,
  messagesMoved,
  type MovedMessages,
  sentEchoesPort,
  SentMeanwhile,
  type SentMessage,
} from './store/messages.hooks';
export { SubmessageRowsService } from './widgets/submessage-rows.service';
