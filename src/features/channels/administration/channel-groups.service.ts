import { Injectable } from '@nestjs/common';
import { Hooks } from '../../../platform/hooks/hooks';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import {
  type ActivityChange,
  GroupDirectory,
  type GroupMembershipChange,
  groupMembershipChanged,
  type GroupObjection,
  PermissionHoldersService,
  type Requester,
  type RestsOn,
  restingPermissionsSought,
} from '../../user-groups/user-groups.module';
import { AccountDirectory } from '../../users/users.module';
import { ChannelAccess } from '../access/channel.access';
import { ChannelDirectory, type ChannelRecord } from '../store/channel.directory';
import { ChannelEventsService } from './channel-events.service';
import {
  CHANNEL_GROUP_SETTING_NAMES,
  CHANNEL_GROUP_SETTINGS,
  groupHolding,
  METADATA_SETTINGS,
} from '../store/channel-group-settings';
import { ChannelSettingsService } from '../store/channel-settings.service';

/**
 * What groups mean for channels: private channels appear and disappear as people enter and leave groups,
 * permissions of channels show other people, and groups that hold such permissions cannot be taken away.
 */
@Injectable()
export class ChannelGroupsService {
  constructor(
    private readonly groups: GroupDirectory,
    private readonly accounts: AccountDirectory,
    private readonly channels: ChannelDirectory,
    private readonly access: ChannelAccess,
    private readonly events: ChannelEventsService,
    private readonly holders: PermissionHoldersService,
    private readonly settings: ChannelSettingsService,
    hooks: Hooks,
  ) {
    hooks.on(groupMembershipChanged, (tx, change) => this.membershipChanged(tx, change));
    hooks.on(restingPermissionsSought, (restsOn) => this.objectionsTo(restsOn));
  }

  /** Tells of the permissions of channels, as {@link PermissionHoldersService} does of the others. */
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

  /** Channels in use that give permissions which rest on a group or a person. */
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

  /** Everybody sees that other channels exist, or sees them for other reasons. */
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
