import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { CHANNEL_GROUP_SETTING_NAMES, groupHolding } from './channel-group-settings';
import {
  type ChannelSettingValues,
  channelWire,
  type ChannelWire,
  TRAFFIC_DAYS,
  weeklyTraffic,
} from './channel-records.api';
import { ChannelSettingsService } from './channel-settings.service';
import { type ChannelRecord, SubscriptionDirectory } from './channel.directory';
import { descriptionRendererPort, type MessageCounts, messageCountsPort } from './messages.hooks';
import { Clock } from '../../../platform/clock';
import { lostCommitsNoted, rowsPutBack } from '../../../platform/database/database.hooks';
import { Database } from '../../../platform/database/database.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { PeriodicTask } from '../../../platform/lifecycle/periodic-task';
import { GroupDirectory, type GroupRecord, type Requester } from '../../user-groups/user-groups.module';
import { AccountDirectory, type AccountRecord } from '../../users/users.module';

const INTERVAL_MS = 3_600_000;
const SECONDS_A_DAY = 86_400;

/** How many IDs one statement counts; small enough not to delay other requests. */
const IDS_PER_STEP = 2_000;

/**
 * Counts the messages of channels over the last four weeks. Counts in the background, each message once, so the figure
 * is up to an hour old and includes messages that were moved or deleted since.
 */
@Injectable()
export class ChannelTrafficService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task = new PeriodicTask('ChannelTraffic', () => this.count());
  /** Number of messages by day since 1970, and by channel. */
  private readonly days = new Map<number, Map<number, number>>();
  private totals: ReadonlyMap<number, number> = new Map();
  /** The last counted ID; undefined before the first count. */
  private countedTo: number | undefined;

  constructor(
    private readonly database: Database,
    private readonly hooks: Hooks,
    private readonly clock: Clock,
  ) {
    hooks.on(rowsPutBack, (tx) => tx.afterCommit(() => this.recount()));
    hooks.on(lostCommitsNoted, (tx) => tx.afterCommit(() => this.recount()));
  }

  onApplicationBootstrap(): void {
    this.task.start(INTERVAL_MS, { atOnce: true, clock: this.clock });
  }

  onModuleDestroy(): Promise<void> {
    return this.task.stop();
  }

  /** @param now UNIX seconds */
  weeklyTrafficOf(channel: ChannelRecord, now: number): number | null {
    return weeklyTraffic(this.totals.get(channel.id) ?? 0, channel.dateCreated, now);
  }

  /**
   * Counts the messages sent since the previous run, and drops days that are too old. Does nothing without a feature
   * that stores messages.
   */
  async count(): Promise<void> {
    const counts = this.hooks.provider(messageCountsPort);
    if (!counts) return;
    const oldestDay = Math.floor(this.clock.nowSeconds() / SECONDS_A_DAY) - TRAFFIC_DAYS;
    this.countedTo ??= await counts.lastIdBefore((oldestDay + 1) * SECONDS_A_DAY);
    const newest = await counts.newestId(this.database.read);
    while (!this.task.isStopping && this.countedTo < newest) {
      const last = Math.min(this.countedTo + IDS_PER_STEP, newest);
      this.note(await counts.countByChannel(this.countedTo, last));
      this.countedTo = last;
      await nextTurn();
    }
    for (const day of this.days.keys()) {
      if (day <= oldestDay) this.days.delete(day);
    }
    this.totals = sum(this.days.values());
  }

  private async recount(): Promise<void> {
    this.days.clear();
    this.countedTo = undefined;
    await this.count();
  }

  private note(counts: Awaited<ReturnType<MessageCounts['countByChannel']>>): void {
    for (const { channelId, day, messages } of counts) {
      const byChannel = this.days.get(day) ?? new Map<number, number>();
      byChannel.set(channelId, (byChannel.get(channelId) ?? 0) + messages);
      this.days.set(day, byChannel);
    }
  }
}

function sum(days: Iterable<ReadonlyMap<number, number>>): Map<number, number> {
  const totals = new Map<number, number>();
  for (const day of days) {
    for (const [channelId, messages] of day) {
      totals.set(channelId, (totals.get(channelId) ?? 0) + messages);
    }
  }
  return totals;
}

/** The JSON of a channel's record, and everything from which it was built. */
interface CachedText {
  readonly text: string;
  readonly channel: ChannelRecord;
  readonly subscriberCount: number;
  readonly weeklyTraffic: number | null;
  /** In days since 1970; whether a channel is recently active changes with time alone. */
  readonly day: number;
  readonly anonymousGroups: readonly GroupRecord[];
  readonly namedPeople: readonly AccountRecord[];
}

/** Converts channels to the records that clients receive. */
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

  /** The current record of a channel. */
  record(channel: ChannelRecord): ChannelWire {
    return this.recordWith(
      channel,
      this.settings.valuesOf(channel),
      this.subscriptions.subscriberCount(channel.id),
    );
  }

  /** The record of a channel that is being changed, with data that is not in the directories yet. */
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
   * The record as JSON. Cached until something in it changes, so that a list of a thousand channels is assembled
   * without serializing any of them.
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

  /** Directories replace objects when they change, so the same object means the same content. */
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

/** Renders the Markdown of descriptions as safe HTML; the empty text stays empty. */
@Injectable()
export class DescriptionRenderer {
  constructor(private readonly hooks: Hooks) {}

  /**
   * Returns the text itself if no feature renders Markdown.
   * @param author links only channels that the author can access, so that naming one reveals nothing; null links only
   * public ones
   */
  render(markdown: string, author: Requester | null): string {
    if (markdown === '') return '';
    return this.hooks.provider(descriptionRendererPort)?.render(markdown, author) ?? plainParagraph(markdown);
  }
}

function plainParagraph(text: string): string {
  const escaped = text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<p>${escaped}</p>`;
}
