import { Injectable } from '@nestjs/common';
import { type PackedColumns, packedNumbers, packedRows } from '../../../platform/sql/packed-rows';
import type { Queryable } from '../../../platform/sql/queryable';
import { Hooks } from '../../../platform/hooks/hooks';
import { newestMessagesPort } from '../../users/users.module';
import { allOf, condition, isOwn, newestMessageId, type SqlCondition } from '../store/personal-conditions';
import {
  both,
  type CandidateSearch,
  FIRST_STRETCH,
  messagesOf,
  ownMessages,
  stretches,
  TESTED_ONE_BY_ONE,
  union,
  WIDEST_STRETCH,
  type RangeWidths,
} from './candidate-search';
import { ALL_MESSAGES, type IdRange, MAX_MESSAGE_ID } from '../store/message-rows.service';
import type { ReadSet } from '../store/read-set';

/** The messages to look for. */
export interface MessageSelection {
  /** Conditions on a message `m`. */
  readonly conditions: readonly SqlCondition[];
  /** How to find candidates; if omitted, an index on the conditions leads to the messages. */
  readonly search?: CandidateSearch;
  /** Whether no index is known to help, so that every message of a range may have to be tested. */
  readonly testsEach?: boolean;
  /** Whether the search finds so few messages that the range is not split. */
  readonly findsFew?: boolean;
  /** Limits the selection to messages that are read, or unread, in this set. */
  readonly reads?: { readonly set: ReadSet; readonly read: boolean };
  /** Whether messages of a channel may be selected; called for the messages found. */
  readonly mayRead?: (channelId: number) => boolean;
}

/** A search that covers several others. */
export interface CoveringSearch {
  readonly search: CandidateSearch;
  readonly findsFew: boolean;
  /** The searches that it covers; the conditions of the others have to be tested. */
  readonly of: readonly CandidateSearch[];
}

/** A scan from a message ID, inclusive, in one direction. */
export interface Scan {
  readonly from: number;
  /** The end of the scan, inclusive; by default, the end of the messages. */
  readonly to?: number;
  readonly direction: 'older' | 'newer';
  readonly limit: number;
}

/** A scan under way. */
interface ScanRun {
  readonly db: Queryable;
  readonly selection: MessageSelection;
  readonly scan: Scan;
  /** At most the scan's limit, nearest first. */
  readonly found: number[];
  /** Channels that turned out to be unreadable; later statements exclude them. */
  readonly closed: Set<number>;
}

/** A message that meets the conditions. */
interface FoundRow {
  readonly id: number;
  readonly channelId: number | null;
}

const FOUND: PackedColumns<FoundRow> = { id: 'm.id', channelId: 'm.channel_id' };

/** Up to this many messages count as few: they are all tested at once. */
const FEW = 10_000;

/** Page size if each row has to be tested. */
const MIN_PAGE = 256;
const MAX_PAGE = 10_000;
const PAGE_GROWTH = 4;

/** Maximum number of messages to look up by ID at a time. */
const IDS_A_TIME = 1000;

/** Finds the IDs of selected messages, nearest first. */
@Injectable()
export class MessageScanService {
  constructor(hooks: Hooks) {
    hooks.provide(newestMessagesPort, this);
  }

  /** The newest message that a person received; null if there is none. */
  async newestFor(db: Queryable, userId: number): Promise<number | null> {
    return (await newestOwnOfLatest(db, userId)) ?? this.newestOwn(db, userId);
  }

  /** @returns at most `limit` IDs, in the order of the scan; fewer only if there are no more */
  async collect(db: Queryable, selection: MessageSelection, scan: Scan): Promise<number[]> {
    if (scan.limit <= 0) return [];
    const run: ScanRun = { db, selection, scan, found: [], closed: new Set() };
    const { reads } = selection;
    const whole = await this.wholeRange(db, scan);
    if (!reads) {
      await this.search(run, [whole]);
    } else if (reads.read) {
      await this.search(run, reads.set.rangesWith('read', whole));
    } else {
      // Below the watermark the set lists the unread IDs, so only messages above it have to be searched.
      const low = Math.max(whole.low, reads.set.watermark + 1);
      const above = reads.set.rangesWith('unread', { low, high: whole.high });
      const below = reads.set.unreadUpToWatermark().filter((id) => id >= whole.low && id <= whole.high);
      if (scan.direction === 'older') await this.search(run, above);
      await this.pick(run, below);
      if (scan.direction === 'newer') await this.search(run, above);
    }
    return run.found;
  }

