/** What other features use of this one. Nothing else of it is imported from outside. */
export { AutomaticTopicPolicyService } from './automatic-topic-policy.service';
export { BotOwnerNoticeService } from './bot-owner-notice.service';
export { ChannelActivityService } from './channel-activity.service';
export { DirectConversationService, membersKey } from './direct-conversation.service';
export { DirectMessageAccess } from './direct-message.access';
export { EditedContentService, type ReplacingContent } from './edited-content.service';
export { ExpectedMessagesService } from './expected-messages.service';
export { FlaggedEventsService } from './flagged-events.service';
export { HistoricalMessageService } from './historical-message.service';
export { MarkReadService, type ReadingPlace } from './mark-read.service';
export { MentionAccess } from './mention.access';
export { MessageAudienceService, type PlacedMessage } from './message-audience.service';
export {
  type ContributorView,
  type MessageContributor,
  MessageContributorRegistry,
} from './message-contributor.registry';
export { MessageFact } from './message-facts';
export { Flag, isFlagName, mentionsReader } from './message-flags';
export {
  type EditedMessage,
  type MessageObserver,
  MessageObserverRegistry,
  type MovedMessages,
  type SentMessage,
} from './message-observer.registry';
export { MessageReadersService } from './message-readers.service';
export { MessageRecordsService } from './message-records.service';
export { MessageRendererService } from './message-renderer.service';
export { MessageTextService } from './message-text.service';
export { type FoundMessage, FoundMessages, MessageAccess, type ReadableMessage } from './message.access';
export { Message } from './message.entity';
export { messageFlagAdded, messageFlagRemoved, type UnreadPlaceWire } from './messages.events';
export { MessagesModule } from './messages.module';
export { type MessageWire, type RecipientWire, sentMessageWire, type SentMessageWire } from './messages.wire';
export { MutedMessagesService } from './muted-messages.service';
export { NarrowedRangeService } from './narrowed-range.service';
export { OutgoingContentService } from './outgoing-content.service';
export { PersonalFlagRowsService } from './personal-flag-rows.service';
export { ReactionFactService } from './reaction-fact.service';
export { isCanonicalBlock } from './read-set';
export { ReadStateService } from './read-state.service';
export { type Linkifier, type LinkMatch, RenderingRegistry } from './rendering.registry';
export { SendMessageService } from './send-message.service';
export { type LocalEcho, SentEchoRegistry, SentMeanwhile } from './sent-echo.registry';
export { SentMessagesService } from './sent-messages.service';
export { StarredMessagesService } from './starred-messages.service';
export { silentMention, SystemMessageService } from './system-message.service';
export { type NotedWork, UnfinishedWorkService } from './unfinished-work.service';
export { UnreadMessagesService } from './unread-messages.service';
