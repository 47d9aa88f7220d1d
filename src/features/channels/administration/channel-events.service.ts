import { Injectable } from '@nestjs/common';
import { channelUpdates } from './administration.api';
import { groupBy } from '../../../platform/collections';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import type { EmitOptions, ServerEvent } from '../../../platform/events/server-event';
import { Hooks } from '../../../platform/hooks/hooks';
import {
  type ActivityChange,
  GroupDirectory,
  type GroupMembershipChange,
  groupMembershipChanged,
  type GroupObjection,
  PermissionHoldersService,
  type Requester,
  dependentPermissionsSought,
  type DependsOn,
} from '../../user-groups/user-groups.module';
import { AccountDirectory } from '../../users/users.module';
import { ChannelAccess } from '../access/channel.access';
import { ChannelAudienceService } from '../store/channel-audience.service';
import {
  CHANNEL_GROUP_SETTING_NAMES,
  CHANNEL_GROUP_SETTINGS,
  groupHolding,
  METADATA_SETTINGS,
} from '../store/channel-group-settings';
import {
  ARCHIVED_CHANNELS,
  channelsAppeared,
  channelsDisappeared,
  defaultChannelsReplaced,
  FOR_ARCHIVED_CHANNELS,
  peersSubscribed,
  personalSettingsWire,
  type SubscriptionRow,
  subscriptionsAdded,
} from '../store/channel-records.api';
import { ChannelRecordsService } from '../store/channel-records.service';
import { ChannelSettingsService, type ChannelState } from '../store/channel-settings.service';
import { ChannelDirectory, type ChannelRecord, SubscriptionDirectory } from '../store/channel.directory';

/**
 * Emits changes of channels: updates for users who still see the channel, the whole record for users who now see it,
 * and a removal for users who lose it.
 */
@Injectable()
export class ChannelEventsService {
  constructor(
    private readonly channels: ChannelDirectory,
    private readonly accounts: AccountDirectory,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly audiences: ChannelAudienceService,
    private readonly records: ChannelRecordsService,
    private readonly settings: ChannelSettingsService,
  ) {}

  /** Must be called before the change is committed, while the directories show the previous state. */
  async emitChanged(tx: Transaction, before: ChannelState, after: ChannelState): Promise<void> {
    if (before.channel.isDefault !== after.channel.isDefault) this.emitDefaults(tx, after.channel);
    const seenBefore = this.viewers(before);
    const seenAfter = this.viewers(after);
    const gained = seenAfter.without(seenBefore.ids());
    const wasShown = !before.channel.isArchived;
    const isShown = !after.channel.isArchived;
    const options: EmitOptions = wasShown && isShown ? {} : FOR_ARCHIVED_CHANNELS;
    this.emitAppeared(tx, after, gained, options);
    for (const update of this.updates(before, after)) {
      emit(tx, update, seenAfter.without(gained.ids()), options);
    }
    const { id } = after.channel;
    emit(tx, channelsDisappeared([id]), seenBefore.without(seenAfter.ids()), options);
    if (wasShown && !isShown) emit(tx, channelsDisappeared([id]), seenBefore, { unless: ARCHIVED_CHANNELS });
    if (!wasShown && isShown) await this.emitReturned(tx, after, seenAfter);
  }

  /** Emits permissions that are displayed differently, without changing anyone's access. */
  emitRecordChanges(tx: Transaction, before: ChannelState, after: ChannelState): void {
    const options: EmitOptions = before.channel.isArchived ? FOR_ARCHIVED_CHANNELS : {};
    for (const update of this.updates(before, after)) emit(tx, update, this.viewers(before), options);
  }

  /** Must be called when a channel becomes visible or invisible to people without changing itself. */
  emitVisibility(tx: Transaction, channel: ChannelRecord, gained: Audience, lost: Audience): void {
    const options: EmitOptions = channel.isArchived ? FOR_ARCHIVED_CHANNELS : {};
    this.emitAppeared(tx, { channel, settings: this.settings.valuesOf(channel) }, gained, options);
    emit(tx, channelsDisappeared([channel.id]), lost, options);
  }

  private updates(before: ChannelState, after: ChannelState): ServerEvent[] {
    return channelUpdates(before, after, (value) => this.settings.postPolicyOf(value));
  }

  private viewers({ channel, settings }: ChannelState): Audience {
    return this.audiences.viewers(channel, settings, this.subscriptions.subscribersOf(channel.id));
  }

