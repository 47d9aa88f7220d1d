import { Injectable } from '@nestjs/common';
import { Hooks } from '../../../platform/hooks/hooks';
import { type GroupObjection, type RestsOn, restingPermissionsSought } from '../../user-groups';
import { ChannelDirectory } from '../store/channel.directory';
import {
  CHANNEL_GROUP_SETTING_NAMES,
  CHANNEL_GROUP_SETTINGS,
  groupHolding,
} from '../store/channel-group-settings';

/** Says which channels give permissions that rest on a group or a person. */
@Injectable()
export class ChannelGroupUsage {
  constructor(
    private readonly channels: ChannelDirectory,
    hooks: Hooks,
  ) {
    hooks.on(restingPermissionsSought, (restsOn) => this.objectionsTo(restsOn));
  }

  private objectionsTo(restsOn: RestsOn): GroupObjection[] {
    return this.channels
      .all()
      .filter(({ isArchived }) => !isArchived)
      .map((channel) => ({
        type: 'channel' as const,
        channel_id: channel.id,
        settings: CHANNEL_GROUP_SETTING_NAMES.filter((setting) =>
          restsOn(groupHolding(channel, setting), CHANNEL_GROUP_SETTINGS[setting]),
        ),
      }))
      .filter(({ settings }) => settings.length > 0);
  }
}
