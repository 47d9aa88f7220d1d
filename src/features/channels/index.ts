/** What other features use of this one. Nothing else of it is imported from outside. */
export { AccountSubscriptionsService } from './subscriptions/account-subscriptions.service';
export { AddSubscribersService } from './subscriptions/add-subscribers.service';
export { ChannelAudienceService } from './access/channel-audience.service';
export { ChannelFoldersService } from './folders/channel-folders.service';
export { ChannelHoldersService } from './administration/channel-holders.service';
export { channelNameKey } from './store/channel-name';
export {
  type ChannelChanged,
  type ChannelObserver,
  ChannelObserverRegistry,
  type ChannelsCreated,
  type UsersSubscribed,
  type UsersUnsubscribed,
} from './channel-observer.registry';
export { DEFAULT_CHANNEL_OPTIONS, MAX_TOPIC_LENGTH } from './store/channel-options';
export { ChannelRecordsService } from './store/channel-records.service';
export { ChannelSettingsService } from './store/channel-settings.service';
export { channelActivityChanged, channelFirstMessageChanged } from './administration/channel-update.events';
export { ChannelAccess } from './access/channel.access';
export { ChannelDirectory, type ChannelRecord } from './store/channel.directory';
export { Channel } from './store/channel.entity';
export { InvalidChannelId, NotSubscribed, UnsupportedCombination } from './channels.errors';
export {
  channelsAppeared,
  channelsDisappeared,
  defaultChannelsReplaced,
  FOR_ARCHIVED_CHANNELS,
  peersSubscribed,
} from './channels.events';
export { namedTopicsSought } from './channels.hooks';
export { ChannelsModule } from './channels.module';
export { DescriptionRendererRegistry } from './description-renderer.registry';
export { GuestVisibilityService } from './subscriptions/guest-visibility.service';
export { HeldSubscriptionsService } from './subscriptions/held-subscriptions.service';
export { MessageTimesService } from './store/message-times.service';
export {
  NotificationDefaultsService,
  NULL_NOTIFICATIONS,
} from './subscriptions/notification-defaults.service';
export { PostingAccess, type Sender } from './access/posting.access';
export { SubscribeService } from './subscriptions/subscribe.service';
export { SubscriptionDirectory } from './store/subscription.directory';
