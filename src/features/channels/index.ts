/** What other features use of this one. Nothing else of it is imported from outside. */

/** The module, and the entity that other tables refer to. */
export { ChannelsModule } from './channels.module';
export { Channel } from './store/channel.entity';

/** Channels and subscriptions in memory, and the limits and defaults of channels. */
export {
  ChannelDirectory,
  channelNameKey,
  type ChannelRecord,
  compareCodePoints,
} from './store/channel.directory';
export { SubscriptionDirectory } from './store/subscription.directory';
export type { ChannelState } from './store/channel-settings.service';
export { DEFAULT_CHANNEL_OPTIONS, MAX_TOPIC_LENGTH } from './store/channel-options';

/** What a person may see, read and do in a channel, and the errors that say so. */
export { ChannelAccess } from './access/channel.access';
export { PostingAccess, type Sender } from './access/posting.access';
export { SubscribeAccess } from './access/subscribe.access';
export { ChannelAudienceService } from './store/channel-audience.service';
export { GuestVisibilityService } from './subscriptions/guest-visibility.service';
export { InvalidChannelId, NotSubscribed, UnsupportedCombination } from './channels.errors';

/** Subscribing people, and the subscriptions of one account. */
export { SubscribeService } from './subscriptions/subscribe.service';
export { AddSubscribersService } from './subscriptions/add-subscribers.service';
export { AccountSubscriptionsService } from './subscriptions/account-subscriptions.service';
export {
  NotificationDefaultsService,
  NULL_NOTIFICATIONS,
} from './subscriptions/notification-defaults.service';

/** The parts of a channel that other features change or show: groups, folders, activity and description. */
export { ChannelGroupsService } from './administration/channel-groups.service';
export { ChannelFoldersService } from './folders/channel-folders.service';
export { ChannelActivityService } from './store/channel-activity.service';
export { ChannelRecordsService } from './store/channel-records.service';
export { DescriptionRenderer } from './store/description-renderer.service';

/** Events about channels that other features emit as well. */
export {
  channelFirstMessageChanged,
  channelsAppeared,
  channelsDisappeared,
  defaultChannelsReplaced,
  FOR_ARCHIVED_CHANNELS,
  peersSubscribed,
} from './store/channels.events';

/** Hooks: what happens to channels and subscriptions, and what channels ask of the features above them. */
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
export { descriptionRendererPort, type MessageCounts, messageCountsPort } from './store/messages.hooks';
