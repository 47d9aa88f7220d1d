import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Database } from '../../platform/database/database.service';
import { PersonalModule } from '../personal/personal.module';
import { ChannelsModule } from '../channels/channels.module';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { UserGroupsModule } from '../user-groups/user-groups.module';
import { UsersModule } from '../users/users.module';
import { AutomaticTopicPolicyService } from './sending/automatic-topic-policy.service';
import { BotOwnerNoticeService, SystemMessageService } from './sending/system-message.service';
import { ChannelNarrowService, PeopleNarrowService } from './fetching/narrow-operators.service';
import { ChannelNoticesService, GroupNoticesService } from './notices/notices.service';
import { ChannelTargetService, DirectMessageAccess } from './sending/destination.access';
import { DirectConversationService } from './store/direct-conversation.service';
import {
  EditedContentService,
  FlaggedEventsService,
  MessageRecipientsService,
} from './sending/message-recipients.service';
import { FetchMessagesService } from './fetching/fetch-messages.service';
import { HistoricalMessageService, PersonalFlagRowsService } from './readers/historical-message.service';
import { IndexMessagesService, SearchMessagesService } from './fetching/search-messages.service';
import { MarkReadService, MutedSendersService, PersonalMessagesService } from './unread/mark-read.service';
import { MentionAccess, MessageTextService } from './sending/message-text.service';
import { MessageAudienceService } from './readers/message-audience.service';
import { MessageCountsService, ParticipationService } from './store/message-counts.service';
import { MessageRangeService } from './fetching/message-range.service';
import { MessageRecordsService } from './store/message-records.service';
import { MessageRendererService } from './markdown/message-renderer.service';
import { MessageScanService } from './scan/message-scan.service';
import { MessageRowsService } from './store/message-rows.service';
import { MessageStoreService } from './sending/message-store.service';
import { MessageWriterService } from './sending/message-writer.service';
import { MessageAccess } from './readers/message.access';
import { MessagesController, WidgetsController } from './messages.controller';
import { MessagesStateService } from './messages-state.service';
import { NarrowService } from './fetching/narrow.service';
import { PersonalFlagsService } from './readers/personal-flags.service';
import { UnreadPlacesService } from './unread/unread-places.service';
import { ReadRowsService } from './readers/read-rows.service';
import { ReadStateService, ReadWatermarkService, SettledMessagesService } from './readers/read-state.service';
import { PostgresSearchIndex } from './fetching/postgres-search-index';
import { SearchIndex } from './fetching/search';
import { SqliteSearchIndex } from './fetching/sqlite-search-index';
import { SendMessageService } from './sending/send-message.service';
import {
  DirectConversation,
  DirectConversationMember,
  MentionSet,
  MentionSetMember,
  Message,
  MessageFlag,
  ReadBlock,
  ReadWatermark,
  Submessage,
} from './store/message.entity';
import { SubmessageRowsService, SubmessagesService } from './widgets/submessages.service';

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

/** Providers that other features use. */
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

// Exports for other features.
export { Message } from './store/message.entity';
export { SendMessageService, type SendMessageRequest } from './sending/send-message.service';
export { BotOwnerNoticeService, SystemMessageService } from './sending/system-message.service';
export { escapeMarkdown, fenceAround, HELP_PAGES, silentMention, topicReference } from './notices/notices';
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
export { DirectMessageAccess } from './sending/destination.access';
export { MAX_CONTENT_LENGTH, MentionAccess, MessageTextService } from './sending/message-text.service';
export { AutomaticTopicPolicyService } from './sending/automatic-topic-policy.service';
export { groupsNamedIn, namedIn } from './markdown/mentions';
export { channelNarrow, conversationNarrow } from './markdown/channel-links';
export { MessageRendererService } from './markdown/message-renderer.service';
export { isFormula, splitAtFormulas } from './typesetting/formulas';
export { customEmojisPort, linkifiersPort, uploadedFilesPort } from './markdown/markdown.hooks';
export { awaitedPaths, mayAwaitPictures, showAsUploaded } from './markdown/media-html';
export {
  ANIMATED_THUMBNAIL,
  type LinkFinder,
  type LinkMatch,
  STILL_THUMBNAIL,
  type ThumbnailFormat,
  type UploadedMedia,
} from './markdown/render-context';
export { EditedContentService, FlaggedEventsService } from './sending/message-recipients.service';
export { IndexMessagesService } from './fetching/search-messages.service';
export { type HtmlPiece, readHtml } from './fetching/words';
export type { ReplacingContent } from './sending/message-store.service';
export {
  type FoundMessage,
  FoundMessages,
  MessageAccess,
  type ReadableMessage,
} from './readers/message.access';
export { MessageRangeService } from './fetching/message-range.service';
export { MessageAudienceService, type PlacedMessage } from './readers/message-audience.service';
export { factsOf, Flag, flagNames, isFlagName, mentionsReader, MessageFact } from './store/message-flags';
export { HistoricalMessageService, PersonalFlagRowsService } from './readers/historical-message.service';
export { personalState } from './readers/personal-flags.service';
export { jsonMembers, MessageRecordsService } from './store/message-records.service';
export { MarkReadService, PersonalMessagesService, type ReadingPlace } from './unread/mark-read.service';
export { type UnreadMessages, UnreadPlacesService } from './unread/unread-places.service';
export { anyOf, condition, type SqlCondition } from './store/personal-conditions';
export { blockOf, isCanonicalBlock, ReadSet } from './store/read-set';
export { ReadStateService } from './readers/read-state.service';
export {
  loadMessages,
  type MessageRow,
  MessageRowsService,
  type NewPlace,
} from './store/message-rows.service';
export { MessageCountsService } from './store/message-counts.service';
export { DirectConversationService, membersKey } from './store/direct-conversation.service';
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
export { SubmessageRowsService, SUBMESSAGES_OF_MESSAGE } from './widgets/submessages.service';
export { MAX_SUBMESSAGE_TYPE } from './widgets/widgets.api';
