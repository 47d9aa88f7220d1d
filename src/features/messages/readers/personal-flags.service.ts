import { Injectable } from '@nestjs/common';
import { groupBy } from '../../../platform/collections';
import { type PackedColumns, packedRows } from '../../../platform/sql/packed-rows';
import type { Queryable } from '../../../platform/sql/queryable';
import { Flag, MessageFact } from '../store/message-flags';
import { channelSentTo, type MessageHead, type Receivable } from '../store/message-rows.service';
import { ReadStateService } from './read-state.service';

/** The relation of one person to one message. */
export interface PersonalState {
  /** Whether the person received it, starred it, or otherwise interacted with it. */
  readonly isOwn: boolean;
  /** A bit set: see message-flags.ts. */
  readonly flags: number;
}

/** Messages that a person never received count as read. */
const FOREIGN: PersonalState = { isOwn: false, flags: Flag.read | Flag.historical };

/** Without an account there are no personal flags, and nothing is unread. */
const ANONYMOUS: PersonalState = { isOwn: false, flags: Flag.read };

/**
 * Computes a person's flags on messages from sparse data: subscription periods, the read state, rows for exceptions,
 * and the facts of the messages.
 */
@Injectable()
export class PersonalFlagsService {
  constructor(private readonly readState: ReadStateService) {}

  /**
   * The state of each of the messages, all of which the reader can see.
   * @param reader null for a person without an account
   */
  async states(
    db: Queryable,
    reader: { readonly userId: number } | null,
    messages: readonly MessageHead[],
  ): Promise<Map<number, PersonalState>> {
    if (reader === null) return new Map(messages.map((message) => [message.id, ANONYMOUS]));
    const { userId } = reader;
    const ids = messages.map((message) => message.id);
    const [{ stored, received }, reads] = await Promise.all([
      rowsOf(db, userId, messages),
      this.readState.load(db, userId, ids),
    ]);
    const mentionSets = await this.mentionSets(db, userId, messages);
    const state = (message: MessageHead): PersonalState =>
      personalState(message, {
        stored: stored.get(message.id),
        isReceived: received.has(message) || ((stored.get(message.id) ?? 0) & Flag.received) !== 0,
        isRead: reads.isRead(message.id),
        mentionSets,
      });
    return new Map(messages.map((message) => [message.id, state(message)]));
  }

  /** The messages' sets of mentioned people that contain the person. */
  private async mentionSets(
    db: Queryable,
    userId: number,
    messages: readonly MessageHead[],
  ): Promise<ReadonlySet<number>> {
    const ids = new Set(
      messages.flatMap((message) =>
        [message.groupMentionSetId ?? [], message.topicMentionSetId ?? []].flat(),
      ),
    );
    if (ids.size === 0) return ids;
    const rows = await db.query<{ set_id: number }>(
      'SELECT set_id FROM mention_set_member WHERE user_id = ? AND set_id IN (?)',
      [userId, [...ids]],
    );
    return new Set(rows.map((row) => row.set_id));
  }
}

/** The stored data about one person and one message. */
interface PersonalFacts {
  /** Bits of the row; undefined if there is no row. */
  readonly stored: number | undefined;
  readonly isReceived: boolean;
  readonly isRead: boolean;
  /** Sets of mentioned people that contain the person. */
  readonly mentionSets: ReadonlySet<number>;
}

/** Computes the relation of a reader to a message that they can see. */
export function personalState(message: MessageHead, facts: PersonalFacts): PersonalState {
  const { stored, isReceived, isRead, mentionSets } = facts;
  if (!isReceived && stored === undefined) return FOREIGN;
  const shared = isReceived ? sharedFlags(message, mentionSets) : 0;
  return { isOwn: true, flags: (stored ?? 0) | (isRead ? Flag.read : 0) | shared };
}

/** A range of message IDs in which a person received what was sent to a channel. */
interface Period {
  readonly channelId: number;
  readonly firstMessageId: number;
  /** Null while the period is open. */
  readonly lastMessageId: number | null;
}

/** What one person received, by subscription periods. Everyone who can see a direct message received it. */
export class ReceivedHistory {
  private readonly periods: ReadonlyMap<number, readonly Period[]>;

  constructor(periods: Iterable<Period>) {
    this.periods = groupBy(periods, ({ channelId }) => channelId);
  }

  has(message: Receivable): boolean {
    const channelId = channelSentTo(message);
    if (channelId === null) return true;
    return (this.periods.get(channelId) ?? []).some(
      ({ firstMessageId, lastMessageId }) =>
        message.id >= firstMessageId && (lastMessageId === null || message.id <= lastMessageId),
    );
  }
}

/** A row about the person: either flags on a message or a period in a channel. */
interface PersonalRow {
  /** Null for a period. */
  readonly messageId: number | null;
  readonly flags: number;
  readonly channelId: number;
  readonly firstMessageId: number;
  readonly lastMessageId: number | null;
}

const PERSONAL: PackedColumns<PersonalRow> = {
  messageId: 'r.message_id',
  flags: 'r.flags',
  channelId: 'r.channel_id',
  firstMessageId: 'r.first_message_id',
  lastMessageId: 'r.last_message_id',
};

/**
 * The person's flags by message, and their periods in the channels to which the messages were sent, in one statement.
 */
async function rowsOf(
  db: Queryable,
  userId: number,
  messages: readonly MessageHead[],
): Promise<{ stored: ReadonlyMap<number, number>; received: ReceivedHistory }> {
  const ids = messages.map((message) => message.id);
  const channelIds = new Set(messages.flatMap((message) => channelSentTo(message) ?? []));
  const rows = await packedRows(
    db,
    PERSONAL,
    `FROM (
       SELECT message_id, flags, 0 AS channel_id, 0 AS first_message_id, 0 AS last_message_id
       FROM message_flag WHERE user_id = ? AND message_id IN (?)
       UNION ALL SELECT NULL, 0, channel_id, first_message_id, last_message_id
       FROM subscription_period WHERE user_id = ? AND channel_id IN (?)) r`,
    [userId, ids, userId, [...channelIds]],
  );
  const stored = new Map<number, number>();
  const periods: PersonalRow[] = [];
  for (const row of rows) {
    if (row.messageId === null) periods.push(row);
    else stored.set(row.messageId, row.flags);
  }
  return { stored, received: new ReceivedHistory(periods) };
}

/** Flags that follow from the content of a message and apply to groups of recipients. */
function sharedFlags(message: MessageHead, mentionSets: ReadonlySet<number>): number {
  const { facts, groupMentionSetId: group, topicMentionSetId: topic } = message;
  return (
    (facts & MessageFact.channelWildcard ? Flag.channelWildcardMentioned : 0) |
    (group !== null && mentionSets.has(group) ? Flag.mentioned : 0) |
    (topic !== null && mentionSets.has(topic) ? Flag.topicWildcardMentioned : 0)
  );
}
