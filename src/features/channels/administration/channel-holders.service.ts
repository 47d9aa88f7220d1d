import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transaction.service';
import { type ActivityChange, PermissionHoldersService } from '../../user-groups';
import { ChannelDirectory } from '../store/channel.directory';
import { ChannelEventsService } from './channel-events.service';
import { CHANNEL_GROUP_SETTING_NAMES, groupHolding } from '../store/channel-group-settings';
import { ChannelSettingsService } from '../store/channel-settings.service';

/** Tells of permissions of channels what {@link PermissionHoldersService} tells of the others. */
@Injectable()
export class ChannelHoldersService {
  constructor(
    private readonly channels: ChannelDirectory,
    private readonly holders: PermissionHoldersService,
    private readonly settings: ChannelSettingsService,
    private readonly events: ChannelEventsService,
  ) {}

  emitChanged(tx: Transaction, change: ActivityChange): void {
    const naming = this.holders.naming(change.userId);
    if (naming.size === 0) return;
    for (const channel of this.channels.all()) {
      if (!CHANNEL_GROUP_SETTING_NAMES.some((setting) => naming.has(groupHolding(channel, setting))))
        continue;
      const before = { channel, settings: this.settings.valuesOf(channel) };
      const after = { channel, settings: this.settings.valuesOf(channel, change) };
      this.events.emitShownOtherwise(tx, before, after);
    }
  }
}
