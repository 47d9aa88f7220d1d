import { BadRequest } from '../../../platform/errors/shared.errors';
import { TooManyMessages } from '../store/messages.errors';
import { parseIsoTime } from '../markdown/times';

/** Stands for the newest message, as clients know it. */
export const NEWEST = 10 ** 16;

/** Most messages of one answer. */
export const MAX_MESSAGES = 5000;

/** A range as a request describes it; what was not sent is undefined. */
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
   * A message ID that need not exist, 0, {@link NEWEST}, the oldest unread message, or the first one that was sent at
   * a time or later.
   */
  readonly anchor: number | 'first_unread' | { readonly sentFrom: number };
  readonly includeAnchor: boolean;
  readonly numBefore: number;
  readonly numAfter: number;
}

/**
 * Reads a range.
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
