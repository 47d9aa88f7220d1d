import { Injectable } from '@nestjs/common';
import { groupBy } from '../../../platform/collections';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import type { EmitOptions, ServerEvent } from '../../../platform/events/server-event';
import { AccountDirectory } from '../../users/users.module';
import { ChannelAudienceService } from '../store/channel-audience.service';
import { ChannelSettingsService, type ChannelState } from '../store/channel-settings.service';
import { ChannelDirectory, type ChannelRecord } from '../store/channel.directory';
import { ChannelRecordsService } from '../store/channel-records.service';
import { channelUpdates } from './administration.api';
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
import { SubscriptionDirectory } from '../store/subscription.directory';

/**
 * Emits channel changes: updates for users who still see the channel, the whole record for users who now see it, and a
 * removal for users who lose it.
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

  /** Call this before the change is committed, while the directories show the state before. */
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

  /** For permissions that are displayed differently, without changing anyone's access. */
  emitShownOtherwise(tx: Transaction, before: ChannelState, after: ChannelState): void {
    const options: EmitOptions = before.channel.isArchived ? FOR_ARCHIVED_CHANNELS : {};
    for (const update of this.updates(before, after)) emit(tx, update, this.viewers(before), options);
  }

  /** Call this when a channel becomes visible to people, or stops being so, without changing itself. */
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

  /** The channels that newcomers are put into, for everybody who may see that list. */
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

  /** Clients that forgot the channel when it was archived get it back, and their subscriptions with it. */
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
