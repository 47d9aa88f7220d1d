import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { UserGroupsModule } from '../user-groups/user-groups.module';
import { UsersModule } from '../users/users.module';
import {
  AccountSubscriptionsService,
  RemoveSubscribersService,
} from './subscriptions/remove-subscribers.service';
import { AddSubscribersService, SubscriptionRowsService } from './subscriptions/add-subscribers.service';
import { ChannelAccess } from './access/channel.access';
import { ChannelActions } from './access/channel-actions.service';
import {
  ChannelAdministrationController,
  ChannelFoldersController,
  ChannelsController,
  DefaultChannelGroupsController,
} from './channels.controller';
import { ChannelActivityService, ChannelAudienceService } from './store/channel-audience.service';
import {
  ChannelAuditService,
  NewChannelService,
  UpdateChannelService,
} from './administration/channel-administration.service';
import { ChannelChangeAccess, ChannelPermissionChangeAccess } from './administration/channel-change.access';
import {
  ChannelCreationAccess,
  FindOrCreateChannelsService,
} from './creation/find-or-create-channels.service';
import {
  AccountSubscriptionDirectory,
  ChannelDirectory,
  SubscriptionDirectory,
} from './store/channel.directory';
import { ChannelEmailService } from './administration/channel-email.service';
import { ChannelEventsService, ChannelGroupsService } from './administration/channel-events.service';
import { ChannelFoldersService } from './folders/channel-folders.service';
import {
  ChannelRecordsService,
  ChannelTrafficService,
  DescriptionRenderer,
} from './store/channel-records.service';
import { ChannelSettingsService } from './store/channel-settings.service';
import { ChannelsStateService } from './listing/channels-state.service';
import { GuestVisibilityService } from './subscriptions/guest-visibility.service';
import { ListChannelsService } from './listing/list-channels.service';
import {
  NotificationDefaultsService,
  StartPageService,
  SubscriptionSettingsService,
} from './subscriptions/subscription-settings.service';
import { PeerEventsService, SubscriptionPeriodService } from './subscriptions/subscription-changes.service';
import { PostingAccess, SubscribeAccess } from './access/participation.access';
import { SubscribeService, UnsubscribeService } from './subscriptions/subscribe.service';
import { SubscriptionRecords, SubscriptionsStateService } from './subscriptions/subscription-records.service';
import {
  SubscriptionsController,
  TopicsController,
  UserTopicsController,
} from './subscriptions/subscriptions.controller';
import {
  Channel,
  ChannelEmailAddress,
  ChannelFolder,
  Subscription,
  SubscriptionPeriod,
} from './store/channel.entity';
import {
  DefaultChannelGroupsService,
  DefaultChannelGroupsStateService,
} from './default-groups/default-channel-groups.service';
import {
  DefaultChannelGroup,
  DefaultChannelGroupChannel,
} from './default-groups/default-channel-group.entity';
import { NewestMessagesService, TopicListService, TopicRowsService } from './topics/topics.service';
import { TopicPreferencesService } from './topics/policies/topic-preferences.service';
import { UserTopicsService, UserTopicsStateService } from './topics/policies/user-topics.service';
import { Topic, UserTopic } from './topics/topic.entity';

/** Services that other features use: lookups, access checks, and the parts of larger changes. */
const shared = [
  ChannelActivityService,
  ChannelFoldersService,
  AccountSubscriptionsService,
  AddSubscribersService,
  ChannelAccess,
  ChannelAudienceService,
  ChannelDirectory,
  ChannelEmailService,
  ChannelGroupsService,
  ChannelRecordsService,
  ChannelSettingsService,
  ChannelTrafficService,
  DescriptionRenderer,
  GuestVisibilityService,
  NewestMessagesService,
  NotificationDefaultsService,
  PostingAccess,
  SubscribeAccess,
  SubscribeService,
  SubscriptionDirectory,
  SubscriptionSettingsService,
  TopicRowsService,
  UnsubscribeService,
  UserTopicsService,
];

