import { Injectable } from '@nestjs/common';
import { isGuest } from '../../../platform/actor';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import type { Requester } from '../../user-groups/user-groups.module';
import { AccountDirectory } from '../../users/users.module';
import { ChannelAccess, type ChannelGround } from './channel.access';
import type { ChannelRecord } from '../store/channel.directory';
import type { ChannelGroupSetting } from '../store/channel-group-settings';
import {
  EmptyTopicRefused,
  MayNotCreateTopics,
  MayNotPostInChannel,
  NamedTopicRefused,
  NotAuthorizedToSend,
} from '../store/channel-errors.api';
import { SubscriptionDirectory } from '../store/subscription.directory';

/** Who sends; an actor is one. Bots may send what their owner may. */
export interface Sender extends Requester {
  readonly isBot: boolean;
  readonly ownerId: number | null;
}

/** The topic that a message is sent to. */
export interface TargetTopic {
  /** Normalized; empty for the empty topic. */
  readonly name: string;
  /** Whether it has messages already; asked only if the sender may not start topics. */
  readonly exists: () => Promise<boolean>;
}

/** Decides who may post where in a channel. */
@Injectable()
export class PostingAccess {
  constructor(
    private readonly access: ChannelAccess,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly accounts: AccountDirectory,
    private readonly organization: OrganizationDirectory,
  ) {}

  /** Whether {@link checkMayPost} would pass. */
  mayPost(sender: Sender, channel: ChannelRecord): boolean {
    return (
      this.holderOf(sender, channel, 'can_send_message_group') !== null &&
      this.reachGround(sender, channel) !== null
    );
  }

  /** @throws MayNotPostInChannel, NotAuthorizedToSend */
  checkMayPost(sender: Sender, channel: ChannelRecord): void {
    if (!this.holderOf(sender, channel, 'can_send_message_group')) throw new MayNotPostInChannel();
    if (this.reachGround(sender, channel) === null) throw new NotAuthorizedToSend(channel.name);
  }

  /** @throws MayNotCreateTopics, EmptyTopicRefused, NamedTopicRefused */
  async checkTopic(sender: Sender, channel: ChannelRecord, topic: TargetTopic): Promise<void> {
    if (!this.holderOf(sender, channel, 'can_create_topic_group') && !(await topic.exists())) {
      throw new MayNotCreateTopics();
    }
    const { topics_policy: initial, empty_topic_display_name: displayName } = this.organization.settings;
    const policy = channel.topicsPolicy === 'inherit' ? initial : channel.topicsPolicy;
    if (topic.name === '' && policy === 'disable_empty_topic') throw new EmptyTopicRefused(displayName);
    if (topic.name !== '' && policy === 'empty_topic_only') throw new NamedTopicRefused(displayName);
  }

  /** Who of a sender and, for a bot, its owner is in the group that a permission of the channel names; null if neither. */
  holderOf(sender: Sender, channel: ChannelRecord, setting: ChannelGroupSetting): Requester | null {
    if (this.access.holds(sender, channel, setting)) return sender;
    const owner = this.ownerOf(sender);
    return owner !== null && this.access.holds(owner, channel, setting) ? owner : null;
  }

  /**
   * What lets a sender's messages reach the channel, or null. Guests need a subscription unless the channel is
   * web-public, and so does everybody in private channels unless new subscribers see its history and a
   * permission group lets the sender in.
   */
  reachGround(sender: Sender, channel: ChannelRecord): ChannelGround | 'subscribed owner' | null {
    if (channel.isArchived) return null;
    if (channel.isWebPublic) return 'web-public channel';
    if (!channel.isPrivate && !isGuest(sender)) return 'public channel';
    if (this.subscriptions.isSubscribed(sender.userId, channel.id)) return 'subscriber';
    const ground = channel.isHistoryPublicToSubscribers ? this.access.contentGround(sender, channel) : null;
    if (ground !== null) return ground;
    const owner = this.ownerOf(sender);
    return owner !== null && this.subscriptions.isSubscribed(owner.userId, channel.id)
      ? 'subscribed owner'
      : null;
  }

  private ownerOf(sender: Sender): Requester | null {
    const owner = sender.isBot && sender.ownerId !== null ? this.accounts.byId(sender.ownerId) : undefined;
    return owner ? { userId: owner.id, role: owner.role } : null;
  }
}
