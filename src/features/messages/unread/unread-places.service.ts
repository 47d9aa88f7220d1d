import { Injectable } from '@nestjs/common';
import { chunksOf } from '../../../platform/collections';
import { type PackedColumns, packedRows } from '../../../platform/sql/packed-rows';
import type { Queryable } from '../../../platform/sql/queryable';
import { ReadStateService } from '../readers/read-state.service';
import {
  messagesOf,
  ownMessages,
  STRETCH_GROWTH,
  TESTED_ONE_BY_ONE,
  union,
  WIDEST_STRETCH,
} from '../scan/candidate-search';
import { Flag, MessageFact } from '../store/message-flags';
import {
  allOf,
  anyOf,
  condition,
  isOwn,
  newestMessageId,
  type SqlCondition,
} from '../store/personal-conditions';
import type { IdRange } from '../store/message-rows.service';
import type { ReadSet } from '../store/read-set';

/** Unread messages of the same topic or conversation. */
export interface UnreadMessages {
  /** Null for direct messages, like the topic. */
  readonly channelId: number | null;
  readonly topicName: string | null;
  /** Null for channel messages. */
  readonly conversationId: number | null;
  readonly count: number;
  /** Comma-separated IDs, ascending: passed on as they are, since there may be very many. */
  readonly messageIds: string;
  /** IDs of messages that may mention the person, ascending; only their flags show whether they do. */
  readonly mayMention: readonly number[];
}

/** The part of a place that one statement found. */
interface Part extends Omit<UnreadMessages, 'mayMention'> {
  readonly topicId: number | null;
  readonly mayMention: string | null;
}

const PART: PackedColumns<Part> = {
  topicId: 'p.topic_id',
  channelId: 'p.channel_id',
  topicName: 't.name',
  conversationId: 'p.conversation_id',
  count: 'p.count',
  messageIds: 'p.ids',
  mayMention: 'p.may_mention',
};

/** Maximum number of messages per statement. */
const PAGE = 10_000;

/** Flags of mentions in a user's row. */
const MENTIONS = Flag.mentioned | Flag.channelWildcardMentioned | Flag.topicWildcardMentioned;

/** The person whose messages are searched, and where. */
interface Search {
  readonly db: Queryable;
  readonly userId: number;
  readonly place: SqlCondition;
}

/** The messages that one statement searches. */
interface Source {
  /** The `FROM` clause, with messages `m`. */
  readonly from: SqlCondition;
  readonly where: SqlCondition;
}

/**
 * Finds a person's unread messages by topic and conversation. The database groups them: reading tens of thousands of
 * messages here would block the event loop.
 */
@Injectable()
export class UnreadPlacesService {
  constructor(private readonly readState: ReadStateService) {}

  /**
   * The newest unread messages among direct messages and those currently in one of the channels. The cost grows with
   * the number of unread messages, not of received ones.
   */
  async newest(
    db: Queryable,
    userId: number,
    channelIds: readonly number[],
    limit: number,
  ): Promise<{ places: UnreadMessages[]; isTruncated: boolean }> {
    const reads = await this.readState.load(db, userId);
    const place = condition('m.channel_id IS NULL OR m.channel_id IN (?)', channelIds);
    const found = new Map<string, Part[]>();
    let room = limit;
    for await (const page of pages({ db, userId, place }, reads, () => Math.min(PAGE, room || 1))) {
      if (room === 0) return { places: joined(found), isTruncated: true };
      for (const part of page) {
        const key = `${part.topicId} ${part.conversationId}`;
        const parts = found.get(key);
        if (parts) parts.push(part);
        else found.set(key, [part]);
        room -= part.count;
      }
    }
    return { places: joined(found), isTruncated: false };
  }
}

/** All unread messages, newest first; no page is empty. @param limit returns the maximum size of the next page */
async function* pages(search: Search, reads: ReadSet, limit: () => number): AsyncGenerator<Part[]> {
  const above = { low: reads.watermark + 1, high: await newestMessageId(search.db) };
  for (const range of reads.rangesWith('unread', above).reverse()) yield* within(search, reads, range, limit);
  // Below the watermark the set lists the unread IDs.
  for (const ids of chunksOf(reads.unreadUpToWatermark().reverse(), PAGE)) {
    let high = ids[0] as number;
    for (;;) {
      const listed = ids.filter((id) => id <= high);
      const where = allOf(condition('m.id IN (?)', listed), isOwn(search.userId));
      const asked = limit();
      const page = await readPage(search, { from: condition('message m'), where }, asked);
      if (page.length > 0) yield page;
      if (countOf(page) < asked) break;
      high = oldestOf(page) - 1;
    }
  }
}

