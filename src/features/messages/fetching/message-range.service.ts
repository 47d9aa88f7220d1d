import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../../platform/sql/queryable';
import { MessageScanService, type MessageSelection } from '../scan/message-scan.service';
import { newestMessageId } from '../store/message-order';
import { isOwn } from '../store/personal-conditions';
import { condition } from '../store/sql-condition';
import { NEWEST, type AnchoredRange } from './anchor';
import { ReadStateService } from '../readers/read-state.service';

/** Messages around an anchor, and what is known of both ends. */
export interface FoundRange {
  /** Ascending. */
  readonly ids: readonly number[];
  /** The anchor that was used. */
  readonly anchor: number;
  readonly foundAnchor: boolean;
  readonly foundOldest: boolean;
  readonly foundNewest: boolean;
}

/** Finds the messages of a selection around an anchor. */
@Injectable()
export class MessageRangeService {
  constructor(
    private readonly scan: MessageScanService,
    private readonly readState: ReadStateService,
  ) {}

  /** @param userId the reader; null for somebody without an account */
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

  /** The first message of the selection that was sent at a time or later; the newest end when there is none. */
  private async firstSentFrom(db: Queryable, selection: MessageSelection, seconds: number): Promise<number> {
    const sentFrom = condition('m.sent_at >= ?', seconds);
    const later = { ...selection, conditions: [...selection.conditions, sentFrom] };
    const from = await firstIdSentFrom(db, seconds);
    const [first] = await this.scan.collect(db, later, { from, direction: 'newer', limit: 1 });
    return first ?? NEWEST;
  }

  /** The reader's oldest unread message of the selection; the newest end when there is none. */
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

/** IDs rise with the times of sending, so some twenty looks at single messages find where a time begins. */
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