  /** The messages that are selected, ascending. */
  async among(db: Queryable, selection: MessageSelection, messageIds: readonly number[]): Promise<number[]> {
    const { conditions, search } = selection;
    const possible = messageIds.filter((id) => id >= ALL_MESSAGES.low && id <= ALL_MESSAGES.high);
    if (possible.length === 0) return [];
    const range = possible.reduce(widened, { low: Infinity, high: 0 });
    const where = allOf(
      condition('m.id IN (?)', possible),
      ...conditions,
      ...(search ? [search.implied(range)] : []),
    );
    const rows = await packedRows(db, FOUND, `FROM message m WHERE ${where.sql}`, where.values);
    return rows
      .filter((row) => isSelected(selection, row))
      .map((row) => row.id)
      .sort((one, other) => one - other);
  }

  /**
   * The best search for messages that all of the searches find: one that finds few, if any, and otherwise their
   * intersection.
   * @param searches at least one
   */
  async narrowest(db: Queryable, searches: readonly CandidateSearch[]): Promise<CoveringSearch> {
    const [first, ...others] = searches as [CandidateSearch, ...CandidateSearch[]];
    if (others.length === 0 && !first.idsOfFew) return { search: first, findsFew: false, of: searches };
    for (const search of searches) {
      const few = { ...search, idsIn: search.idsOfFew ?? search.idsIn };
      if (await this.isFew(db, few)) return { search: few, findsFew: true, of: [search] };
    }
    return { search: others.reduce(both, first), findsFew: false, of: searches };
  }

  private async newestOwn(db: Queryable, userId: number): Promise<number | null> {
    const own = { conditions: [], search: ownMessages(userId) };
    const [id] = await this.collect(db, own, { from: MAX_MESSAGE_ID, direction: 'older', limit: 1 });
    return id ?? null;
  }

  private async isFew(db: Queryable, search: CandidateSearch): Promise<boolean> {
    let found = 0;
    for (const { sql, values } of search.idsIn(ALL_MESSAGES)) {
      const [row] = await db.query<{ count: number }>(
        `SELECT COUNT(*) AS count FROM (SELECT id FROM (${sql}) few LIMIT ?) counted`,
        [...values, FEW + 1],
      );
      found += row?.count ?? 0;
      if (found > FEW) return false;
    }
    return true;
  }

  private async wholeRange(db: Queryable, scan: Scan): Promise<IdRange> {
    const newest = await newestMessageId(db);
    const [low = 1, high = newest] = scan.direction === 'newer' ? [scan.from, scan.to] : [scan.to, scan.from];
    return { low: Math.max(low, 1), high: Math.min(high, newest) };
  }

  private async search(run: ScanRun, ranges: readonly IdRange[]): Promise<void> {
    const { selection, scan, found } = run;
    const widths = widthsFor(selection, scan);
    for (const range of scan.direction === 'older' ? [...ranges].reverse() : ranges) {
      for (const stretch of stretches(range, scan.direction, widths)) {
        if (found.length >= scan.limit) return;
        await this.collectWithin(run, stretch);
      }
    }
  }

  /** Adds the selected ones among the messages, ascending. */
  private async pick(
    { db, selection, scan: { direction, limit }, found }: ScanRun,
    messageIds: readonly number[],
  ): Promise<void> {
    const ids = direction === 'older' ? [...messageIds].reverse() : messageIds;
    for (let at = 0; at < ids.length && found.length < limit; at += IDS_A_TIME) {
      const selected = await this.among(db, selection, ids.slice(at, at + IDS_A_TIME));
      if (direction === 'older') selected.reverse();
      found.push(...selected.slice(0, limit - found.length));
    }
  }

