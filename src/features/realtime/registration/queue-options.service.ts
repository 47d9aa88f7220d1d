import { Injectable } from '@nestjs/common';
import { isGuest, type Actor } from '../../../platform/actor';
import { ChannelDirectory } from '../../channels/channels.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { AccountDirectory } from '../../users/users.module';
import { type NarrowPair, narrowPredicate, type QueueOptions } from '../queues/queue-options';
import { NarrowTermNotPair, PublicChannelsNotAllowed } from '../realtime.api';

/** A client's request for a queue. */
export interface QueueRequest {
  /** Types of events to receive; null for all. */
  readonly eventTypes: readonly string[] | null;
  readonly narrow: readonly (readonly string[])[];
  readonly allPublicChannels?: boolean;
  readonly applyMarkdown: boolean;
  /** Null for the default. */
  readonly clientGravatar: boolean | null;
  readonly slimPresence: boolean;
  readonly capabilities: readonly string[];
}

/** Determines the options of a new queue from the client's request and the defaults of bots. */
@Injectable()
export class QueueOptionsService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly channels: ChannelDirectory,
    private readonly organization: OrganizationDirectory,
  ) {}

  /** @throws PublicChannelsNotAllowed, NarrowTermNotPair, NarrowOperatorUnsupported, NarrowOperandUnsupported */
  of(actor: Actor, request: QueueRequest): QueueOptions {
    if (request.allPublicChannels && isGuest(actor)) throw new PublicChannelsNotAllowed();
    const narrow = this.narrow(actor, request.narrow);
    narrowPredicate(narrow);
    const account = this.accounts.byId(actor.userId);
    return {
      eventTypes: request.eventTypes,
      narrow,
      allPublicChannels: request.allPublicChannels ?? account?.defaultAllPublicChannels ?? false,
      applyMarkdown: request.applyMarkdown,
      clientGravatar: request.clientGravatar ?? true,
      slimPresence: request.slimPresence,
      capabilities: request.capabilities,
      keyId: actor.limit?.keyId,
      ...(actor.limit?.channelIds && { channelIds: [...actor.limit.channelIds] }),
    };
  }

  private narrow(actor: Actor, asked: readonly (readonly string[])[]): NarrowPair[] {
    if (asked.length === 0) return this.defaultNarrow(actor);
    return asked.map(([operator, operand, ...more], index) => {
      if (operator === undefined || operand === undefined || more.length > 0) {
        throw new NarrowTermNotPair(index);
      }
      const isEmptyTopic =
        operator === 'topic' && operand === this.organization.settings.empty_topic_display_name;
      return [operator, isEmptyTopic ? '' : operand];
    });
  }

  /** The channel whose events a bot receives by default. */
  private defaultNarrow(actor: Actor): NarrowPair[] {
    const channelId = this.accounts.byId(actor.userId)?.defaultEventsChannelId ?? null;
    const channel = channelId === null ? undefined : this.channels.byId(channelId);
    return channel ? [['channel', channel.name]] : [];
  }
}
