import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../platform/database/queryable';

/** Knows people who took part in topics by something else than sending, for features above messages such as reactions. */
export interface ParticipantSource {
  /** @returns user IDs, each once */
  participantsOf(db: Queryable, topicId: number): Promise<readonly number[]>;
}

/** Who took part in topics: whoever sent a message to one, or reacted to one of its messages. */
@Injectable()
export class TopicParticipantRegistry {
  private readonly sources: ParticipantSource[] = [];

  register(source: ParticipantSource): void {
    this.sources.push(source);
  }

  /** @returns user IDs */
  async participantsOf(db: Queryable, topicId: number): Promise<Set<number>> {
    const senders = await db.query<{ id: number }>(
      'SELECT DISTINCT sender_id AS id FROM message WHERE topic_id = ?',
      [topicId],
    );
    const participants = new Set(senders.map(({ id }) => id));
    for (const source of this.sources) {
      for (const userId of await source.participantsOf(db, topicId)) participants.add(userId);
    }
    return participants;
  }
}
