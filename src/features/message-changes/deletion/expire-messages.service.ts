import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.service';
import { MessageCountsService } from '../../messages';
import { UnlinkedUploadsService } from '../../uploads';
import { RemoveMessagesService } from './remove-messages.service';

const SECONDS_A_DAY = 86_400;

/** Few enough not to be felt by others, who write between two steps. */
const MESSAGES_PER_STEP = 200;
const PAUSE_MS = 5;

/** A channel, or some conversations. */
type Place = { readonly channelId: number } | { readonly conversationIds: readonly number[] };

/** Deletes messages that have been kept for long enough, and files that only such messages linked. */
@Injectable()
export class ExpireMessagesService {
  constructor(
    private readonly database: Database,
    private readonly times: MessageCountsService,
    private readonly removing: RemoveMessagesService,
    private readonly uploads: UnlinkedUploadsService,
  ) {}

  /**
   * Oldest first.
   * @param now UNIX seconds
   * @param keptDays asked before each step, as the answer may change; null ends it
   */
  async expire(now: number, place: Place, keptDays: () => number | null): Promise<void> {
    let found: number[];
    do {
      const days = keptDays();
      if (days === null) return;
      found = await this.due(place, now - days * SECONDS_A_DAY);
      if (found.length === 0) return;
      const linked = await this.uploads.linkedByAny(this.database.read, found);
      const removed = await this.removing.remove({
        messageIds: found,
        deleterId: null,
        choose: (_, locked) => {
          const isStillDue = keptDays() === days;
          const isThere = (channelId: number | null) =>
            !('channelId' in place) || channelId === place.channelId;
          return Promise.resolve(isStillDue ? locked.filter((message) => isThere(message.channelId)) : []);
        },
      });
      await this.uploads.remove(linked);
      if (removed === 0) return;
      await pause(PAUSE_MS);
    } while (found.length === MESSAGES_PER_STEP);
  }

  /** @param before UNIX seconds */
  private async due(place: Place, before: number): Promise<number[]> {
    const inPlace = 'channelId' in place ? 'channel_id = ?' : 'conversation_id IN (?)';
    const value = 'channelId' in place ? place.channelId : place.conversationIds;
    const rows = await this.database.read.query<{ id: number }>(
      `SELECT id FROM message WHERE ${inPlace} AND id <= ? AND sent_at < ? ORDER BY id LIMIT ?`,
      [value, await this.times.lastIdBefore(before), before, MESSAGES_PER_STEP],
    );
    return rows.map(({ id }) => id);
  }
}
