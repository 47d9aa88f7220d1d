import { type ChannelReference, TopicNotMuted, TopicVisibility } from '../topics.api';
import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../../platform/actor';
import { TransactionService } from '../../../../platform/database/transaction.service';
import { OrganizationDirectory } from '../../../organization-settings/organization-settings.module';
import { ChannelAccess } from '../../access/channel.access';
import { ChannelDirectory, type ChannelRecord, SubscriptionDirectory } from '../../store/channel.directory';
import { InvalidChannelId, NotSubscribed } from '../../store/channels.api';
import { UserTopicsService } from './user-topics.service';

/** Mutes, unmutes and follows topics for people. */
@Injectable()
export class TopicPreferencesService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly access: ChannelAccess,
    private readonly channels: ChannelDirectory,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly organization: OrganizationDirectory,
    private readonly topics: UserTopicsService,
  ) {}

  /**
   * Mutes a topic of a channel that the actor is subscribed to.
   * @throws InvalidChannelId, InvalidChannelName, NotSubscribed
   */
  async mute(actor: Actor, reference: ChannelReference, topic: string): Promise<void> {
    const channel =
      'id' in reference
        ? this.access.forContent(actor, reference.id)
        : this.access.forContentByName(actor, reference.name);
    await this.setSubscribed(actor, channel, topic, TopicVisibility.muted);
  }

  /**
   * Removes the policy for a topic, even in an archived channel; idempotent.
   * @throws TopicNotMuted, NotSubscribed
   */
  async unmute(actor: Actor, reference: ChannelReference, topic: string): Promise<void> {
    const channel =
      'id' in reference ? this.channels.byId(reference.id) : this.channels.byName(reference.name);
    if (!channel || !this.access.hasContentAccess(actor, channel)) throw new TopicNotMuted();
    await this.setSubscribed(actor, channel, topic, TopicVisibility.none);
  }

  /**
   * Sets any policy; no subscription is required. A policy can be removed even if the channel is no longer accessible.
   * @throws InvalidChannelId
   */
  async set(actor: Actor, channelId: number, topic: string, policy: TopicVisibility): Promise<void> {
    if (policy !== TopicVisibility.none) {
      const channel = this.access.forContent(actor, channelId);
      await this.store(actor, channel, topic, policy);
      return;
    }
    const channel = this.channels.byId(channelId);
    const isForgotten = channel && (await this.store(actor, channel, topic, policy));
    if (isForgotten) return;
    if (!channel || !this.access.hasContentAccess(actor, channel)) throw new InvalidChannelId();
  }

  private async setSubscribed(
    actor: Actor,
    channel: ChannelRecord,
    topic: string,
    policy: TopicVisibility,
  ): Promise<void> {
    if (!this.subscriptions.isSubscribed(actor.userId, channel.id)) throw new NotSubscribed(channel.id);
    await this.store(actor, channel, topic, policy);
  }

  /** Treats the display name of the empty topic as the empty topic. */
  private store(
    actor: Actor,
    channel: ChannelRecord,
    topic: string,
    policy: TopicVisibility,
  ): Promise<boolean> {
    const name = topic === this.organization.settings.empty_topic_display_name ? '' : topic;
    const choice = { channelId: channel.id, topic: name, policy };
    return this.transactions.run((tx) => this.topics.set(tx, actor.userId, choice));
  }
}
