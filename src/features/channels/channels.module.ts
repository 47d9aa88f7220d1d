import { Module } from '@nestjs/common';
import { OrganizationModule } from '../organization/organization.module';
import { UserGroupsModule } from '../user-groups/user-groups.module';
import { UsersModule } from '../users/users.module';
import { ChannelAccess } from './channel.access';
import { ChannelDirectory } from './channel.directory';
import { ChannelObserverRegistry } from './channel-observer.registry';
import { DescriptionRendererRegistry } from './description-renderer.registry';
import { PostingAccess } from './posting.access';
import { SubscriptionDirectory } from './subscription.directory';

/** Channels, who is subscribed to them, and what each of their permissions allows. */
@Module({
  imports: [OrganizationModule, UsersModule, UserGroupsModule],
  providers: [
    ChannelDirectory,
    SubscriptionDirectory,
    ChannelAccess,
    PostingAccess,
    ChannelObserverRegistry,
    DescriptionRendererRegistry,
  ],
  exports: [
    ChannelDirectory,
    SubscriptionDirectory,
    ChannelAccess,
    PostingAccess,
    ChannelObserverRegistry,
    DescriptionRendererRegistry,
  ],
})
export class ChannelsModule {}
