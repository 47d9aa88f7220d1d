import { Module } from '@nestjs/common';
import { AuditModule } from '../audit';
import { ChannelsModule } from '../channels';
import { UsersModule } from '../users';
import { DefaultChannelGroupsController } from './default-channel-groups.controller';
import { DefaultChannelGroupsService } from './default-channel-groups.service';
import { DefaultChannelGroupsStateService } from './default-channel-groups-state.service';

/** Channels that newcomers may choose together. */
@Module({
  imports: [AuditModule, UsersModule, ChannelsModule],
  controllers: [DefaultChannelGroupsController],
  providers: [DefaultChannelGroupsService, DefaultChannelGroupsStateService],
  exports: [DefaultChannelGroupsStateService],
})
export class DefaultChannelGroupsModule {}
