/** What other features use of this one. Nothing else of it is imported from outside. */
export { AccountSubscriptionsService } from './account-subscriptions.service';
export { AddSubscribersService } from './add-subscribers.service';
export { ChannelAudienceService } from './channel-audience.service';
export { ChannelFoldersService } from './channel-folders.service';
export { ChannelHoldersService } from './channel-holders.service';
export { channelNameKey } from './channel-name';
export {
  type ChannelChanged,
  type ChannelObserver,
  ChannelObserverRegistry,
  type ChannelsCreated,
  type UsersSubscribed,
  type UsersUnsubscribed,
} from './channel-observer.registry';
export { DEFAULT_CHANNEL_OPTIONS, MAX_TOPIC_LENGTH } from './channel-options';
export { ChannelRecordsService } from './channel-records.service';
export { ChannelSettingsService } from './channel-settings.service';
export { channelActivityChanged, channelFirstMessageChanged } from './channel-update.events';
export { ChannelAccess } from './channel.access';
export { ChannelDirectory, type ChannelRecord } from './channel.directory';
export { Channel } from './channel.entity';
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
export { GuestVisibilityService } from './guest-visibility.service';
export { HeldSubscriptionsService } from './held-subscriptions.service';
export { MessageTimesService } from './message-times.service';
export { NotificationDefaultsService, NULL_NOTIFICATIONS } from './notification-defaults.service';
export { PostingAccess, type Sender } from './posting.access';
export { SubscribeService } from './subscribe.service';
export { SubscriptionDirectory } from './subscription.directory';
