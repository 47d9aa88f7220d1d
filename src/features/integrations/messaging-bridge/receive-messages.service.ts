import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { BridgePlaceService } from './bridge-place.service';
import { MessagingReceipt } from './messaging-conversation.entity';
import { FormDeliveryDto, type ReceivedMessage, WebhookSignatureRefused } from './messaging.api';
import { MessageSource, type OutsideMessage, type OutsideSender, topicNames } from './outside-message';
import { isWhatsappDelivery, whatsappMessages } from './whatsapp-delivery';
import { Clock } from '../../../platform/clock';
import { Config } from '../../../platform/config/config';
import { Database } from '../../../platform/database/database.service';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import type { RawBody } from '../../../platform/http/body/raw-body';
import { validInput } from '../../../platform/http/companion/valid-input';
import { isSameSecret } from '../../../platform/secrets/secret-links';
import type { Queryable } from '../../../platform/sql/queryable';
import { ChannelDirectory, type ChannelRecord, topicKey } from '../../channels/channels.module';
import { MessageTextService, SystemMessageService } from '../../messages/messages.module';
import { isObject } from '../../../platform/collections';

/** A conversation, with its topic if that still exists. */
interface Conversation {
  readonly id: number;
  readonly topic: TopicPlace | null;
}

interface TopicPlace {
  readonly id: number;
  readonly channelId: number;
  readonly name: string;
}

/** Destination of a message, with the ID of the existing topic; null for a topic that must be new. */
interface Target {
  readonly channel: ChannelRecord;
  readonly topic: string;
  readonly topicId: number | null;
}

/** A concurrent transaction created a topic with the same name, or renamed the target topic. */
class TopicTaken extends Error {}

const MAX_ROUNDS = 5;

/** Messages that arrive with a longer delay show when they were written. */
const LATE_SECONDS = 300;

/** Other times are treated as errors. */
const SANE_TIMES = { from: Date.UTC(2000) / 1000, to: Date.UTC(2100) / 1000 };

/** Posts messages of outside senders, each message once and each sender in a separate topic. */
@Injectable()
export class ReceiveMessagesService {
  constructor(
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly channels: ChannelDirectory,
    private readonly place: BridgePlaceService,
    private readonly messages: SystemMessageService,
    private readonly texts: MessageTextService,
    private readonly clock: Clock,
  ) {}

  /** Posts messages in order. If one fails, the earlier ones stay posted, and a repeated delivery skips them. */
  async receive(messages: readonly OutsideMessage[]): Promise<ReceivedMessage[]> {
    const received: ReceivedMessage[] = [];
    for (const message of messages) received.push(await this.receiveOne(message));
    return received;
  }

  /** @throws BridgeChannelUnusable */
  private async receiveOne(message: OutsideMessage): Promise<ReceivedMessage> {
    const known = await this.known(this.database.read, message);
    if (known !== null) return { messageId: known, isNew: false };
    for (let round = 1; ; round++) {
      const { id: channelId } = await this.place.prepare();
      try {
        return await this.transactions.runExclusive((tx) => this.post(tx, message, channelId));
      } catch (error) {
        if (!(error instanceof TopicTaken) || round === MAX_ROUNDS) throw error;
      }
    }
  }

  /** Needs an exclusive transaction: these are serialized across all nodes, so an unknown message is new. */
  private async post(tx: Transaction, message: OutsideMessage, channelId: number): Promise<ReceivedMessage> {
    const known = await this.known(tx, message);
    if (known !== null) return { messageId: known, isNew: false };
    const conversation = await this.conversation(tx, message.sender);
    const target = await this.target(tx, message.sender, conversation, channelId);
    const content = this.contentOf(message);
    const messageId = await this.messages.sendToChannel(tx, 'messaging-bridge', target, {
      content,
      isFromOutside: true,
    });
    const topicId = await topicOf(tx, messageId, target);
    await this.keepConversation(tx, message.sender, conversation, topicId);
    await tx.repository(MessagingReceipt).insert({
      source: message.sender.source,
      externalId: message.externalId,
      messageId,
      createdAt: this.clock.nowMs(),
    });
    return { messageId, isNew: true };
  }

  private async known(db: Queryable, { sender, externalId }: OutsideMessage): Promise<number | null> {
    const receipt = await db.repository(MessagingReceipt).findOneBy({ source: sender.source, externalId });
    return receipt?.messageId ?? null;
  }

