import { BadRequest } from '../../../platform/errors/shared.errors';
import { TooManyMessages } from '../messages.errors';

/** Stands for the newest message, as clients know it. */
export const NEWEST = 10 ** 16;

/** Most messages of one answer (messages reference 16). */
export const MAX_MESSAGES = 5000;

/** A range as a request describes it; what was not sent is undefined. */
export interface RequestedRange {
  readonly anchor?: string;
  readonly useFirstUnreadAnchor?: boolean;
  readonly includeAnchor?: boolean;
  readonly numBefore?: number;
  readonly numAfter?: number;
}

/** A range of messages around an anchor. */
export interface AnchoredRange {
  /** A message ID that need not exist, 0, {@link NEWEST}, or the oldest unread message. */
  readonly anchor: number | 'first_unread';
  readonly includeAnchor: boolean;
  readonly numBefore: number;
  readonly numAfter: number;
}

/**
 * Reads a range (messages reference 4.1, 4.2).
 * @throws BadRequest
 */
export function parseRange(request: RequestedRange): AnchoredRange {
  const { includeAnchor = true, numBefore = 0, numAfter = 0 } = request;
  const anchor = request.useFirstUnreadAnchor ? 'first_unread' : parseAnchor(request.anchor);
  if (numBefore + numAfter > MAX_MESSAGES) throw new TooManyMessages(MAX_MESSAGES);
  if (!includeAnchor && numBefore > 0 && numAfter > 0) {
    throw new BadRequest('The anchor can only be excluded at an end of the range');
  }
  return { anchor, includeAnchor, numBefore, numAfter };
}

function parseAnchor(anchor: string | undefined): AnchoredRange['anchor'] {
  if (anchor === undefined) throw new BadRequest("Missing 'anchor' argument.");
  if (anchor === 'first_unread') return anchor;
  if (anchor === 'newest') return NEWEST;
  if (anchor === 'oldest') return 0;
  if (!/^[+-]?\d+$/.test(anchor.trim())) throw new BadRequest('Invalid anchor');
  return Math.min(Math.max(Number(anchor), 0), NEWEST);
}
