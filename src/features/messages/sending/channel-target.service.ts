import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { Database } from '../../../platform/database/database.service';
import { ChannelAccess, ChannelDirectory, type ChannelRecord, PostingAccess } from '../../channels';
import { AccountDirectory } from '../../users';
import { BotOwnerNoticeService } from './bot-owner-notice.service';
import { MessageTextService } from './message-text.service';
import { ChannelIdUnknown, ChannelNameUnknown, MissingChannel } from '../store/messages.errors';
import { TopicRowsService } from '../../topics';

/** A channel and a topic in it to which somebody may send. */
export interface SendingTarget {
  readonly channel: ChannelRecord;
  /** Normalized. */
  readonly topic: string;
}

/** Finds where a channel message goes, and whether its sender may send it there. */
@Injectable()
export class ChannelTargetService {
  constructor(
    private readonly database: Database,
    private readonly channels: ChannelDirectory,
    private readonly access: ChannelAccess,
    private readonly posting: PostingAccess,
    private readonly texts: MessageTextService,
    private readonly accounts: AccountDirectory,
    private readonly ownerNotices: BotOwnerNoticeService,
    private readonly topics: TopicRowsService,
  ) {}

  /** The channel for which nobody named one: bots may have a default. @throws MissingChannel */
  defaultAddress(actor: Actor): number {
    const channelId = this.accounts.byId(actor.userId)?.defaultSendingChannelId;
    if (typeof channelId !== 'number') throw new MissingChannel();
    return channelId;
  }

  /**
   * @param address name or ID of the channel
   * @throws ChannelNameUnknown, ChannelIdUnknown and what PostingAccess throws
   */
  async find(actor: Actor, address: string | number, topic: string): Promise<SendingTarget> {
    const channel = await this.channel(actor, address);
    this.posting.checkMayPost(actor, channel);
    const name = this.texts.topic(topic);
    const exists = () => this.topics.exists(this.database.read, channel.id, name);
    await this.posting.checkTopic(actor, channel, { name, exists });
    return { channel, topic: name };
  }

  /** The channel as it is now, for a sender who may have lost it since {@link find}. */
  refind(actor: Actor, target: SendingTarget): ChannelRecord {
    const channel = this.channels.byId(target.channel.id);
    if (!channel) throw new ChannelIdUnknown(target.channel.id);
    this.posting.checkMayPost(actor, channel);
    return channel;
  }

  private async channel(actor: Actor, address: string | number): Promise<ChannelRecord> {
    const channel = typeof address === 'number' ? this.byId(actor, address) : this.channels.byName(address);
    if (actor.isBot) await this.ownerNotices.tellAboutChannel(actor, address, channel);
    if (channel) return channel;
    throw typeof address === 'number' ? new ChannelIdUnknown(address) : new ChannelNameUnknown(address);
  }

  /**
   * By its ID, a channel is there for those who see it or may post in it: a refusal would tell others its name. Names
   * are no secret to those who know them, as making a channel tells whether one is taken.
   */
  private byId(actor: Actor, channelId: number): ChannelRecord | undefined {
    const channel = this.channels.byId(channelId);
    if (!channel || this.posting.mayPost(actor, channel)) return channel;
    return this.access.hasMetadataAccess(actor, channel) ? channel : undefined;
  }
}