  private async conversation(tx: Transaction, sender: OutsideSender): Promise<Conversation | null> {
    const [row] = await tx.query<{ id: number; topicId: number | null; channelId: number; name: string }>(
      `SELECT c.id, t.id AS "topicId", t.channel_id AS "channelId", t.name
       FROM messaging_conversation c LEFT JOIN topic t ON t.id = c.topic_id
       WHERE c.source = ? AND c.address = ?`,
      [sender.source, sender.address],
    );
    if (!row) return null;
    const { id, topicId, channelId, name } = row;
    return { id, topic: topicId === null ? null : { id: topicId, channelId, name } };
  }

  /** The sender's topic, even if it was moved or renamed; otherwise a new one. */
  private async target(
    tx: Transaction,
    sender: OutsideSender,
    conversation: Conversation | null,
    channelId: number,
  ): Promise<Target> {
    const topic = conversation?.topic;
    const channel = topic ? this.channels.byId(topic.channelId) : undefined;
    if (topic && channel && this.place.faultOf(channel) === null) {
      return { channel, topic: topic.name, topicId: topic.id };
    }
    const home = this.channels.byId(channelId);
    if (!home || this.place.faultOf(home) !== null) throw new TopicTaken();
    return { channel: home, topic: await this.freeName(tx, home, sender), topicId: null };
  }

  /** The name for a new topic. Existing topics are not reused, because later messages there would become answers. */
  private async freeName(tx: Transaction, { id }: ChannelRecord, sender: OutsideSender): Promise<string> {
    const names = topicNames(sender, (name) => this.texts.topic(name) !== name);
    const rows = await tx.query<{ name_key: string }>(
      'SELECT name_key FROM topic WHERE channel_id = ? AND name_key IN (?)',
      [id, names.map(topicKey)],
    );
    const taken = new Set(rows.map((row) => row.name_key));
    const free = names.find((name) => !taken.has(topicKey(name)));
    if (free === undefined) throw new Error('Every topic name for this sender is taken.');
    return free;
  }

  private contentOf({ text, writtenAt }: OutsideMessage): string {
    const isLate = this.clock.nowSeconds() - writtenAt > LATE_SECONDS && isSane(writtenAt);
    const written = isLate ? `*Written <time:${new Date(writtenAt * 1000).toISOString()}>:*\n\n` : '';
    return this.texts.content(written + text);
  }

  private async keepConversation(
    tx: Transaction,
    { source, address, via }: OutsideSender,
    conversation: Conversation | null,
    topicId: number,
  ): Promise<void> {
    const { id } = await tx.queryOne<{ id: number }>(
      `INSERT INTO messaging_conversation (source, address, via, topic_id, created_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (source, address) DO UPDATE SET via = excluded.via, topic_id = excluded.topic_id RETURNING id`,
      [source, address, via, topicId, this.clock.nowMs()],
    );
    if (conversation?.topic?.id !== topicId) tx.touch('messaging_conversations', [id]);
  }
}

/** The topic of a new message. @throws TopicTaken if it is not the target */
async function topicOf(tx: Transaction, messageId: number, { topicId }: Target): Promise<number> {
  const { id, message_count: count } = await tx.queryOne<{ id: number; message_count: number }>(
    'SELECT t.id, t.message_count FROM message m JOIN topic t ON t.id = m.topic_id WHERE m.id = ?',
    [messageId],
  );
  if (topicId === null ? count !== 1 : id !== topicId) throw new TopicTaken();
  return id;
}

function isSane(seconds: number): boolean {
  return seconds >= SANE_TIMES.from && seconds < SANE_TIMES.to;
}

/** Reads deliveries in either format. */
@Injectable()
export class ReadDeliveryService {
  constructor(private readonly config: Config) {}

  /**
   * @param signature header of the provider
   * @throws BadRequest, UnprocessableEntity, WebhookSignatureRefused
   */
  read(body: RawBody, signature: string | undefined): OutsideMessage[] {
    const { webhookAppSecret } = this.config;
    // Checks both formats, because a proxy may add the secret header to all signed requests.
    if (webhookAppSecret !== null && signature !== undefined)
      checkSignature(body, signature, webhookAppSecret);
    const delivery = body.json();
    if (!isObject(delivery) || !isWhatsappDelivery(delivery)) return [formMessage(delivery)];
    if (webhookAppSecret !== null && signature === undefined) throw new WebhookSignatureRefused();
    return whatsappMessages(delivery);
  }
}

function checkSignature({ bytes }: RawBody, signature: string, appSecret: string): void {
  const right = `sha256=${createHmac('sha256', appSecret).update(bytes).digest('hex')}`;
  if (!isSameSecret(signature, right)) throw new WebhookSignatureRefused();
}

function formMessage(delivery: unknown): OutsideMessage {
  const { from, text, id, timestamp } = validInput(FormDeliveryDto, delivery, 'body');
  const sender = { source: MessageSource.form, address: from, name: null, via: null };
  return { sender, externalId: id, text, writtenAt: timestamp };
}
