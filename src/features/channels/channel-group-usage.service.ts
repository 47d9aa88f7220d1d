import { Injectable } from '@nestjs/common';
import { GroupUsageRegistry, type GroupUsageSource } from '../user-groups/group-usage.registry';
import type { GroupObjection } from '../user-groups/user-group.wire';
import { ChannelDirectory } from './channel.directory';
import { CHANNEL_GROUP_SETTING_NAMES, groupHolding } from './channel-group-settings';

/** Says which channels give permissions to a group, which then cannot be deactivated. */
@Injectable()
export class ChannelGroupUsage implements GroupUsageSource {
  constructor(
    private readonly channels: ChannelDirectory,
    registry: GroupUsageRegistry,
  ) {
    registry.register(this);
  }

  objectionsTo(holderIds: ReadonlySet<number>): GroupObjection[] {
    return this.channels
      .all()
      .filter(({ isArchived }) => !isArchived)
      .map((channel) => ({
        type: 'channel' as const,
        channel_id: channel.id,
        settings: CHANNEL_GROUP_SETTING_NAMES.filter((setting) =>
          holderIds.has(groupHolding(channel, setting)),
        ),
      }))
      .filter(({ settings }) => settings.length > 0);
  }
}
