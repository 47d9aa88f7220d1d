import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { NeedsExclusive } from '../../../platform/database/database.errors';
import { Database } from '../../../platform/database/database.service';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { ChannelActivityService, type ChannelRecord } from '../../channels/channels.module';
import { UserAccess } from '../../users/users.module';
import { MessageAccess } from '../readers/message.access';
import {
  ForgingNotAllowed,
  MirroringNotSupported,
  MissingTopic,
  sentMessageWire,
  type SentMessageWire,
} from '../store/message-records.api';
import { sentEchoesPort, SentMeanwhile } from '../store/messages.hooks';
import { AutomaticTopicPolicyService } from './automatic-topic-policy.service';
import { ChannelTargetService, DirectMessageAccess, type SendingTarget } from './destination.access';
import { type ContentToSend, MentionAccess, MessageTextService } from './message-text.service';
import { MessageStoreService, type StoredMessage } from './message-store.service';
import { MessageWriterService } from './message-writer.service';
import type { OutgoingMessage } from './outgoing-message';

/** A message as received by `POST /messages`. */
export interface SendMessageRequest {
  readonly kind: 'channel' | 'direct';
  /** Channel or people, in any of the forms that clients use: names, IDs or addresses, as JSON or not. */
  readonly to?: string;
  readonly topic?: string;
  readonly content: ContentToSend;
  /** Whether the message claims to come from another person, as mirrored messages do. */
  readonly isMirrored: boolean;
  /** Whether the message asks for a right that only imports have. */
  readonly isForged: boolean;
}

/** A message that could be sent at the time of the check. */
export interface CheckedMessage {
  /** Its channel and topic, or all participants of the conversation, ascending. */
  readonly place:
    { readonly channelId: number; readonly topic: string } | { readonly memberIds: readonly number[] };
  readonly message: OutgoingMessage;
}

/** Work done in the transaction that writes the message; both happen or neither does. */
type AlongsideMessage = (tx: Transaction, sent: SentMessageWire) => Promise<void>;

/**
 * Sends messages to channels and people: resolves the destination, checks permissions, renders the content, and checks
 * again in the transaction that writes the message.
 */
