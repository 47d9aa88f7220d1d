import { Injectable } from '@nestjs/common';
import { Hooks } from '../../../platform/hooks/hooks';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import {
  GroupDirectory,
  type GroupMembershipChange,
  groupMembershipChanged,
  type Requester,
} from '../../user-groups';
import { AccountDirectory } from '../../users';
import { ChannelAccess } from '../access/channel.access';
import { ChannelDirectory, type ChannelRecord } from '../store/channel.directory';
import { ChannelEventsService } from './channel-events.service';
import { groupHolding, METADATA_SETTINGS } from '../store/channel-group-settings';

/**
 * Shows and hides private channels to people who come to groups or leave them, where permissions that open
 * the channel are given to those groups (groups reference 7).
 */
@Injectable()
export class ChannelVisibilityService {
  constructor(
    private readonly groups: GroupDirectory,
    private readonly accounts: AccountDirectory,
    private readonly channels: ChannelDirectory,
    private readonly access: ChannelAccess,
    private readonly events: ChannelEventsService,
    hooks: Hooks,
  ) {
    hooks.on(groupMembershipChanged, (tx, change) => this.membershipChanged(tx, change));
  }

  private async membershipChanged(tx: Transaction, change: GroupMembershipChange): Promise<void> {
    const channels = this.channelsOpenedBy(change.group.id);
    if (channels.length === 0) return;
    const people = this.peopleConcerned(change).map((userId) => this.beforeAndAfter(userId, change));
    for (const channel of channels) {
      const sees = (who: Requester) => this.access.hasMetadataAccess(who, channel);
      const gained = people.filter(({ before, after }) => !sees(before) && sees(after));
      const lost = people.filter(({ before, after }) => sees(before) && !sees(after));
      this.events.emitVisibility(tx, channel, audienceOf(gained), audienceOf(lost));
    }
  }

  /** Everybody sees that other channels exist, or their seeing it hangs on other things. */
  private channelsOpenedBy(groupId: number): ChannelRecord[] {
    const above = this.groups.above([groupId]);
    return this.channels
      .all()
      .filter(
        (channel) =>
          channel.isPrivate && METADATA_SETTINGS.some((setting) => above.has(groupHolding(channel, setting))),
      );
  }

  /** Active accounts that came or left, themselves or with a subgroup. */
  private peopleConcerned({ group, after, ...people }: GroupMembershipChange): number[] {
    const subgroupIds = [
      ...[...after.subgroups].filter((id) => !group.subgroups.has(id)),
      ...[...group.subgroups].filter((id) => !after.subgroups.has(id)),
    ];
    const found = new Set([...people.addedUserIds, ...people.removedUserIds]);
    for (const subgroupId of subgroupIds) {
      for (const userId of this.groups.membersOf(subgroupId)) found.add(userId);
    }
    return [...found].filter((userId) => this.accounts.active.has(userId));
  }

  private beforeAndAfter(userId: number, { after }: GroupMembershipChange) {
    const { role } = this.accounts.existing(userId);
    const before: Requester = { userId, role };
    return { before, after: { ...before, groupIds: this.groups.groupsOfAfter(userId, [after]) } };
  }
}

function audienceOf(people: readonly { readonly before: Requester }[]): Audience {
  return Audience.of(people.map(({ before }) => before.userId));
}