  /** Scans one range page by page, since not every row may be needed. */
  private async collectWithin(run: ScanRun, range: IdRange): Promise<void> {
    const { found, closed, selection } = run;
    const { direction, limit } = run.scan;
    let { low, high } = range;
    let page = limit - found.length;
    if (selection.reads) page = selection.search ? MAX_PAGE : MIN_PAGE;
    while (low <= high && found.length < limit) {
      const rows = await this.page(run, { low, high }, page);
      for (const row of rows) {
        if (found.length < limit && isSelected(selection, row)) found.push(row.id);
        else if (isClosed(selection, row)) closed.add(row.channelId);
      }
      const last = rows.at(-1)?.id;
      if (last === undefined || rows.length < page) return;
      if (direction === 'older') high = last - 1;
      else low = last + 1;
      page = Math.min(page * PAGE_GROWTH, MAX_PAGE);
    }
  }

  /** Nearest first. */
  private async page(
    { db, selection: { conditions, search, findsFew, mayRead }, scan: { direction }, closed }: ScanRun,
    range: IdRange,
    limit: number,
  ): Promise<FoundRow[]> {
    const isShort = range.high - range.low < TESTED_ONE_BY_ONE;
    const candidates = isShort || !search ? undefined : union(search.idsIn(range));
    const where = allOf(
      candidates ? condition('m.id = c.id') : condition('m.id BETWEEN ? AND ?', range.low, range.high),
      ...conditions,
      ...(search && !candidates ? [search.implied(range)] : []),
      ...(closed.size > 0 ? [condition('m.channel_id IS NULL OR m.channel_id NOT IN (?)', [...closed])] : []),
    );
    const from = candidates ? `(${candidates.sql}) c CROSS JOIN ${messagesOf(db, findsFew)}` : 'message m';
    const isOlder = direction === 'older';
    const rest = `FROM (SELECT m.id, m.channel_id FROM ${from} WHERE ${where.sql}
      ORDER BY m.id ${isOlder ? 'DESC' : 'ASC'} LIMIT ?) m`;
    const values = [...(candidates?.values ?? []), ...where.values, limit];
    // Most scans do not check channels, and a page has up to ten thousand rows.
    const rows = mayRead
      ? await packedRows(db, FOUND, rest, values)
      : (await packedNumbers(db, 'm.id', rest, values)).map((id) => ({ id, channelId: null }));
    return rows.sort((one, other) => (isOlder ? other.id - one.id : one.id - other.id));
  }
}

/** Whether a message that meets the conditions is selected. */
function isSelected(selection: MessageSelection, row: FoundRow): boolean {
  const { reads } = selection;
  return !isClosed(selection, row) && (!reads || reads.set.isRead(row.id) === reads.read);
}

function isClosed(
  { mayRead }: MessageSelection,
  row: FoundRow,
): row is FoundRow & { readonly channelId: number } {
  return mayRead !== undefined && row.channelId !== null && !mayRead(row.channelId);
}

/**
 * The newest message that a person received, if it is among the latest of all: for most people, one statement finds it.
 */
async function newestOwnOfLatest(db: Queryable, userId: number): Promise<number | undefined> {
  const { sql, values } = isOwn(userId);
  const [row] = await db.query<{ id: number }>(
    `SELECT m.id FROM message m WHERE m.id > (SELECT MAX(id) - ? FROM message) AND (${sql})
     ORDER BY m.id DESC LIMIT ?`,
    [FIRST_STRETCH, ...values, 1],
  );
  return row?.id;
}

function widthsFor({ search, testsEach, findsFew, reads }: MessageSelection, { limit }: Scan): RangeWidths {
  if (testsEach) return { first: WIDEST_STRETCH, most: WIDEST_STRETCH };
  if (!search || findsFew) return { first: Infinity, most: Infinity };
  // Each page of a scan repeats the search, unless a range is a single page.
  return { first: Math.max(FIRST_STRETCH, 2 * limit), most: reads ? MAX_PAGE : WIDEST_STRETCH };
}

function widened({ low, high }: IdRange, id: number): IdRange {
  return { low: Math.min(low, id), high: Math.max(high, id) };
}