  /** Emits the default channels to everyone who may see that list. */
  emitDefaults(tx: Transaction, channel: ChannelRecord): void {
    const others = this.channels.all().filter(({ id, isDefault }) => isDefault && id !== channel.id);
    const ids = [...others, ...(channel.isDefault ? [channel] : [])].map(({ id }) => id);
    tx.emit(defaultChannelsReplaced(ids.sort((a, b) => a - b)), this.accounts.members);
  }

  private emitAppeared(
    tx: Transaction,
    { channel, settings }: ChannelState,
    audience: Audience,
    options: EmitOptions,
  ): void {
    if (audience.size === 0) return;
    const subscribers = this.subscriptions.subscribersOf(channel.id);
    emit(
      tx,
      channelsAppeared([this.records.recordWith(channel, settings, subscribers.size)]),
      audience,
      options,
    );
    if (subscribers.size === 0) return;
    const others = audience.without(subscribers.ids());
    emit(tx, peersSubscribed([channel.id], [...subscribers.ids()]), others, options);
  }

  /** Clients that removed the archived channel receive it again, with their subscriptions. */
  private async emitReturned(tx: Transaction, after: ChannelState, viewers: Audience): Promise<void> {
    const options: EmitOptions = { unless: ARCHIVED_CHANNELS };
    this.emitAppeared(tx, after, viewers, options);
    const subscribers = this.subscriptions.subscribersOf(after.channel.id);
    const channel = this.records.recordWith(after.channel, after.settings, subscribers.size);
    const rows = await tx.query<SubscriptionRow & { user_id: number }>(
      `SELECT user_id, channel_id, color, is_muted, is_pinned, desktop_notifications, audible_notifications,
         push_notifications, email_notifications, wildcard_mentions_notify
       FROM subscription WHERE channel_id = ? AND is_active = ?`,
      [channel.stream_id, true],
    );
    const counting = rows.filter((row) => subscribers.has(row.user_id));
    for (const people of groupBy(counting, (row) => JSON.stringify(personalSettingsWire(row))).values()) {
      const [row] = people;
      if (!row) continue;
      const record = { ...channel, ...personalSettingsWire(row), subscribers: [...subscribers.ids()] };
      emit(tx, subscriptionsAdded([record]), Audience.of(people.map((person) => person.user_id)), options);
    }
  }
}

function emit(tx: Transaction, event: ServerEvent, audience: Audience, options: EmitOptions): void {
  if (audience.size > 0) tx.emit(event, audience, options);
}

/**
 * The effects of groups on channels: private channels appear and disappear as people join and leave groups, displayed
 * permissions change, and groups that hold permissions cannot be deactivated.
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
    hooks.on(dependentPermissionsSought, (dependsOn) => this.objectionsTo(dependsOn));
  }

  /** Emits the permissions of channels, like {@link PermissionHoldersService} for other permissions. */
  emitChanged(tx: Transaction, change: ActivityChange): void {
    const naming = this.holders.naming(change.userId);
    if (naming.size === 0) return;
    for (const channel of this.channels.all()) {
      if (!CHANNEL_GROUP_SETTING_NAMES.some((setting) => naming.has(groupHolding(channel, setting))))
        continue;
      const before = { channel, settings: this.settings.valuesOf(channel) };
      const after = { channel, settings: this.settings.valuesOf(channel, change) };
      this.events.emitRecordChanges(tx, before, after);
    }
  }

  /** Active channels with permissions that depend on a group or a person. */
  private objectionsTo(dependsOn: DependsOn): GroupObjection[] {
    return this.channels
      .all()
      .filter(({ isArchived }) => !isArchived)
      .map((channel) => ({
        type: 'channel' as const,
        channel_id: channel.id,
        settings: CHANNEL_GROUP_SETTING_NAMES.filter((setting) =>
          dependsOn(groupHolding(channel, setting), CHANNEL_GROUP_SETTINGS[setting]),
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

  /** Only private channels, since everyone else sees the others regardless of groups. */
  private channelsOpenedBy(groupId: number): ChannelRecord[] {
    const above = this.groups.above([groupId]);
    return this.channels
      .all()
      .filter(
        (channel) =>
          channel.isPrivate && METADATA_SETTINGS.some((setting) => above.has(groupHolding(channel, setting))),
      );
  }

  /** Active accounts that joined or left, directly or through a subgroup. */
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
