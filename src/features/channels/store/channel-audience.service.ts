import { Injectable } from '@nestjs/common';
import { METADATA_SETTINGS } from './channel-group-settings';
import { type ChannelRecord, lockChannels, SubscriptionDirectory } from './channel.directory';
import { channelActivityChanged, type ChannelSettingValues, isRecentlyActive } from './channel-records.api';
import { ChannelSettingsService } from './channel-settings.service';
import { Channel } from './channel.entity';
import { Clock } from '../../../platform/clock';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import { Directories } from '../../../platform/events/directories';
import { GroupDirectory, type GroupSettingValue } from '../../user-groups/user-groups.module';
import { AccountDirectory } from '../../users/users.module';

/** Determines who receives events about a channel: the active accounts with metadata access to it. */
@Injectable()
export class ChannelAudienceService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly groups: GroupDirectory,
    private readonly settings: ChannelSettingsService,
    private readonly subscriptions: SubscriptionDirectory,
  ) {}

  /** Everyone who sees the channel now. */
  viewersOf(channel: ChannelRecord): Audience {
    return this.viewers(
      channel,
      this.settings.valuesOf(channel),
      this.subscriptions.subscribersOf(channel.id),
    );
  }

  /**
   * Everyone who sees a channel with the given permissions and subscribers. For public channels without guests it is
   * always the same object, which makes the event cheap to store.
   */
  viewers(
    channel: Pick<ChannelRecord, 'isPrivate' | 'isWebPublic'>,
    values: ChannelSettingValues,
    subscribers: Audience,
  ): Audience {
    if (channel.isWebPublic) return this.accounts.active;
    if (!channel.isPrivate) return this.accounts.members.union(this.guestsIn(subscribers));
    return subscribers.union(this.accounts.administrators, this.holders(values));
  }

  private guestsIn(subscribers: Audience): Audience {
    const { active, members } = this.accounts;
    if (active.size === members.size) return Audience.none;
    return Audience.of(subscribers.ids().filter((id) => active.has(id) && !members.has(id)));
  }

  /** Guests never hold these permissions. */
  private holders(values: ChannelSettingValues): Audience {
    const found = new Set<number>();
    for (const setting of METADATA_SETTINGS) {
      for (const userId of this.membersOf(values[setting])) {
        if (this.accounts.members.has(userId)) found.add(userId);
      }
    }
    return Audience.of(found);
  }

  private *membersOf(value: GroupSettingValue): Generator<number> {
    if (typeof value === 'number') {
      yield* this.groups.membersOf(value);
      return;
    }
    yield* value.direct_members;
    for (const groupId of value.direct_subgroups) yield* this.groups.membersOf(groupId);
  }
}

/** Precision of the time of a channel's last message. */
const SECONDS_A_DAY = 86_400;

/** Locks channels for sending, and updates the facts about messages in their rows. */
@Injectable()
export class ChannelActivityService {
  constructor(
    private readonly audiences: ChannelAudienceService,
    private readonly directories: Directories,
    private readonly clock: Clock,
  ) {}

  /**
   * Prevents subscribing, unsubscribing and channel changes until the transaction ends, so that the subscribers in
   * memory are the recipients of messages. SQLite runs one writing transaction at a time anyway.
   * @param options `forUpdate` if {@link noteMessage} or another change of their rows follows, which excludes other
   * messages as well
   */
  async lock(
    tx: Transaction,
    channelIds: readonly number[],
    { forUpdate }: { readonly forUpdate: boolean },
  ): Promise<void> {
    if (tx.engine === 'sqlite') return;
    const locked = lockChannels(tx, channelIds, forUpdate ? 'alone' : 'shared');
    await Promise.all([locked, this.directories.catchUpIn(tx)]);
  }

  /** Whether a message has to be recorded in the channel's own row, which requires an exclusive transaction. */
  isDue(channel: ChannelRecord): boolean {
    const { firstMessageId, lastMessageAt } = channel;
    if (firstMessageId === null || lastMessageAt === null) return true;
    return this.clock.nowSeconds() - lastMessageAt >= SECONDS_A_DAY;
  }

  /**
   * Records a message; if the channel was inactive for long, emits the change to everyone who sees it. Requires an
   * exclusive transaction.
   */
  async noteMessage(
    tx: Transaction,
    channel: ChannelRecord,
    messageId: number,
    sentAt: number,
  ): Promise<void> {
    await tx.query(
      'UPDATE channel SET first_message_id = COALESCE(first_message_id, ?), last_message_at = ? WHERE id = ?',
      [messageId, sentAt, channel.id],
    );
    tx.touch('channels', [channel.id]);
    if (isRecentlyActive(channel, this.clock.nowSeconds())) return;
    tx.emit(channelActivityChanged(channel, true), this.audiences.viewersOf(channel));
  }

  /** Sets the oldest message of a channel, or none. Requires an exclusive transaction. */
  async noteFirst(tx: Transaction, channelId: number, firstMessageId: number | null): Promise<void> {
    await tx.repository(Channel).update({ id: channelId }, { firstMessageId });
    tx.touch('channels', [channelId]);
  }
}
