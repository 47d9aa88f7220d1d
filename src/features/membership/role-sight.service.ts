import { Injectable } from '@nestjs/common';
import type { Role } from '../../platform/actor';
import type { Transaction } from '../../platform/database/transaction.service';
import { Audience } from '../../platform/events/audience';
import { ChannelAccess } from '../channels/channel.access';
import { ChannelDirectory, type ChannelRecord } from '../channels/channel.directory';
import { ChannelRecordsService } from '../channels/channel-records.service';
import { channelsAppeared, channelsDisappeared, peersSubscribed } from '../channels/channels.events';
import { SubscriptionDirectory } from '../channels/subscription.directory';
import type { Requester } from '../user-groups/permission.service';

/**
 * Shows and hides channels to somebody whose role changes: guests do not see the public ones, and
 * administrators see the private ones. Permissions may be given to the groups of roles as well.
 */
@Injectable()
export class RoleSightService {
  constructor(
    private readonly channels: ChannelDirectory,
    private readonly access: ChannelAccess,
    private readonly records: ChannelRecordsService,
    private readonly subscriptions: SubscriptionDirectory,
  ) {}

  /**
   * @param after the person with the new role, and in the groups of that role
   * @param roleBefore the role until now
   */
  emitChanges(tx: Transaction, after: Requester, roleBefore: Role): void {
    const before: Requester = { userId: after.userId, role: roleBefore };
    const sees = (who: Requester, channel: ChannelRecord) => this.access.hasMetadataAccess(who, channel);
    const present = this.channels.all().filter(({ isArchived }) => !isArchived);
    const gained = present.filter((channel) => sees(after, channel) && !sees(before, channel));
    const lost = present.filter((channel) => !sees(after, channel) && sees(before, channel));
    const audience = Audience.of([after.userId]);
    if (gained.length > 0) {
      tx.emit(channelsAppeared(gained.map((channel) => this.records.record(channel))), audience);
    }
    for (const channel of gained) {
      const subscribers = [...this.subscriptions.subscribersOf(channel.id).ids()];
      if (subscribers.length > 0) tx.emit(peersSubscribed([channel.id], subscribers), audience);
    }
    if (lost.length > 0) tx.emit(channelsDisappeared(lost.map((channel) => channel.id)), audience);
  }
}
