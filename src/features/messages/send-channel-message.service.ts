import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import { TransactionService } from '../../platform/database/transaction.service';
import { SubscriptionDirectory } from '../channels/subscription.directory';
import { ChannelTargetService, type SendingTarget } from './channel-target.service';
import { ChannelUpkeepService } from './channel-upkeep.service';
import { MentionAccess } from './mention.access';
import { MessageWriterService, type OutgoingMessage } from './message-writer.service';
import { MissingTopic } from './messages.errors';
import type { SentMessageWire } from './messages.wire';
import { OutgoingContentService, type ContentToSend } from './outgoing-content.service';
import { parseChannelAddress } from './sending/address';
import { checkTopicCharacters } from './sending/message-text';

/** Sends messages to channels. */
@Injectable()
export class SendChannelMessageService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly targets: ChannelTargetService,
    private readonly content: OutgoingContentService,
    private readonly mentions: MentionAccess,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly upkeep: ChannelUpkeepService,
    private readonly writer: MessageWriterService,
  ) {}

  /**
   * The checks come in the order of messages reference 2.3.
   * @param to in any of the forms of messages reference 2.2; a bot's default channel when left out
   */
  async send(
    actor: Actor,
    to: string | undefined,
    topic: string | undefined,
    content: ContentToSend,
  ): Promise<SentMessageWire> {
    const address = to === undefined ? this.targets.defaultAddress(actor) : parseChannelAddress(to);
    if (topic === undefined) throw new MissingTopic();
    checkTopicCharacters(topic);
    const normalized = this.content.normalize(content);
    const target = await this.targets.find(actor, address, topic);
    const message = this.content.prepare(actor, normalized);
    const topicParticipants = await this.checkMentions(actor, target, message);
    return this.write(actor, target, message, topicParticipants);
  }

  /** @returns whom a topic wildcard of the message reaches; nobody when it has none */
  private async checkMentions(
    actor: Actor,
    { channel, topicId }: SendingTarget,
    { rendered }: OutgoingMessage,
  ): Promise<ReadonlySet<number>> {
    const participants = new Set(rendered.topicWildcard ? await this.targets.participants(topicId) : []);
    if (rendered.topicWildcard) participants.add(actor.userId);
    this.mentions.checkWildcards(actor, rendered, {
      subscribers: this.subscriptions.subscriberCount(channel.id),
      topicParticipants: participants.size,
    });
    this.mentions.checkGroups(actor, rendered);
    return participants;
  }

  private write(
    actor: Actor,
    target: SendingTarget,
    message: OutgoingMessage,
    topicParticipants: ReadonlySet<number>,
  ): Promise<SentMessageWire> {
    const isExclusive = this.upkeep.isDue(target.channel);
    const transaction = isExclusive
      ? this.transactions.runExclusive.bind(this.transactions)
      : this.transactions.run.bind(this.transactions);
    return transaction(async (tx) => {
      await this.upkeep.lock(tx, target.channel.id);
      const channel = this.targets.refind(actor, target);
      const note = isExclusive && this.upkeep.isDue(channel);
      const written = await this.writer.writeToChannel(
        tx,
        message,
        { channel, topic: target.topic, topicParticipants },
        note,
      );
      return { id: written.messageId };
    });
  }
}
