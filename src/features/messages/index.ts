/** What other features use of this one. Nothing else of it is imported from outside. */

/** The module, and the entity that other tables refer to. */
export { MessagesModule } from './messages.module';
export { Message } from './store/message.entity';

/** Sending: for a person, in the name of the server, and notices to the owner of a bot. */
export { SendMessageService, type SendMessageRequest } from './sending/send-message.service';
export { SystemMessageService } from './sending/system-message.service';
export { escapeMarkdown, fenceAround, HELP_PAGES, silentMention, topicReference } from './sending/references';
export { ChannelNameUnknown } from './store/messages.errors';
export { BotOwnerNoticeService } from './sending/bot-owner-notice.service';

/** What may be sent where, and what sending and reacting do to topics. */
export { DirectMessageAccess } from './sending/destination.access';
export { MentionAccess } from './sending/mention.access';
export { AutomaticTopicPolicyService } from './sending/automatic-topic-policy.service';

/** Text: rendering it, and replacing that of a message. */
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
export { MessageTextService } from './sending/message-text.service';
export { EditedContentService } from './sending/edited-content.service';
export { FlaggedEventsService } from './sending/flagged-events.service';
export type { ReplacingContent } from './sending/message-store.service';

/** Which messages a person may read and change, which of them a narrow finds, and who is told of them. */
export {
  type FoundMessage,
  FoundMessages,
  MessageAccess,
  type ReadableMessage,
} from './readers/message.access';
export { MessageRangeService } from './fetching/message-range.service';
export { MessageAudienceService, type PlacedMessage } from './readers/message-audience.service';

/** What each person has noted on messages: flags, what is read, and messages that entered a history later. */
export { Flag, isFlagName, mentionsReader, MessageFact } from './store/message-flags';
export { HistoricalMessageService } from './readers/historical-message.service';
export { PersonalFlagRowsService } from './readers/personal-flag-rows.service';
export { PersonalMessagesService } from './unread/personal-messages.service';
export { isCanonicalBlock } from './store/read-set';
export { ReadStateService } from './readers/read-state.service';
export { MarkReadService, type ReadingPlace } from './unread/mark-read.service';

/** Rows of messages and of direct conversations. */
export { loadMessages, MessageRowsService, type NewPlace } from './store/message-rows.service';
export { MessageCountsService } from './store/message-counts.service';
export { DirectConversationService, membersKey } from './store/direct-conversation.service';

/** Messages as clients see them, and the events that tell of flags. */
export { MessageRecordsService } from './store/message-records.service';
export {
  type MessageWire,
  type RecipientWire,
  sentMessageWire,
  type SentMessageWire,
  type SubmessageWire,
} from './store/messages.wire';
export { messageFlagAdded, messageFlagRemoved, type UnreadPlaceWire } from './store/messages.events';

/** Hooks: what other features do when messages are sent, edited, moved, deleted or shown. */
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
  newMessageFields,
  messagesMoved,
  type MovedMessages,
  sentEchoesPort,
  SentMeanwhile,
  type SentMessage,
} from './store/messages.hooks';
