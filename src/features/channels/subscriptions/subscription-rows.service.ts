import { Injectable } from '@nestjs/common';
import { groupBy } from '../../../platform/collections';
import type { Transaction } from '../../../platform/database/transaction.service';
import type { ChannelRecord } from '../store/channel.directory';
import type { SubscriptionRow } from '../store/channel-records.api';
import { freeColor, hasFreeColor } from './colors';
import { SubscriptionPeriodService } from './subscription-period.service';

/** A channel and people who are not subscribed to it and are to be. */
export interface NewSubscriptions {
  readonly channel: Pick<ChannelRecord, 'id'>;
  readonly userIds: readonly number[];
  /** Colour of new rows; without one, everybody gets the first one not in use. */
  readonly color?: string;
}

/** A row of a subscription as it is stored. */
export interface StoredRow extends SubscriptionRow {
  readonly id: number;
  readonly user_id: number;
}

/** With so many subscriptions, people mostly use every colour there is to give out. */
const ENOUGH = 100;

const ROW_COLUMNS = `id, user_id, channel_id, color, is_muted, is_pinned, desktop_notifications,
  audible_notifications, push_notifications, email_notifications, wildcard_mentions_notify`;

/** Writes the rows of subscriptions. */
@Injectable()
export class SubscriptionRowsService {
  constructor(private readonly periods: SubscriptionPeriodService) {}

  /** Restores the rows of former subscribers, with their settings, and creates the others. */
  async write(tx: Transaction, additions: readonly NewSubscriptions[]): Promise<StoredRow[]> {
    const colors = await this.colorsInUse(tx, additions);
    const written: StoredRow[][] = [];
    for (const { channel, userIds, color } of additions) {
      const restored = await tx.query<StoredRow>(
        `UPDATE subscription SET is_active = ? WHERE channel_id = ? AND user_id IN (?) RETURNING ${ROW_COLUMNS}`,
        [true, channel.id, userIds],
      );
      written.push(restored);
      const known = new Set(restored.map((row) => row.user_id));
      const unknown = userIds.filter((userId) => !known.has(userId));
      const byColor = groupBy(unknown, (userId) => color ?? takeColor(colors, userId, channel.id));
      for (const [chosen, people] of byColor) {
        written.push(await this.insert(tx, channel.id, chosen, people));
      }
      await this.periods.open(tx, [channel.id], userIds);
    }
    const rows = written.flat();
    tx.touch(
      'subscriptions',
      rows.map((row) => row.id),
    );
    return rows;
  }

  private insert(
    tx: Transaction,
    channelId: number,
    color: string,
    userIds: readonly number[],
  ): Promise<StoredRow[]> {
    return tx.query<StoredRow>(
      `INSERT INTO subscription (user_id, channel_id, is_active, color, is_muted, is_pinned)
       SELECT id, ?, ?, ?, ?, ? FROM account WHERE id IN (?) RETURNING ${ROW_COLUMNS}`,
      [channelId, true, color, false, false, userIds],
    );
  }

  /** Colours of the subscriptions of the people, ended ones included, as far as they tell which are free. */
  private async colorsInUse(
    tx: Transaction,
    additions: readonly NewSubscriptions[],
  ): Promise<Map<number, Set<string>>> {
    const userIds = [...new Set(additions.flatMap((addition) => addition.userIds))];
    const [userId] = userIds;
    if (userId !== undefined && userIds.length === 1) {
      const colors = await this.colorsOfOldest(tx, userId);
      if (colors) return new Map([[userId, colors]]);
    }
    const rows = await tx.query<{ user_id: number; color: string }>(
      'SELECT DISTINCT user_id, color FROM subscription WHERE user_id IN (?)',
      [userIds],
    );
    const colors = new Map(userIds.map((userId) => [userId, new Set<string>()]));
    for (const row of rows) colors.get(row.user_id)?.add(row.color);
    return colors;
  }

  /** Colours of a person's oldest subscriptions; null where those are not all, and leave a colour free. */
  private async colorsOfOldest(tx: Transaction, userId: number): Promise<Set<string> | null> {
    const rows = await tx.query<{ color: string; count: number }>(
      `SELECT color, COUNT(*) AS count
       FROM (SELECT color FROM subscription WHERE user_id = ? ORDER BY channel_id LIMIT ?) oldest GROUP BY color`,
      [userId, ENOUGH],
    );
    const colors = new Set(rows.map((row) => row.color));
    const areAll = rows.reduce((total, { count }) => total + count, 0) < ENOUGH;
    return areAll || !hasFreeColor(colors) ? colors : null;
  }
}

function takeColor(colors: ReadonlyMap<number, Set<string>>, userId: number, channelId: number): string {
  const used = colors.get(userId) ?? new Set();
  const color = freeColor(used, channelId);
  used.add(color);
  return color;
}
