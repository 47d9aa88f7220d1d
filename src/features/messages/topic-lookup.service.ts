import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../platform/database/queryable';
import { topicKey } from '../channels/topic.entity';

/** Finds topics by their names. */
@Injectable()
export class TopicLookupService {
  /** @returns the ID of the topic of this name, in any case; null where the channel has none */
  async idOf(db: Queryable, channelId: number, name: string): Promise<number | null> {
    const [row] = await db.query<{ id: number }>(
      'SELECT id FROM topic WHERE channel_id = ? AND name_key = ?',
      [channelId, topicKey(name)],
    );
    return row?.id ?? null;
  }

  /** Whether the channel has a topic of this name, in any case. */
  async exists(db: Queryable, channelId: number, name: string): Promise<boolean> {
    return (await this.idOf(db, channelId, name)) !== null;
  }
}
