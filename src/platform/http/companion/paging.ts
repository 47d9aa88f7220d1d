import { IsString, Max, MaxLength, Min } from 'class-validator';
import { UnprocessableEntity } from '../../errors/companion.errors';
import { IntegerText, Optional } from './valid-input';

const DEFAULT_SIZE = 20;
/** Larger requests are reduced to this, and the answer states it. */
const MAX_SIZE = 100;
/** Keeps positions within the integer range of databases. */
const MAX_PAGE = 1_000_000_000;
const MAX_ID = 2 ** 31 - 1;

/**
 * Query of a list. It uses either a `page` number or a `cursor` from the previous answer, which keeps its place when
 * entries are added or removed. Extend it for searchable lists.
 */
export class PageQuery {
  /** Number of the page, from 1; not together with `cursor`. */
  @Optional() @IntegerText() @Min(1) @Max(MAX_PAGE) page?: number;
  /** Entries per page, 20 if left out. More than 100 counts as 100. */
  @Optional() @IntegerText() @Min(1) page_size?: number;
  /** Alias of `page_size`. */
  @Optional() @IntegerText() @Min(1) limit?: number;
  /** `next_cursor` of the previous answer. */
  @Optional() @IsString() @MaxLength(100) cursor?: string;
}

/** The part of a list requested by a query. Entries are ordered by ascending ID. */
export interface PageWindow {
  /** Maximum number of entries in an answer. */
  readonly size: number;
  /** Number of the page, from 1; null with a cursor. */
  readonly page: number | null;
  /** Number of entries to skip. */
  readonly offset: number;
  /** Only entries with a larger ID are returned. */
  readonly afterId: number;
}

/** A part of a list, as it is sent. */
export interface PageAnswer<Item> {
  readonly items: readonly Item[];
  /** Number of entries in the whole list. */
  readonly total: number;
  readonly page: number | null;
  /** The applied size. */
  readonly page_size: number;
  /** Cursor of the next part; null at the end. */
  readonly next_cursor: string | null;
}

/** @throws UnprocessableEntity for contradictory parameters, and for an invalid cursor */
export function pageWindow({ page, page_size, limit, cursor }: PageQuery): PageWindow {
  if (page_size !== undefined && limit !== undefined) throw refused('limit', 'page_size');
  if (page !== undefined && cursor !== undefined) throw refused('cursor', 'page');
  const size = Math.min(page_size ?? limit ?? DEFAULT_SIZE, MAX_SIZE);
  if (cursor !== undefined) return { size, page: null, offset: 0, afterId: readCursor(cursor) };
  return { size, page: page ?? 1, offset: ((page ?? 1) - 1) * size, afterId: 0 };
}

/** A page of a list in memory, ordered by ID. */
export function pageOf<Entry extends { readonly id: number }, Item>(
  list: readonly Entry[],
  window: PageWindow,
  toItem: (entry: Entry) => Item,
): PageAnswer<Item> {
  const rest = window.afterId === 0 ? list : list.filter(({ id }) => id > window.afterId);
  const found = rest.slice(window.offset, window.offset + window.size + 1);
  return pageAnswer(found, list.length, window, toItem);
}

/**
 * A page of a list from the database.
 * @param found the entries of the window, plus one if there are more
 * @param total number of entries in the whole list
 */
export function pageAnswer<Entry extends { readonly id: number }, Item>(
  found: readonly Entry[],
  total: number,
  { size, page }: PageWindow,
  toItem: (entry: Entry) => Item,
): PageAnswer<Item> {
  const shown = found.slice(0, size);
  const last = found.length > size ? shown.at(-1) : undefined;
  return {
    items: shown.map(toItem),
    total,
    page,
    page_size: size,
    next_cursor: last === undefined ? null : writeCursor(last.id),
  };
}

function writeCursor(id: number): string {
  return Buffer.from(`after ${id}`).toString('base64url');
}

function readCursor(cursor: string): number {
  const match = /^after (\d{1,10})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  const id = Number(match?.[1]);
  if (!(id <= MAX_ID) || writeCursor(id) !== cursor) {
    const msg = 'cursor is not one that an answer gave';
    throw new UnprocessableEntity([{ loc: ['query', 'cursor'], msg, type: 'value_error' }]);
  }
  return id;
}

function refused(name: string, other: string): UnprocessableEntity {
  const msg = `${name} and ${other} cannot be combined`;
  return new UnprocessableEntity([{ loc: ['query', name], msg, type: 'value_error' }]);
}
