import { Injectable } from '@nestjs/common';
import { BadRequest } from '../../../platform/errors/shared.errors';
import type { Queryable } from '../../../platform/sql/queryable';
import type { Requester as Reader } from '../../user-groups/user-groups.module';
import { MessageScanService, type MessageSelection } from '../scan/message-scan.service';
import { parseIsoTime } from '../markdown/times';
import { condition, isOwn, newestMessageId } from '../store/personal-conditions';
import { TooManyMessages } from '../store/message-records.api';
import { NarrowService } from './narrow.service';
import { ReadStateService } from '../readers/read-state.service';

/** Represents the newest message in requests. */
export const NEWEST = 10 ** 16;

/** Maximum number of messages in one response. */
export const MAX_MESSAGES = 5000;

/** A range as requested; omitted parameters are undefined. */
export interface RequestedRange {
  readonly anchor?: string;
  readonly anchorDate?: string;
  readonly useFirstUnreadAnchor?: boolean;
  readonly includeAnchor?: boolean;
  readonly numBefore?: number;
  readonly numAfter?: number;
}

/** A range of messages around an anchor. */
export interface AnchoredRange {
  /**
   * A message ID that need not exist, 0, {@link NEWEST}, the oldest unread message, or the first message sent at or
   * after a time.
   */
  readonly anchor: number | 'first_unread' | { readonly sentFrom: number };
  readonly includeAnchor: boolean;
  readonly numBefore: number;
  readonly numAfter: number;
}

/** Messages around an anchor, and what is known about both ends. */
export interface FoundRange {
  /** Ascending. */
  readonly ids: readonly number[];
  /** The anchor that was used. */
  readonly anchor: number;
  readonly foundAnchor: boolean;
  readonly foundOldest: boolean;
  readonly foundNewest: boolean;
}

/** Finds the messages of a narrow, or of a selection, around an anchor. */
@Injectable()
export class MessageRangeService {
  constructor(
    private readonly narrows: NarrowService,
    private readonly scan: MessageScanService,
    private readonly readState: ReadStateService,
  ) {}

  /**
   * Finds the messages of a range within a narrow, for features that act on them. A range that is too long is truncated
   * silently.
   * @param narrow unparsed terms
   * @throws BadRequest, BadNarrow
   */
  async within(reader: Reader, narrow: readonly unknown[], requested: RequestedRange): Promise<FoundRange> {
    const range = parseRange(cutToMost(requested));
    const { db, selection } = await this.narrows.open(reader, narrow);
    return this.around(db, reader.userId, selection, range);
  }

  /** @param userId the reader; null for a person without an account */
  async around(
    db: Queryable,
    userId: number | null,
    selection: MessageSelection,
    range: AnchoredRange,
  ): Promise<FoundRange> {
    const anchor = await this.anchorOf(db, userId, selection, range.anchor);
    const isAtOldest = anchor === 0;
    const isAtNewest = anchor === NEWEST;
    const numBefore = isAtOldest ? 0 : range.numBefore;
    const numAfter = isAtNewest ? 0 : range.numAfter;

    const before = await this.scan.collect(db, selection, {
      from: anchor - 1,
      direction: 'older',
      limit: numBefore,
    });
    const after = await this.scan.collect(db, selection, {
      from: anchor + 1,
      direction: 'newer',
      limit: numAfter,
    });
    const isAnchorWanted = range.includeAnchor && !isAtOldest && !isAtNewest;
    const itself = isAnchorWanted ? await this.scan.among(db, selection, [anchor]) : [];
    return {
      ids: [...before.reverse(), ...itself, ...after],
      anchor,
      foundAnchor: itself.length > 0,
      foundOldest: isAtOldest || before.length < numBefore,
      foundNewest: isAtNewest || after.length < numAfter,
    };
  }

