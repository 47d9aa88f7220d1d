import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { Database } from '../../../platform/database/database.service';
import { TransactionService, type Transaction } from '../../../platform/database/transaction.service';
import { UserAccess } from '../../users';
import { AutomaticTopicPolicyService } from './automatic-topic-policy.service';
import { ChannelTargetService, type SendingTarget } from './channel-target.service';
import { ChannelActivityService } from './channel-activity.service';
import { MentionAccess } from './mention.access';
import { MessageWriterService, type OutgoingMessage } from './message-writer.service';
import { MissingTopic } from '../store/messages.errors';
import { sentMessageWire, type SentMessageWire } from '../store/messages.wire';
import { OutgoingContentService, type ContentToSend } from './outgoing-content.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { sentEchoesPort } from '../store/messages.hooks';
import { parseChannelAddress } from './address';
import { checkTopicCharacters } from './message-text';

/** Sends messages to channels. */
@Injectable()
export class SendChannelMessageService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly database: Database,
    private readonly users: UserAccess,
    private readonly targets: ChannelTargetService,
    private readonly content: OutgoingContentService,
    private readonly mentions: MentionAccess,
    private readonly activity: ChannelActivityService,
    private readonly writer: MessageWriterService,
    private readonly policies: AutomaticTopicPolicyService,
    private readonly hooks: Hooks,
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
    const message = await this.content.prepare(actor, normalized);
    const { rendered } = message;
    const place = { channelId: target.channel.id, topic: target.topic };
    const topicParticipants = await this.mentions.topicParticipants(
      this.database.read,
      actor,
      rendered,
      place,
    );
    this.mentions.check(actor, rendered, place.channelId, topicParticipants);
    return this.write(actor, target, message, topicParticipants);
  }

  private async write(
    actor: Actor,
    target: SendingTarget,
    message: OutgoingMessage,
    topicParticipants: ReadonlySet<number>,
  ): Promise<SentMessageWire> {
    const { topic } = target;
    const channelId = target.channel.id;
    const isExclusive = this.activity.isDue(target.channel);
    const work = async (tx: Transaction): Promise<SentMessageWire> => {
      await this.activity.lock(tx, [channelId], { forUpdate: isExclusive });
      // Meanwhile the sender may have left, or lost a role or a permission.
      const sender = this.users.current(actor);
      const channel = this.targets.refind(sender, target);
      this.mentions.check(sender, message.rendered, channelId, topicParticipants);
      const stance = await this.policies.stanceOf(tx, actor, channelId, topic);
      const noteInChannel = isExclusive && this.activity.isDue(channel);
      const destination = { channel, topic, topicParticipants, noteInChannel };
      const { messageId, startsTopic } = await this.writer.writeToChannel(tx, message, destination);
      const policy = await this.policies.afterSending(tx, actor, stance, { channelId, topic, startsTopic });
      await this.policies.afterMentioning(tx, message.rendered.mentionedUserIds, { channelId, topic });
      const { echo } = message;
      if (policy !== null && echo)
        await this.hooks.provider(sentEchoesPort)?.noteTopicPolicy(tx, sender.userId, echo, policy);
      return sentMessageWire(messageId, policy);
    };
    return isExclusive ? this.transactions.runExclusive(work) : this.transactions.run(work);
  }
}
