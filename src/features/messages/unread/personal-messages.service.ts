import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../../platform/sql/queryable';
import type { Requester as Reader } from '../../user-groups/user-groups.module';
import { ChannelNarrowService } from '../fetching/channel-narrow.service';
import { NarrowService } from '../fetching/narrow.service';
import { ReadStateService } from '../readers/read-state.service';
import { ownMessages } from '../scan/candidate-search';
import { MessageScanService } from '../scan/message-scan.service';
import { MAX_MESSAGE_ID } from '../store/message-rows.service';
import { condition } from '../store/personal-conditions';

/** Finds messages by what they are to one person: unread, starred, muted. */
@Injectable()
export class PersonalMessagesService {
  constructor(
    private readonly scan: MessageScanService,
    private readonly readState: ReadStateService,
    private readonly narrows: NarrowService,
    private readonly channels: ChannelNarrowService,
  ) {}

  /**
   * IDs of the newest unread messages, the newest first: direct ones, and those that are in one of the channels now.
   * Its cost grows with what is unread, not with what was ever received.
   */
  async newestUnread(
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