  private anchorOf(
    db: Queryable,
    userId: number | null,
    selection: MessageSelection,
    anchor: AnchoredRange['anchor'],
  ): number | Promise<number> {
    if (anchor === 'first_unread') return this.firstUnread(db, userId, selection);
    return typeof anchor === 'number' ? anchor : this.firstSentFrom(db, selection, anchor.sentFrom);
  }

  /** The first message of the selection sent at or after a time; the newest end if there is none. */
  private async firstSentFrom(db: Queryable, selection: MessageSelection, seconds: number): Promise<number> {
    const sentFrom = condition('m.sent_at >= ?', seconds);
    const later = { ...selection, conditions: [...selection.conditions, sentFrom] };
    const from = await firstIdSentFrom(db, seconds);
    const [first] = await this.scan.collect(db, later, { from, direction: 'newer', limit: 1 });
    return first ?? NEWEST;
  }

  /** The reader's oldest unread message in the selection; the newest end if there is none. */
  private async firstUnread(
    db: Queryable,
    userId: number | null,
    selection: MessageSelection,
  ): Promise<number> {
    if (userId === null || selection.reads?.read) return NEWEST;
    const unread: MessageSelection = {
      ...selection,
      conditions: [...selection.conditions, isOwn(userId)],
      reads: { set: await this.readState.load(db, userId), read: false },
    };
    const [first] = await this.scan.collect(db, unread, { from: 1, direction: 'newer', limit: 1 });
    return first ?? NEWEST;
  }
}

/** IDs increase with the time of sending, so a binary search over some twenty messages finds the first ID of a time. */
async function firstIdSentFrom(db: Queryable, seconds: number): Promise<number> {
  let low = 1;
  let high = (await newestMessageId(db)) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [next] = await db.query<{ id: number; sent_at: number }>(
      'SELECT id, sent_at FROM message WHERE id >= ? ORDER BY id LIMIT 1',
      [middle],
    );
    if (!next || next.sent_at >= seconds) high = middle;
    else low = next.id + 1;
  }
  return low;
}

/**
 * Parses a range.
 * @throws BadRequest
 */
export function parseRange(request: RequestedRange): AnchoredRange {
  const { includeAnchor = true, numBefore = 0, numAfter = 0 } = request;
  const anchor = request.useFirstUnreadAnchor ? 'first_unread' : parseAnchor(request);
  if (numBefore + numAfter > MAX_MESSAGES) throw new TooManyMessages(MAX_MESSAGES);
  if (!includeAnchor && numBefore > 0 && numAfter > 0) {
    throw new BadRequest('The anchor can only be excluded at an end of the range');
  }
  return { anchor, includeAnchor, numBefore, numAfter };
}

function parseAnchor({ anchor, anchorDate }: RequestedRange): AnchoredRange['anchor'] {
  if (anchor === undefined) throw new BadRequest("Missing 'anchor' argument.");
  if (anchor === 'date') return { sentFrom: parseDate(anchorDate) };
  if (anchor === 'first_unread') return anchor;
  if (anchor === 'newest') return NEWEST;
  if (anchor === 'oldest') return 0;
  if (!/^[+-]?\d+$/.test(anchor.trim())) throw new BadRequest('Invalid anchor');
  return Math.min(Math.max(Number(anchor), 0), NEWEST);
}

/** @returns UNIX seconds */
function parseDate(date: string | undefined): number {
  if (date === undefined) throw new BadRequest("Missing 'anchor_date' argument.");
  const time = parseIsoTime(date.trim());
  if (!time) throw new BadRequest('Invalid anchor_date');
  return Math.floor(time.getTime() / 1000);
}

/** Each side keeps half of the maximum, and more if the other side needs less. */
function cutToMost(range: RequestedRange): RequestedRange {
  const { numBefore = 0, numAfter = 0 } = range;
  if (numBefore + numAfter <= MAX_MESSAGES) return range;
  const before = Math.min(numBefore, Math.max(MAX_MESSAGES - numAfter, MAX_MESSAGES / 2));
  return { ...range, numBefore: before, numAfter: MAX_MESSAGES - before };
}