@Injectable()
export class SendMessageService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly database: Database,
    private readonly users: UserAccess,
    private readonly channels: ChannelTargetService,
    private readonly people: DirectMessageAccess,
    private readonly texts: MessageTextService,
    private readonly mentions: MentionAccess,
    private readonly activity: ChannelActivityService,
    private readonly store: MessageStoreService,
    private readonly writer: MessageWriterService,
    private readonly policies: AutomaticTopicPolicyService,
    private readonly access: MessageAccess,
    private readonly hooks: Hooks,
  ) {}

  /**
   * Sends a message. If the client gave the message an identifier, repeating the request does not send it twice.
   * @param alongside runs in the transaction that writes the message; an error undoes both
   * @throws ApiError: see message-records.api.ts and the errors of posting in channels
   */
  async send(
    actor: Actor,
    request: SendMessageRequest,
    alongside?: AlongsideMessage,
  ): Promise<SentMessageWire> {
    if (request.isForged) throw new ForgingNotAllowed();
    if (request.isMirrored) throw new MirroringNotSupported();
    const { echo } = request.content;
    const sentBefore = echo && (await this.hooks.provider(sentEchoesPort)?.find(actor.userId, echo));
    if (sentBefore) return sentBefore;
    try {
      return await (request.kind === 'channel'
        ? this.sendToChannel(actor, request, alongside)
        : this.sendToPeople(actor, request, alongside));
    } catch (error) {
      if (error instanceof SentMeanwhile) return error.answer;
      throw error;
    }
  }

  /** Performs the steps that precede writing a message, for one to send later. @throws ApiError like {@link send} */
  async check(actor: Actor, request: SendMessageRequest): Promise<CheckedMessage> {
    if (request.kind === 'channel') {
      const { target, message } = await this.checkForChannel(actor, request);
      return { place: { channelId: target.channel.id, topic: target.topic }, message };
    }
    const { memberIds, message } = await this.checkForPeople(actor, request);
    return { place: { memberIds }, message };
  }

  /** Clients rely on the order of the checks, which determines the refusal that they receive. */
  private async checkForChannel(actor: Actor, { to, topic, content }: SendMessageRequest) {
    const address = this.channels.address(actor, to);
    if (topic === undefined) throw new MissingTopic();
    this.texts.checkTopic(topic);
    const normalized = { ...content, content: this.texts.content(content.content) };
    const target = await this.channels.find(actor, address, topic);
    const prepared = await this.texts.prepare(actor, normalized);
    const place = { channelId: target.channel.id, topic: target.topic };
    const topicParticipants = await this.mentions.topicParticipants(
      this.database.read,
      actor,
      prepared.rendered,
      place,
    );
    this.mentions.check(actor, prepared.rendered, place.channelId, topicParticipants);
    return { target, message: { ...prepared, topicParticipants } };
  }

  private async sendToChannel(
    actor: Actor,
    request: SendMessageRequest,
    alongside?: AlongsideMessage,
  ): Promise<SentMessageWire> {
    const { target, message } = await this.checkForChannel(actor, request);
    const work = async (tx: Transaction) => {
      const sent = await this.writeToChannel(tx, actor, target, message);
      await alongside?.(tx, sent);
      return sent;
    };
    return this.transactions.runUpgradable(this.activity.isDue(target.channel), work);
  }

  private async writeToChannel(
    tx: Transaction,
    actor: Actor,
    target: SendingTarget,
    message: OutgoingMessage,
  ): Promise<SentMessageWire> {
    const place = { channelId: target.channel.id, topic: target.topic };
    const { rendered, topicParticipants, echo } = message;
    // Everything is sent in one round trip, so the message is written before it is certain to be allowed; a refusal
    // rolls it back.
    const [, before, stored] = await Promise.all([
      this.activity.lock(tx, [place.channelId], { forUpdate: tx.isExclusive }),
      this.policies.choiceOf(tx, actor, place),
      this.store.insert(tx, message, { channelId: place.channelId, topicName: place.topic }),
    ]);
    // The sender may have been deactivated, or lost a role or permission, in the meantime.
    const sender = this.users.current(actor);
    const channel = this.channels.findAgain(sender, target);
    this.mentions.check(sender, rendered, place.channelId, topicParticipants);

    const noteInChannel = this.activity.isDue(channel);
    // The topic's messages may have been deleted in the meantime.
    if (noteInChannel && !tx.isExclusive) throw new NeedsExclusive();
    await this.writer.deliverToChannel(tx, message, stored, { channel, noteInChannel });
    const startsTopic = () => this.startsTopic(tx, sender, channel, stored);
    const policy = await this.policies.afterSending(tx, actor, before, place, startsTopic);
    await this.policies.afterMentioning(tx, rendered.mentionedUserIds, place);
    if (policy !== null && echo) {
      await this.hooks.provider(sentEchoesPort)?.noteTopicPolicy(tx, sender.userId, echo, policy);
    }
    return sentMessageWire(stored.row.id, policy);
  }

  /**
   * Whether a message is the first one that the sender sees in its topic. Must not reveal messages that the sender
   * cannot see.
   */
  private async startsTopic(
    tx: Transaction,
    sender: Actor,
    { id: channelId, isHistoryPublicToSubscribers }: ChannelRecord,
    { row: { id: messageId, topicId }, startsTopic }: StoredMessage,
  ): Promise<boolean> {
    if (startsTopic || isHistoryPublicToSubscribers || topicId === null) return startsTopic;
    return !(await this.access.seesTopic(tx, sender, { id: topicId, channelId }, messageId - 1));
  }

  private async checkForPeople(actor: Actor, { to, content }: SendMessageRequest) {
    const named = this.people.named(to);
    const recipients = this.people.recipients(actor, named);
    const normalized = { ...content, content: this.texts.content(content.content) };
    const memberIds = await this.people.checkMaySend(this.database.read, actor, recipients);
    const message = await this.texts.prepare(actor, normalized);
    this.mentions.check(actor, message.rendered, null, message.topicParticipants);
    return { named, memberIds, message };
  }

  private async sendToPeople(
    actor: Actor,
    request: SendMessageRequest,
    alongside?: AlongsideMessage,
  ): Promise<SentMessageWire> {
    const { named, message } = await this.checkForPeople(actor, request);
    return this.transactions.run(async (tx) => {
      // Recipients may have left, or the sender lost the permission, in the meantime.
      const current = this.users.current(actor);
      const memberIds = await this.people.checkMaySend(tx, current, this.people.recipients(current, named));
      this.mentions.check(current, message.rendered, null, message.topicParticipants);
      const { messageId } = await this.writer.writeToConversation(tx, message, memberIds);
      const sent = sentMessageWire(messageId, null);
      await alongside?.(tx, sent);
      return sent;
    });
  }
}
