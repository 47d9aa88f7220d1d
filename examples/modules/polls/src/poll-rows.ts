import { In, type Queryable } from 'parley/module';
import { Poll, PollOption } from './poll.entity';
import type { PollRecord } from './polls.events';

/** The record of a poll. */
export function recordOf(poll: Poll, options: readonly PollOption[]): PollRecord {
  const { id, messageId, creatorId, question, closesAt, isClosed } = poll;
  return {
    id,
    message_id: messageId,
    creator_id: creatorId,
    question,
    closes_at: Number(closesAt),
    is_closed: isClosed,
    options: options
      .filter(({ pollId }) => pollId === id)
      .sort((a, b) => a.position - b.position)
      .map(({ emoji, text, votes }) => ({ emoji, text, votes })),
  };
}

/** The options of polls. */
export function optionsOf(db: Queryable, polls: readonly Poll[]): Promise<PollOption[]> {
  return db.repository(PollOption).findBy({ pollId: In(polls.map(({ id }) => id)) });
}
