import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import { GroupDirectory, type GroupRecord } from '../../user-groups/user-groups.module';
import { AccountDirectory, type AccountRecord } from '../../users/users.module';
import type { ChannelRecord } from './channel.directory';
import { CHANNEL_GROUP_SETTING_NAMES, groupHolding } from './channel-group-settings';
import { ChannelSettingsService } from './channel-settings.service';
import { ChannelTrafficService } from './channel-traffic.service';
import { channelWire, type ChannelSettingValues, type ChannelWire } from './channel-records.api';
import { SubscriptionDirectory } from './subscription.directory';

const SECONDS_A_DAY = 86_400;

/** The JSON text of a channel's record together with everything that it was made from. */
interface CachedText {
  readonly text: string;
  readonly channel: ChannelRecord;
  readonly subscriberCount: number;
  readonly weeklyTraffic: number | null;
  /** Whole days since 1970; whether a channel is recently active changes by itself. */
  readonly day: number;
  readonly anonymousGroups: readonly GroupRecord[];
  readonly namedPeople: readonly AccountRecord[];
}

/** Shows channels as records of the interface. */
@Injectable()
export class ChannelRecordsService {
  private readonly cached = new Map<number, CachedText>();

  constructor(
    private readonly settings: ChannelSettingsService,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly traffic: ChannelTrafficService,
    private readonly groups: GroupDirectory,
    private readonly accounts: AccountDirectory,
    private readonly clock: Clock,
  ) {}

  /** The record of a channel as it is now. */
  record(channel: ChannelRecord): ChannelWire {
    return this.recordWith(
      channel,
      this.settings.valuesOf(channel),
      this.subscriptions.subscriberCount(channel.id),
    );
  }

  /** The record of a channel that is being changed, with what the directories do not show yet. */
  recordWith(channel: ChannelRecord, settings: ChannelSettingValues, subscriberCount: number): ChannelWire {
    const now = this.clock.nowSeconds();
    return channelWire(channel, {
      settings,
      postPolicy: this.settings.postPolicyOf(settings.can_send_message_group),
      subscriberCount,
      weeklyTraffic: this.traffic.weeklyTrafficOf(channel, now),
      now,
    });
  }

  /**
   * The record as JSON text. Cached until something in it changes, so that a list of a thousand channels is
   * put together without writing any of them again.
   */
  json(channel: ChannelRecord): string {
    const now = this.clock.nowSeconds();
    let cached = this.cached.get(channel.id);
    if (!cached || !this.isCurrent(cached, channel, now)) {
      cached = this.write(channel, now);
      this.cached.set(channel.id, cached);
    }
    return cached.text;
  }

  /** Directories replace what changes, so the same object means the same content. */
  private isCurrent(cached: CachedText, channel: ChannelRecord, now: number): boolean {
    return (
      cached.channel === channel &&
      cached.subscriberCount === this.subscriptions.subscriberCount(channel.id) &&
      cached.day === Math.floor(now / SECONDS_A_DAY) &&
      cached.weeklyTraffic === this.traffic.weeklyTrafficOf(channel, now) &&
      cached.anonymousGroups.every((group) => this.groups.byId(group.id) === group) &&
      cached.namedPeople.every((account) => this.accounts.byId(account.id) === account)
    );
  }

  private write(channel: ChannelRecord, now: number): CachedText {
    const anonymousGroups = this.anonymousGroupsOf(channel);
    return {
      text: JSON.stringify(this.record(channel)),
      channel,
      subscriberCount: this.subscriptions.subscriberCount(channel.id),
      weeklyTraffic: this.traffic.weeklyTrafficOf(channel, now),
      day: Math.floor(now / SECONDS_A_DAY),
      anonymousGroups,
      namedPeople: anonymousGroups
        .flatMap((group) => [...group.members])
        .flatMap((userId) => this.accounts.byId(userId) ?? []),
    };
  }

  private anonymousGroupsOf(channel: ChannelRecord): GroupRecord[] {
    return CHANNEL_GROUP_SETTING_NAMES.map((setting) => this.groups.byId(groupHolding(channel, setting)))
      .filter((group) => group !== undefined)
      .filter((group) => group.name === null);
  }
}
