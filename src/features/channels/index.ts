/** What other features use of this one. Nothing else of it is imported from outside. */
export { AccountSubscriptionsService } from './subscriptions/account-subscriptions.service';
export { AddSubscribersService } from './subscriptions/add-subscribers.service';
export { ChannelAudienceService } from './store/channel-audience.service';
export { ChannelFoldersService } from './folders/channel-folders.service';
export { ChannelGroupsService } from './administration/channel-groups.service';
export { DEFAULT_CHANNEL_OPTIONS, MAX_TOPIC_LENGTH } from './store/channel-options';
export { ChannelRecordsService } from './store/channel-records.service';
export { ChannelAccess } from './access/channel.access';
export { ChannelDirectory, channelNameKey, type ChannelRecord } from './store/channel.directory';
export { Channel } from './store/channel.entity';
export { InvalidChannelId, NotSubscribed, UnsupportedCombination } from './channels.errors';
export {
  channelFirstMessageChanged,
  channelsAppeared,
  channelsDisappeared,
  defaultChannelsReplaced,
  FOR_ARCHIVED_CHANNELS,
  peersSubscribed,
} from './store/channels.events';
export {
  channelChanged,
  type ChannelChanged,
  channelsCreated,
  type ChannelsCreated,
  namedTopicsSought,
  usersSubscribed,
  type UsersSubscribed,
  usersUnsubscribed,
  type UsersUnsubscribed,
} from './channels.hooks';
export { ChannelsModule } from './channels.module';
export { DescriptionRenderer } from './store/description-renderer.service';
export { GuestVisibilityService } from './subscriptions/guest-visibility.service';
export {
  NotificationDefaultsService,
  NULL_NOTIFICATIONS,
} from './subscriptions/notification-defaults.service';
export { PostingAccess, type Sender } from './access/posting.access';
export { SubscribeService } from './subscriptions/subscribe.service';
export { SubscriptionDirectory } from './store/subscription.directory';
export { descriptionRendererPort, type MessageCounts, messageCountsPort } from './store/messages.hooks';
export { ChannelActivityService } from './store/channel-activity.service';
