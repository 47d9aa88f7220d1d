import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../../platform/sql/queryable';
import type { Requester as Reader } from '../../user-groups';
import { ChannelNarrowService } from '../fetching/channel-narrow.service';
import { MessageScanService } from '../scan/message-scan.service';

/** Knows which messages are in channels and topics that somebody has muted. */
@Injectable()
export class MutedMessagesService {
  constructor(
    private readonly channels: ChannelNarrowService,
    private readonly scan: MessageScanService,
  ) {}

  /** Those of the messages that the reader has muted; what is followed or unmuted in a muted channel is not. */
  async among(db: Queryable, reader: Reader, messageIds: readonly number[]): Promise<ReadonlySet<number>> {
    if (messageIds.length === 0) return new Set();
    return new Set(await this.scan.among(db, { conditions: [this.channels.isMuted(reader)] }, messageIds));
  }
}
