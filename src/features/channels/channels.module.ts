import { Module } from '@nestjs/common';
import { OrganizationModule } from '../organization/organization.module';
import { UserGroupsModule } from '../user-groups/user-groups.module';
import { UsersModule } from '../users/users.module';
import { AccountSubscriptionsService } from './account-subscriptions.service';
import { AddSubscribersService } from './add-subscribers.service';
import { ChannelAccess } from './channel.access';
import { ChannelAudienceService } from './channel-audience.service';
import { ChannelCreationAccess } from './channel-creation.access';
import { ChannelDirectory } from './channel.directory';
import { ChannelObserverRegistry } from './channel-observer.registry';
import { ChannelRecordsService } from './channel-records.service';
import { ChannelSettingsService } from './channel-settings.service';
import { ChannelTrafficService } from './channel-traffic.service';
import { ChannelsController } from './channels.controller';
import { CreateChannelService } from './create-channel.service';
import { DescriptionRendererRegistry } from './description-renderer.registry';
import { FindOrCreateChannelsService } from './find-or-create-channels.service';
import { GuestSightService } from './guest-sight.service';
import { ListChannelsService } from './list-channels.service';
import { ListSubscriptionsService } from './list-subscriptions.service';
import { PeerEventsService } from './peer-events.service';
import { PostingAccess } from './posting.access';
import { PrincipalsService } from './principals.service';
import { RemoveSubscribersService } from './remove-subscribers.service';
import { SubscribeAccess } from './subscribe.access';
import { SubscribeService } from './subscribe.service';
import { SubscriptionDirectory } from './subscription.directory';
import { SubscriptionPeriodService } from './subscription-period.service';
import { SubscriptionRowsService } from './subscription-rows.service';
import { SubscriptionSettingsService } from './subscription-settings.service';
import { SubscriptionsController } from './subscriptions.controller';
import { UnsubscribeService } from './unsubscribe.service';
import { UpdateSubscriptionsService } from './update-subscriptions.service';

/** What other features use: looking channels up, deciding who may what, and the parts of larger changes. */
const shared = [
  AccountSubscriptionsService,
  AddSubscribersService,
  ChannelAccess,
  ChannelAudienceService,
  ChannelDirectory,
  ChannelObserverRegistry,
  ChannelRecordsService,
  ChannelSettingsService,
  ChannelTrafficService,
  CreateChannelService,
  DescriptionRendererRegistry,
  PostingAccess,
  SubscribeService,
  SubscriptionDirectory,
  UnsubscribeService,
];

/** Channels, who is subscribed to them, and what each of their permissions allows. */
@Module({
  imports: [OrganizationModule, UsersModule, UserGroupsModule],
  controllers: [ChannelsController, SubscriptionsController],
  providers: [
    ...shared,
    ChannelCreationAccess,
    FindOrCreateChannelsService,
    GuestSightService,
    ListChannelsService,
    ListSubscriptionsService,
    PeerEventsService,
    PrincipalsService,
    RemoveSubscribersService,
    SubscribeAccess,
    SubscriptionPeriodService,
    SubscriptionRowsService,
    SubscriptionSettingsService,
    UpdateSubscriptionsService,
  ],
  exports: shared,
})
export class ChannelsModule {}
