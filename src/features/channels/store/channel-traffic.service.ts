import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import { Database } from '../../../platform/database/database.service';
import { lostCommitsNoted, rowsPutBack } from '../../../platform/database/database.hooks';
import { Hooks } from '../../../platform/hooks/hooks';
import { PeriodicTask } from '../../../platform/lifecycle/periodic-task';
import type { ChannelRecord } from './channel.directory';
import { type MessageCounts, messageCountsPort } from './messages.hooks';
import { TRAFFIC_DAYS, weeklyTraffic } from './activity';

const INTERVAL_MS = 3_600_000;
const SECONDS_A_DAY = 86_400;

/** How many IDs one statement counts; few enough not to be felt by other requests. */
const IDS_PER_STEP = 2_000;

/**
 * Knows how many messages channels got in the last four weeks. Counts in the background, each message
 * once, so what it says is up to an hour old, and messages that are moved or deleted stay counted.
 */
@Injectable()
export class ChannelTrafficService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task = new PeriodicTask('ChannelTraffic', () => this.count());
  /** Messages by day, counted from 1970, and by channel. */
  private readonly days = new Map<number, Map<number, number>>();
  private totals: ReadonlyMap<number, number> = new Map();
  /** The last ID that is counted; undefined before the first time. */
  private countedTo: number | undefined;

  constructor(
    private readonly database: Database,
    private readonly hooks: Hooks,
    private readonly clock: Clock,
  ) {
    hooks.on(rowsPutBack, (tx) => tx.afterCommit(() => this.countAnew()));
    hooks.on(lostCommitsNoted, (tx) => tx.afterCommit(() => this.countAnew()));
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

  /** Counts what was sent since the last time, and forgets what is too old. Without messages there is nothing to count. */
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

  private async countAnew(): Promise<void> {
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
