import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../../platform/sql/queryable';
import type { Requester as Reader } from '../../user-groups';
import { MessageScanService } from '../scan/message-scan.service';
import { NarrowService } from '../fetching/narrow.service';

/** Finds what people have starred. */
@Injectable()
export class StarredMessagesService {
  constructor(
    private readonly narrows: NarrowService,
    private readonly scan: MessageScanService,
  ) {}

  /** IDs of all that the narrow `is:starred` finds, ascending: what is out of reach by now is left out. */
  async of(db: Queryable, reader: Reader): Promise<number[]> {
    const selection = await this.narrows.select(db, reader, [
      { operator: 'is', what: 'starred', negated: false },
    ]);
    return this.scan.collect(db, selection, { from: 1, direction: 'newer', limit: Number.MAX_SAFE_INTEGER });
  }
}
