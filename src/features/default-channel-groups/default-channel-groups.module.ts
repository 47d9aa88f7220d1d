import { Module } from '@nestjs/common';
import { Tables } from '../../platform/database/tables.decorator';
import { AuditModule } from '../audit';
import { ChannelsModule } from '../channels';
import { UsersModule } from '../users';
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
