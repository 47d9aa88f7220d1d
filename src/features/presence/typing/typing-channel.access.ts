import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import {
  ChannelAccess,
  ChannelDirectory,
  type ChannelRecord,
  PostingAccess,
} from '../../channels/channels.module';

/** Loads the channel in which a person is typing. */
@Injectable()
export class TypingChannelAccess {
  constructor(
    private readonly channels: ChannelDirectory,
    private readonly access: ChannelAccess,
    private readonly posting: PostingAccess,
  ) {}

  /**
   * Callers who neither see a channel nor may post there do not learn that it exists.
   * @throws InvalidChannelId, MayNotPostInChannel, NotAuthorizedToSend
   */
  forPosting(actor: Actor, channelId: number): ChannelRecord {
    const known = this.channels.byId(channelId);
    if (known && this.posting.mayPost(actor, known)) return known;
    const channel = this.access.forMetadata(actor, channelId);
    this.posting.checkMayPost(actor, channel);
    return channel;
  }
}
