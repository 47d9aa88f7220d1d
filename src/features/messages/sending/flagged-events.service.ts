import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../../platform/sql/queryable';
import type { Transaction } from '../../../platform/database/transaction.service';
import type { Audience } from '../../../platform/events/audience';
import type { ServerEvent } from '../../../platform/events/server-event';
import { flagNames } from '../store/message-flags';
import { MessageAudienceService } from '../readers/message-audience.service';
import { MessageRecipientsService } from './message-recipients.service';
import { loadMessages, type MessageRow } from '../store/message-rows.service';
import { personalState } from '../readers/personal-flags.service';
import { planDeliveries } from './outgoing-message';

/** Emits events about a message that carry each receiver's own flags on it. */
@Injectable()
export class FlaggedEventsService {
  constructor(
    private readonly recipients: MessageRecipientsService,
    private readonly audiences: MessageAudienceService,
  ) {}

  /** @param define makes the event with the flags of those for whom it says nothing else */
  async emit(
    tx: Transaction,
    messageId: number,
    audience: Audience,
    define: (flags: readonly string[]) => ServerEvent,
  ): Promise<void> {
    const [message] = await loadMessages(tx, [messageId]);
    if (!message || audience.size === 0) return;
    const flagsOf = await this.flagsOf(tx, message, [...audience.ids()]);
    for (const delivery of planDeliveries(audience, mostFrequent(flagsOf.values()), flagsOf)) {
      tx.emit(define(flagNames(delivery.flags)), delivery.audience, {
        personal: new Map(
          [...delivery.exceptions].map(([userId, own]) => [userId, { flags: flagNames(own) }]),
        ),
      });
    }
  }

  /** By user ID, the flags of everybody among the people. */
  async flagsOf(
    db: Queryable,
    message: MessageRow,
    userIds: readonly number[],
  ): Promise<Map<number, number>> {
    const received = await this.recipients.received(db, message, userIds);
    const stored = await this.recipients.storedFlags(db, message.id);
    const readers = new Set(await this.audiences.readersOf(db, message));
    const mentionSets = await setsOfPeople(db, message);
    const flagsOf = (userId: number): number =>
      personalState(message, {
        stored: stored.get(userId),
        isReceived: received.has(userId),
        isRead: readers.has(userId),
        mentionSets: mentionSets.get(userId) ?? NONE,
      }).flags;
    return new Map(userIds.map((userId) => [userId, flagsOf(userId)]));
  }
}

const NONE: ReadonlySet<number> = new Set();

/** By user ID, those of the message's sets of mentioned people that hold the person. */
async function setsOfPeople(db: Queryable, message: MessageRow): Promise<Map<number, Set<number>>> {
  const found = new Map<number, Set<number>>();
  const ids = [message.groupMentionSetId, message.topicMentionSetId].filter((id) => id !== null);
  if (ids.length === 0) return found;
  const rows = await db.query<{ user_id: number; set_id: number }>(
    'SELECT user_id, set_id FROM mention_set_member WHERE set_id IN (?)',
    [ids],
  );
  for (const { user_id: userId, set_id: setId } of rows) {
    const sets = found.get(userId);
    if (sets) sets.add(setId);
    else found.set(userId, new Set([setId]));
  }
  return found;
}

function mostFrequent(values: Iterable<number>): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let best: [value: number, count: number] = [0, 0];
  for (const entry of counts) {
    if (entry[1] > best[1]) best = entry;
  }
  return best[0];
}
