import { Injectable } from '@nestjs/common';
import type { Requester as Reader } from '../../user-groups';
import { MessageRangeService, type FoundRange } from './message-range.service';
import { NarrowService } from './narrow.service';
import { MAX_MESSAGES, parseRange, type RequestedRange } from './anchor';

/** Finds the messages of a range within a narrow, for features that do something with them. */
@Injectable()
export class NarrowedRangeService {
  constructor(
    private readonly narrows: NarrowService,
    private readonly ranges: MessageRangeService,
  ) {}

  /**
   * A range that is too long is cut without an error.
   * @param narrow terms as they were sent
   * @throws BadRequest, BadNarrow
   */
  async find(reader: Reader, narrow: readonly unknown[], requested: RequestedRange): Promise<FoundRange> {
    const range = parseRange(cut(requested));
    const { db, selection } = await this.narrows.open(reader, narrow);
    return this.ranges.around(db, reader.userId, selection, range);
  }
}

/** Each side keeps half of the most that is allowed, and more where the other leaves it. */
function cut(range: RequestedRange): RequestedRange {
  const { numBefore = 0, numAfter = 0 } = range;
  if (numBefore + numAfter <= MAX_MESSAGES) return range;
  const before = Math.min(numBefore, Math.max(MAX_MESSAGES - numAfter, MAX_MESSAGES / 2));
  return { ...range, numBefore: before, numAfter: MAX_MESSAGES - before };
}
