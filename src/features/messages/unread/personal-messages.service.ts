import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../../platform/sql/queryable';
import type { Requester as Reader } from '../../user-groups/user-groups.module';
import { ChannelNarrowService } from '../fetching/channel-narrow.service';
import { NarrowService } from '../fetching/narrow.service';
import { MessageScanService } from '../scan/message-scan.service';

/** Finds messages by what they are to one person: starred, muted. */
@Injectable()
export class PersonalMessagesService {
  constructor(
    private readonly scan: MessageScanService,
    private readonly narrows: NarrowService,
    private readonly channels: ChannelNarrowService,
  ) {}

  /** IDs of all that the narrow `is:starred` finds, ascending: what is out of reach by now is left out. */
  async starred(db: Queryable, reader: Reader): Promise<number[]> {
    const selection = await this.narrows.select(db, reader, [
      { operator: 'is', what: 'starred', negated: false },
    ]);
    return this.scan.collect(db, selection, { from: 1, direction: 'newer', limit: Number.MAX_SAFE_INTEGER });
  }

  /** Those of the messages that the reader has muted; what is followed or unmuted in a muted channel is not. */
  async mutedAmong(
    db: Queryable,
    reader: Reader,
    messageIds: readonly number[],
  ): Promise<ReadonlySet<number>> {
    if (messageIds.length === 0) return new Set();
    return new Set(await this.scan.among(db, { conditions: [this.channels.isMuted(reader)] }, messageIds));
  }
}
