import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { UserGroupsModule } from '../user-groups/user-groups.module';
import { UsersModule } from '../users/users.module';
import { AccountSubscriptionsService } from './subscriptions/account-subscriptions.service';
import { AddSubscribersService } from './subscriptions/add-subscribers.service';
import { ChannelAccess } from './access/channel.access';
import { ChannelActions } from './access/channel-actions.service';
import { ChannelAdministrationController } from './administration/channel-administration.controller';
import { ChannelAudienceService } from './store/channel-audience.service';
import { ChannelAuditService } from './administration/channel-audit.service';
import { ChannelChangeAccess } from './administration/channel-change.access';
import { ChannelCreationAccess } from './creation/channel-creation.access';
import { ChannelDirectory } from './store/channel.directory';
import { ChannelEmailService } from './administration/channel-email.service';
import { ChannelEventsService } from './administration/channel-events.service';
import { ChannelFoldersController } from './folders/channel-folders.controller';
import { ChannelFoldersService } from './folders/channel-folders.service';
import { ChannelPermissionChangeAccess } from './administration/channel-permission-change.access';
import { ChannelRecordsService } from './store/channel-records.service';
import { ChannelSettingsService } from './store/channel-settings.service';
import { ChannelTrafficService } from './store/channel-traffic.service';
import { ChannelsController } from './listing/channels.controller';
import { ChannelsStateService } from './listing/channels-state.service';
import { DescriptionRenderer } from './store/description-renderer.service';
import { FindOrCreateChannelsService } from './creation/find-or-create-channels.service';
import { ChannelGroupsService } from './administration/channel-groups.service';
import { GuestVisibilityService } from './subscriptions/guest-visibility.service';
import { ListChannelsService } from './listing/list-channels.service';
import { ChannelActivityService } from './store/channel-activity.service';
import { NewChannelService } from './administration/new-channel.service';
import { NotificationDefaultsService } from './subscriptions/notification-defaults.service';
import { PeerEventsService } from './subscriptions/peer-events.service';
import { PostingAccess } from './access/posting.access';
import { RemoveSubscribersService } from './subscriptions/remove-subscribers.service';
import { SubscribeAccess } from './access/subscribe.access';
import { SubscribeService } from './subscriptions/subscribe.service';
import { AccountSubscriptionDirectory, SubscriptionDirectory } from './store/subscription.directory';
import { SubscriptionPeriodService } from './subscriptions/subscription-period.service';
import { SubscriptionRecords } from './subscriptions/subscription-records.service';
import { SubscriptionRowsService } from './subscriptions/subscription-rows.service';
import { StartPageService } from './subscriptions/start-page.service';
import { SubscriptionSettingsService } from './subscriptions/subscription-settings.service';
import { SubscriptionsController } from './subscriptions/subscriptions.controller';
import { SubscriptionsStateService } from './subscriptions/subscriptions-state.service';
import { UnsubscribeService } from './subscriptions/unsubscribe.service';
import { UpdateChannelService } from './administration/update-channel.service';
import { ChannelEmailAddress } from './store/channel-email-address.entity';
import { ChannelFolder } from './store/channel-folder.entity';
import { Channel } from './store/channel.entity';
import { SubscriptionPeriod, Subscription } from './store/subscription.entity';
import { DefaultChannelGroupsController } from './default-groups/default-channel-groups.controller';
import { DefaultChannelGroupsService } from './default-groups/default-channel-groups.service';
import { DefaultChannelGroupsStateService } from './default-groups/default-channel-groups-state.service';
import {
  DefaultChannelGroup,
  DefaultChannelGroupChannel,
} from './default-groups/default-channel-group.entity';
import { NewestMessagesService } from './topics/newest-messages.service';
import { TopicListService } from './topics/topic-list.service';
import { TopicPreferencesService } from './topics/policies/topic-preferences.service';
import { TopicRowsService } from './topics/topic-rows.service';
import { TopicsController } from './topics/topics.controller';
import { UserTopicsController } from './topics/policies/user-topics.controller';
import { UserTopicsService } from './topics/policies/user-topics.service';
import { UserTopicsStateService } from './topics/policies/user-topics-state.service';
import { Topic } from './topics/topic.entity';
import { UserTopic } from './topics/policies/user-topic.entity';

/** What other features use: looking channels up, deciding who may what, and the parts of larger changes. */
const shared = [
  ChannelActivityService,
  ChannelFoldersService,
  AccountSubscriptionsService,
  AddSubscribersService,
  ChannelAccess,
  ChannelAudienceService,
  ChannelDirectory,
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
    ChannelEmailService,
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

// What other features use of this one.
export { Channel } from './store/channel.entity';
export { ChannelDirectory, channelNameKey, type ChannelRecord } from './store/channel.directory';
export { SubscriptionDirectory } from './store/subscription.directory';
export { folderNameKey } from './folders/folder-name';
export { CHANNEL_GROUP_SETTINGS } from './store/channel-group-settings';
export type { ChannelState } from './store/channel-settings.service';
export { DEFAULT_CHANNEL_OPTIONS, MAX_TOPIC_LENGTH } from './store/channel-options';
export { ChannelAccess } from './access/channel.access';
export { PostingAccess, type Sender } from './access/posting.access';
export { SubscribeAccess } from './access/subscribe.access';
export { ChannelAudienceService } from './store/channel-audience.service';
export { GuestVisibilityService } from './subscriptions/guest-visibility.service';
export { InvalidChannelId } from './store/channel-errors.api';
export { SubscribeService } from './subscriptions/subscribe.service';
export { AddSubscribersService } from './subscriptions/add-subscribers.service';
export { AccountSubscriptionsService } from './subscriptions/account-subscriptions.service';
export {
  NotificationDefaultsService,
  NULL_NOTIFICATIONS,
} from './subscriptions/notification-defaults.service';
export { ChannelGroupsService } from './administration/channel-groups.service';
export { ChannelFoldersService } from './folders/channel-folders.service';
export { ChannelActivityService } from './store/channel-activity.service';
export { ChannelRecordsService } from './store/channel-records.service';
export { DescriptionRenderer } from './store/description-renderer.service';
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
export { descriptionRendererPort, type MessageCounts, messageCountsPort } from './store/messages.hooks';
export { DefaultChannelGroupsStateService } from './default-groups/default-channel-groups-state.service';
export { defaultChannelGroupsReplaced } from './default-groups/default-channel-groups.api';
export { type NewestByTopic, NewestMessagesService } from './topics/newest-messages.service';
export { type TopicRow, TopicRowsService, topicKey, visibleTopic } from './topics/topic-rows.service';
export { TopicVisibility } from './topics/policies/topic-visibility';
export { Topic } from './topics/topic.entity';
export {
  type TopicMessages,
  topicMessagesPort,
  topicNamed,
  topicParticipants,
  topicRemoved,
  type TopicWire,
} from './topics/topics.hooks';
export { UserTopicsService } from './topics/policies/user-topics.service';