/** The unread messages in a range above the watermark. Ranges grow while they contain little. */
async function* within(
  search: Search,
  reads: ReadSet,
  { low, high }: IdRange,
  limit: () => number,
): AsyncGenerator<Part[]> {
  let width = PAGE;
  for (let newest = high; newest >= low;) {
    const stretch = { low: Math.max(low, newest - width + 1), high: newest };
    const asked = limit();
    const page = await readPage(search, sourceOf(search, reads, stretch), asked);
    const count = countOf(page);
    if (page.length > 0) yield page;
    newest = (count < asked ? stretch.low : oldestOf(page)) - 1;
    width = count * STRETCH_GROWTH < width ? Math.min(width * STRETCH_GROWTH, WIDEST_STRETCH) : PAGE;
  }
}

function sourceOf({ db, userId }: Search, reads: ReadSet, range: IdRange): Source {
  const read = reads.readAbove(range);
  const unread = read.length === 0 ? allOf() : condition('m.id NOT IN (?)', read);
  const search = ownMessages(userId);
  if (range.high - range.low < TESTED_ONE_BY_ONE) {
    const isWithin = condition('m.id BETWEEN ? AND ?', range.low, range.high);
    return { from: condition('message m'), where: allOf(isWithin, search.implied(range), unread) };
  }
  const { sql, values } = union(search.idsIn(range));
  return {
    from: condition(`(${sql}) c CROSS JOIN ${messagesOf(db)}`, ...values),
    where: allOf(condition('m.id = c.id'), unread),
  };
}

/** The newest messages of a source, grouped by place. */
function readPage({ db, userId, place }: Search, { from, where }: Source, limit: number): Promise<Part[]> {
  const mentioning = mayMention(userId);
  return packedRows(
    db,
    PART,
    `FROM (SELECT f.topic_id, f.channel_id, f.conversation_id, COUNT(*) AS count,
         string_agg(CAST(f.id AS text), ',' ORDER BY f.id) AS ids,
         string_agg(CAST(f.mentioning AS text), ',' ORDER BY f.mentioning) AS may_mention
       FROM (SELECT m.id, m.topic_id, m.channel_id, m.conversation_id,
           CASE WHEN ${mentioning.sql} THEN m.id END AS mentioning
         FROM ${from.sql} WHERE (${where.sql}) AND (${place.sql}) ORDER BY m.id DESC LIMIT ?) f
       GROUP BY f.topic_id, f.channel_id, f.conversation_id) p
     LEFT JOIN topic t ON t.id = p.topic_id`,
    [...mentioning.values, ...from.values, ...where.values, ...place.values, limit],
  );
}

function mayMention(userId: number): SqlCondition {
  return anyOf(
    condition('m.group_mention_set_id IS NOT NULL'),
    condition('m.topic_mention_set_id IS NOT NULL'),
    condition('(m.facts & ?) <> 0', MessageFact.channelWildcard),
    condition(
      'm.id IN (SELECT f.message_id FROM message_flag f WHERE f.user_id = ? AND (f.flags & ?) <> 0)',
      userId,
      MENTIONS,
    ),
  );
}

function countOf(page: readonly Part[]): number {
  return page.reduce((sum, { count }) => sum + count, 0);
}

function oldestOf(page: readonly Part[]): number {
  return page.reduce((oldest, { messageIds }) => Math.min(oldest, Number.parseInt(messageIds, 10)), Infinity);
}

/** Merges each place's parts. @param found by place, newest first */
function joined(found: ReadonlyMap<string, readonly Part[]>): UnreadMessages[] {
  return [...found.values()].map((parts) => {
    const ascending = [...parts].reverse();
    return {
      ...(parts[0] as Part),
      count: countOf(parts),
      messageIds: ascending.map(({ messageIds }) => messageIds).join(),
      mayMention: ascending.flatMap(({ mayMention: ids }) => ids?.split(',').map(Number) ?? []),
    };
  });
}
