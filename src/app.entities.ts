import type { EntityClass } from './platform/database/database.options';
import { AuditEntry } from './features/audit/audit-entry.entity';
import { AlertWord } from './features/alert-words/alert-word.entity';
import { ChannelEmailAddress } from './features/channels/store/channel-email-address.entity';
import { ChannelFolder } from './features/channels/store/channel-folder.entity';
import { Channel } from './features/channels/store/channel.entity';
import { SubscriptionPeriod } from './features/channels/store/subscription-period.entity';
import { Subscription } from './features/channels/store/subscription.entity';
import { Topic } from './features/topics/topic.entity';
import { UserTopic } from './features/topics/policies/user-topic.entity';
import { CustomEmoji } from './features/emoji/custom-emoji.entity';
import { Linkifier } from './features/linkifiers/linkifier.entity';
import { Playground } from './features/linkifiers/playgrounds/playground.entity';
import { MessageEdit } from './features/message-changes/history/message-edit.entity';
import { DirectConversationMember } from './features/messages/store/direct-conversation-member.entity';
import { DirectConversation } from './features/messages/store/direct-conversation.entity';
import { MentionSetMember } from './features/messages/store/mention-set-member.entity';
import { MentionSet } from './features/messages/store/mention-set.entity';
import { MessageFlag } from './features/messages/store/message-flag.entity';
import { Message } from './features/messages/store/message.entity';
import { ReadBlock } from './features/messages/store/read-block.entity';
import { ReadWatermark } from './features/messages/store/read-watermark.entity';
import { MessagingConversation } from './features/messaging-bridge/messaging-conversation.entity';
import { MessagingMockEntry } from './features/messaging-bridge/messaging-mock-entry.entity';
import { MessagingReceipt } from './features/messaging-bridge/messaging-receipt.entity';
import { MutedUser } from './features/muted-users/muted-user.entity';
import { Invitation } from './features/invitations/records/invitation.entity';
import { OrganizationSetting } from './features/organization-settings/organization-setting.entity';
import { Presence } from './features/presence/sightings/presence.entity';
import { UserStatus } from './features/presence/status/user-status.entity';
import { Draft } from './features/drafts/draft.entity';
import { Reaction } from './features/reactions/reaction.entity';
import { Reminder } from './features/scheduled-messages/reminders/reminder.entity';
import { ScheduledMessage } from './features/scheduled-messages/scheduled-message.entity';
import { Submessage } from './features/widgets/submessage.entity';
import { SavedSnippet } from './features/saved-snippets/saved-snippet.entity';
import { EventQueue } from './features/realtime/queues/event-queue.entity';
import { SentEcho } from './features/realtime/sent-echo.entity';
import { AttachmentMessage } from './features/uploads/attachment-message.entity';
import { AttachmentPicture } from './features/uploads/attachment-picture.entity';
import { Attachment } from './features/uploads/attachment.entity';
import { UnfinishedUpload } from './features/uploads/resumable/unfinished-upload.entity';
import { UploadSpace } from './features/uploads/upload-space.entity';
import { UserGroupMember } from './features/user-groups/groups/user-group-member.entity';
import { UserGroupSubgroup } from './features/user-groups/groups/user-group-subgroup.entity';
import { UserGroup } from './features/user-groups/groups/user-group.entity';
import { Account } from './features/users/accounts/account.entity';
import { BotService } from './features/users/bots/bot-service.entity';
import { BotStorageEntry } from './features/users/bots/bot-storage-entry.entity';
import { ClientDevice } from './features/users/devices/client-device.entity';
import { LoginSession } from './features/users/sessions/login-session.entity';
import { CustomProfileField } from './features/users/custom-profile/custom-profile-field.entity';
import { CustomProfileValue } from './features/users/custom-profile/custom-profile-value.entity';
import { PushRegistration } from './features/users/devices/push-registration.entity';
import { NavigationView } from './features/navigation-views/navigation-view.entity';
import { OnboardingStep } from './features/onboarding-steps/onboarding-step.entity';
import { DefaultChannelGroupChannel } from './features/default-channel-groups/default-channel-group-channel.entity';
import { DefaultChannelGroup } from './features/default-channel-groups/default-channel-group.entity';
import { WebhookDelivery } from './features/outgoing-webhooks/webhook-delivery.entity';

/** Every table that is mapped to a class. */
export const entities: readonly EntityClass[] = [
  AuditEntry,
  OrganizationSetting,
  Account,
  BotService,
  BotStorageEntry,
  ClientDevice,
  LoginSession,
  CustomProfileField,
  CustomProfileValue,
  PushRegistration,
  AlertWord,
  MutedUser,
  UserGroupMember,
  UserGroupSubgroup,
  UserGroup,
  ChannelEmailAddress,
  ChannelFolder,
  Channel,
  SubscriptionPeriod,
  Subscription,
  Topic,
  UserTopic,
  CustomEmoji,
  DirectConversationMember,
  DirectConversation,
  MentionSetMember,
  MentionSet,
  MessageFlag,
  Message,
  ReadBlock,
  ReadWatermark,
  Reaction,
  Submessage,
  SavedSnippet,
  Draft,
  ScheduledMessage,
  Reminder,
  Presence,
  UserStatus,
  Linkifier,
  Playground,
  AttachmentMessage,
  UnfinishedUpload,
  UploadSpace,
  AttachmentPicture,
  Attachment,
  EventQueue,
  SentEcho,
  MessageEdit,
  MessagingConversation,
  MessagingReceipt,
  MessagingMockEntry,
  NavigationView,
  OnboardingStep,
  DefaultChannelGroup,
  DefaultChannelGroupChannel,
  Invitation,
  WebhookDelivery,
];
