import { Module } from '@nestjs/common';
import { Tables } from '../../platform/database/tables.decorator';
import { AuditModule } from '../audit/audit.module';
import { ChannelsModule } from '../channels/channels.module';
import { UsersModule } from '../users/users.module';
import { DefaultChannelGroupsController } from './default-channel-groups.controller';
import { DefaultChannelGroupsService } from './default-channel-groups.service';
import { DefaultChannelGroupsStateService } from './default-channel-groups-state.service';
import { DefaultChannelGroup } from './default-channel-group.entity';
import { DefaultChannelGroupChannel } from './default-channel-group-channel.entity';

/** Channels that newcomers may choose together. */
@Tables({ entities: [DefaultChannelGroup, DefaultChannelGroupChannel] })
@Module({
  imports: [AuditModule, UsersModule, ChannelsModule],
  controllers: [DefaultChannelGroupsController],
  providers: [DefaultChannelGroupsService, DefaultChannelGroupsStateService],
  exports: [DefaultChannelGroupsStateService],
})
export class DefaultChannelGroupsModule {}

/** The groups with their channels, and the event that tells somebody of them. */

// What other features use of this one.
export { DefaultChannelGroupsStateService } from './default-channel-groups-state.service';
export { defaultChannelGroupsReplaced } from './default-channel-groups.api';
