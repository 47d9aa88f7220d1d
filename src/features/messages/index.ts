/** What other features use of this one. Nothing else of it is imported from outside. */
export { AutomaticTopicPolicyService } from './sending/automatic-topic-policy.service';
export { BotOwnerNoticeService } from './sending/bot-owner-notice.service';
export { DirectConversationService, membersKey } from './store/direct-conversation.service';
export { DirectMessageAccess } from './sending/destination.access';
export { EditedContentService } from './sending/edited-content.service';
export type { ReplacingContent } from './sending/message-store.service';
export { FlaggedEventsService } from './sending/flagged-events.service';
export { HistoricalMessageService } from './readers/historical-message.service';
export { MarkReadService, type ReadingPlace } from './unread/mark-read.service';
export { MentionAccess } from './sending/mention.access';
export { MessageAudienceService, type PlacedMessage } from './readers/message-audience.service';
export { MessageCountsService } from './store/message-counts.service';
export { MessageFact } from './store/message-flags';
export { Flag, isFlagName, mentionsReader } from './store/message-flags';
export {
  type EditedMessage,
  emptyMessageFields,
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
export { MessageReadersService } from './readers/message-readers.service';
export { MessageRecordsService } from './store/message-records.service';
export { MessageRendererService } from './markdown/message-renderer.service';
export { MessageTextService } from './sending/message-text.service';
export {
  type FoundMessage,
  FoundMessages,
  MessageAccess,
  type ReadableMessage,
} from './readers/message.access';
export { Message } from './store/message.entity';
export { messageFlagAdded, messageFlagRemoved, type UnreadPlaceWire } from './store/messages.events';
export { MessagesModule } from './messages.module';
export {
  type MessageWire,
  type RecipientWire,
  sentMessageWire,
  type SentMessageWire,
} from './store/messages.wire';
export { NarrowedRangeService } from './fetching/narrowed-range.service';
export { PersonalFlagRowsService } from './readers/personal-flag-rows.service';
export { MessageRowsService } from './store/message-rows.service';
export { isCanonicalBlock } from './store/read-set';
export { ReadStateService } from './readers/read-state.service';
export { customEmojisPort, linkifiersPort } from './markdown/markdown.hooks';
export type { Linkifier, LinkMatch } from './markdown/render-context';
export { SendMessageService } from './sending/send-message.service';
export type { NewPlace } from './store/message-rows.service';
export { silentMention, SystemMessageService } from './sending/system-message.service';
export { PersonalMessagesService } from './unread/personal-messages.service';