/** Channels, folders, subscriptions, channel permissions, topics and their visibility policies. */
@Module({
  imports: [
    TypeOrmModule.forFeature([
      ChannelEmailAddress,
      ChannelFolder,
      Channel,
      SubscriptionPeriod,
      Subscription,
      DefaultChannelGroup,
      DefaultChannelGroupChannel,
      Topic,
      UserTopic,
    ]),
    AuditModule,
    OrganizationSettingsModule,
    UsersModule,
    UserGroupsModule,
  ],
  controllers: [
    ChannelsController,
    SubscriptionsController,
    ChannelAdministrationController,
    ChannelFoldersController,
    DefaultChannelGroupsController,
    TopicsController,
    UserTopicsController,
  ],
  providers: [
    ...shared,
    AccountSubscriptionDirectory,
    ChannelActions,
    ChannelAuditService,
    ChannelChangeAccess,
    ChannelCreationAccess,
    ChannelEventsService,
    ChannelPermissionChangeAccess,
    ChannelsStateService,
    FindOrCreateChannelsService,
    ListChannelsService,
    NewChannelService,
    PeerEventsService,
    RemoveSubscribersService,
    SubscriptionPeriodService,
    SubscriptionRecords,
    SubscriptionRowsService,
    SubscriptionSettingsService,
    StartPageService,
    SubscriptionsStateService,
    UpdateChannelService,
    DefaultChannelGroupsService,
    DefaultChannelGroupsStateService,
    TopicListService,
    TopicPreferencesService,
    UserTopicsStateService,
  ],
  exports: [...shared, DefaultChannelGroupsStateService],
})
export class ChannelsModule {}

// Exports for other features.
export { Channel } from './store/channel.entity';
export {
  ChannelDirectory,
  channelNameKey,
  type ChannelRecord,
  SubscriptionDirectory,
} from './store/channel.directory';
export { folderNameKey } from './folders/channel-folders.api';
export { CHANNEL_GROUP_SETTINGS } from './store/channel-group-settings';
export {
  type ChannelState,
  DEFAULT_CHANNEL_OPTIONS,
  MAX_TOPIC_LENGTH,
} from './store/channel-settings.service';
export { ChannelAccess } from './access/channel.access';
export { PostingAccess, type Sender, SubscribeAccess } from './access/participation.access';
export { ChannelActivityService, ChannelAudienceService } from './store/channel-audience.service';
export { GuestVisibilityService } from './subscriptions/guest-visibility.service';
export { InvalidChannelId, MAX_CHANNEL_NAME_LENGTH } from './store/channels.api';
export { SubscribeService } from './subscriptions/subscribe.service';
export { AddSubscribersService } from './subscriptions/add-subscribers.service';
export { AccountSubscriptionsService } from './subscriptions/remove-subscribers.service';
export {
  NotificationDefaultsService,
  NULL_NOTIFICATIONS,
  SubscriptionSettingsService,
} from './subscriptions/subscription-settings.service';
export { ChannelEmailService, type MailDestination } from './administration/channel-email.service';
export { ChannelGroupsService } from './administration/channel-events.service';
export { ChannelFoldersService } from './folders/channel-folders.service';
export { ChannelRecordsService, DescriptionRenderer } from './store/channel-records.service';
export {
  channelFirstMessageChanged,
  channelsAppeared,
  channelsDisappeared,
  defaultChannelsReplaced,
  FOR_ARCHIVED_CHANNELS,
  peersSubscribed,
} from './store/channel-records.api';
export {
  channelChanged,
  type ChannelChanged,
  channelsCreated,
  type ChannelsCreated,
  usersSubscribed,
  type UsersSubscribed,
  usersUnsubscribed,
  type UsersUnsubscribed,
} from './channels.hooks';
export {
  descriptionRendererPort,
  type MessageCounts,
  messageCountsPort,
  type TopicMessages,
  topicMessagesPort,
  topicNamed,
  topicParticipants,
  topicRemoved,
  type TopicWire,
} from './store/messages.hooks';
export { DefaultChannelGroupsStateService } from './default-groups/default-channel-groups.service';
export { defaultChannelGroupsReplaced } from './default-groups/default-channel-groups.api';
export {
  type NewestByTopic,
  NewestMessagesService,
  topicKey,
  type TopicRow,
  TopicRowsService,
  visibleTopic,
} from './topics/topics.service';
export { TopicVisibility } from './topics/topics.api';
export { Topic } from './topics/topic.entity';
export { UserTopicsService } from './topics/policies/user-topics.service';
