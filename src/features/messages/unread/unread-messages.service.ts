import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../../platform/sql/queryable';
import { MessageScanService } from '../scan/message-scan.service';
import { ownMessages } from '../scan/candidate-search';
import { condition } from '../store/sql-condition';
import { MAX_MESSAGE_ID } from '../store/message-rows.service';
import { ReadStateService } from '../readers/read-state.service';

/** Finds what people have not read. */
@Injectable()
export class UnreadMessagesService {
  constructor(
    private readonly scan: MessageScanService,
    private readonly readState: ReadStateService,
  ) {}

  /**
   * IDs of the newest unread messages, the newest first: direct ones, and those that are in one of the channels now.
   * Its cost follows what is unread, and not what was ever received.
   */
  async newest(
    db: Queryable,
    userId: number,
    channelIds: readonly number[],
    limit: number,
  ): Promise<number[]> {
    const set = await this.readState.load(db, userId);
    const place = condition('m.channel_id IS NULL OR m.channel_id IN (?)', channelIds);
    return this.scan.collect(
      db,
      { conditions: [place], search: ownMessages(userId), reads: { set, read: false } },
      { from: MAX_MESSAGE_ID, direction: 'older', limit },
    );
  }
}
