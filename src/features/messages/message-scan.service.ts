import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../platform/database/queryable';
import { NewestMessageRegistry } from '../users/newest-message.registry';
import { ownMessages, type CandidateSearch, type IdRange } from './narrow/candidate-search';
import { allOf, condition, type SqlCondition } from './narrow/sql-condition';
import { NEWEST } from './reading/anchor';
import type { ReadSet } from './reading/read-set';

/** Which messages are looked for. */
export interface MessageSelection {
  /** On a message `m`. */
  readonly conditions: readonly SqlCondition[];
  /** Where to look; when left out, an index leads from the conditions to the messages. */
  readonly search?: CandidateSearch;
  /** Only what is read, or only what is unread, in this set. */
  readonly reads?: { readonly set: ReadSet; readonly read: boolean };
}

/** A direction from a message ID, which is included. */
export interface Scan {
  readonly from: number;
  readonly direction: 'older' | 'newer';
  readonly limit: number;
}

/** The first stretch that is looked through, unless more is wanted; those after it grow. */
const FIRST_STRETCH = 16;
const STRETCH_GROWTH = 8;

/** Up to this width, testing every message of a stretch costs less than preparing a search for candidates. */
const TESTED_ONE_BY_ONE = 16;

/** Largest ID that the column holds. */
const MAX_ID = 2_147_483_647;

/** Rows fetched at a time where each has to be looked at. */
const MIN_PAGE = 256;
const MAX_PAGE = 10_000;

/** Finds the IDs of selected messages, nearest first. */
@Injectable()
export class MessageScanService {
  constructor(newest: NewestMessageRegistry) {
    newest.use(async (db, userId) => {
      const own = { conditions: [], search: ownMessages(userId) };
      const [id] = await this.collect(db, own, { from: NEWEST, direction: 'older', limit: 1 });
      return id ?? null;
    });
  }

  /** @returns at most `limit` IDs, in the order of the scan; fewer only when there are no more */
  async collect(db: Queryable, selection: MessageSelection, scan: Scan): Promise<number[]> {
    const found: number[] = [];
    if (scan.limit <= 0) return found;
    const whole = await this.wholeRange(db, selection, scan);
    for (const range of stretches(whole, scan, selection.search !== undefined)) {
      await this.collectWithin(db, selection, scan, range, found);
      if (found.length >= scan.limit) break;
    }
    return found;
  }

  /** Those of the messages that are selected, ascending. */
  async among(db: Queryable, selection: MessageSelection, messageIds: readonly number[]): Promise<number[]> {
    const { conditions, search, reads } = selection;
    const where = allOf(
      condition(
        'm.id IN (?)',
        messageIds.filter((id) => id <= MAX_ID),
      ),
      ...conditions,
      ...(search ? [search.implied] : []),
    );
    const rows = await db.query<{ id: number }>(
      `SELECT m.id FROM message m WHERE ${where.sql} ORDER BY m.id`,
      where.values,
    );
    return rows.map((row) => row.id).filter((id) => !reads || reads.set.isRead(id) === reads.read);
  }

  private async wholeRange(db: Queryable, { reads }: MessageSelection, scan: Scan): Promise<IdRange> {
    const [row] = await db.query<{ newest: number | null }>('SELECT MAX(id) AS newest FROM message');
    const newest = row?.newest ?? 0;
    const low = scan.direction === 'newer' ? Math.max(scan.from, 1) : 1;
    const high = scan.direction === 'older' ? Math.min(scan.from, newest) : newest;
    return { low: reads && !reads.read ? reads.set.nextCandidate(low) : low, high };
  }

  /** Looks through one stretch page by page, as not every row may be wanted. */
  private async collectWithin(
    db: Queryable,
    selection: MessageSelection,
    { direction, limit }: Scan,
    range: IdRange,
    found: number[],
  ): Promise<void> {
    const { reads } = selection;
    let { low, high } = range;
    while (low <= high && found.length < limit) {
      const missing = limit - found.length;
      const page = reads ? Math.min(Math.max(2 * missing, MIN_PAGE), MAX_PAGE) : missing;
      const ids = await this.page(db, selection, { low, high }, direction, page);
      for (const id of ids) {
        if (found.length < limit && (!reads || reads.set.isRead(id) === reads.read)) found.push(id);
      }
      const last = ids.at(-1);
      if (last === undefined || ids.length < page) return;
      if (direction === 'older') high = last - 1;
      else low = reads && !reads.read ? reads.set.nextCandidate(last + 1) : last + 1;
    }
  }

  private async page(
    db: Queryable,
    { conditions, search }: MessageSelection,
    range: IdRange,
    direction: Scan['direction'],
    limit: number,
  ): Promise<number[]> {
    const isShort = range.high - range.low < TESTED_ONE_BY_ONE;
    const candidates = isShort ? undefined : search?.idsIn(range);
    const where = allOf(
      candidates ? condition('m.id = c.id') : condition('m.id BETWEEN ? AND ?', range.low, range.high),
      ...conditions,
      ...(search && !candidates ? [search.implied] : []),
    );
    // The cross join makes SQLite begin with the candidates.
    const from = candidates ? `(${candidates.sql}) c CROSS JOIN message m` : 'message m';
    const rows = await db.query<{ id: number }>(
      `SELECT m.id FROM ${from} WHERE ${where.sql}
       ORDER BY m.id ${direction === 'older' ? 'DESC' : 'ASC'} LIMIT ?`,
      [...(candidates?.values ?? []), ...where.values, limit],
    );
    return rows.map((row) => row.id);
  }
}

/**
 * Cuts a range into stretches that grow away from where the scan begins: somebody who gets much is served
 * from the first one, and somebody who gets little soon has seen everything.
 */
function* stretches({ low, high }: IdRange, scan: Scan, isCut: boolean): Generator<IdRange> {
  let width = isCut ? Math.max(FIRST_STRETCH, 2 * scan.limit) : Infinity;
  let [from, to] = [low, high];
  while (from <= to) {
    if (scan.direction === 'older') {
      const start = Math.max(from, to - width + 1);
      yield { low: start, high: to };
      to = start - 1;
    } else {
      const end = Math.min(to, from + width - 1);
      yield { low: from, high: end };
      from = end + 1;
    }
    width *= STRETCH_GROWTH;
  }
}
