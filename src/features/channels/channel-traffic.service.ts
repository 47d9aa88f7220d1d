import { Injectable } from '@nestjs/common';
import type { ChannelRecord } from './channel.directory';
import { weeklyTraffic } from './rules/activity';

/** How many messages channels get. Whoever counts messages says so from time to time. */
@Injectable()
export class ChannelTrafficService {
  private messages: ReadonlyMap<number, number> = new Map();

  /** @param messages of the last 28 days, by channel ID */
  replace(messages: ReadonlyMap<number, number>): void {
    this.messages = messages;
  }

  /** @param now UNIX seconds */
  weeklyTrafficOf(channel: ChannelRecord, now: number): number | null {
    return weeklyTraffic(this.messages.get(channel.id) ?? 0, channel.dateCreated, now);
  }
}
