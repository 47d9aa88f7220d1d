import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Config } from '../../platform/config/config';
import { TransactionService, type Transaction } from '../../platform/database/transaction.service';
import { ProcessPurpose } from '../../platform/lifecycle/process-purpose';
import { DeliveryLoop } from '../../platform/outbound/delivery-loop';
import { ChannelDirectory } from '../channels';
import { ExpectedMessagesService, SystemMessageService } from '../messages';
import { AnswersService, type HeldAnswer } from './answers.service';
import { HandOnAnswerService } from './hand-on-answer.service';
import { MockLogService } from './mock-log.service';
import { NoteAnswersService } from './note-answers.service';

/** How many answers one node hands on at once; of one conversation, one after the other. */
const MAX_CALLS = 16;

/** Hands on what people answer to those outside, once it is sent. */
@Injectable()
export class DeliverAnswersService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('MessagingBridge');
  private readonly loop: DeliveryLoop<HeldAnswer>;
  private end: () => Promise<void> = () => Promise.resolve();

  constructor(
    config: Config,
    private readonly expected: ExpectedMessagesService,
    private readonly notes: NoteAnswersService,
    private readonly answers: AnswersService,
    private readonly calls: HandOnAnswerService,
    private readonly mockLog: MockLogService,
    private readonly transactions: TransactionService,
    private readonly channels: ChannelDirectory,
    private readonly messages: SystemMessageService,
    private readonly purpose: ProcessPurpose,
  ) {
    this.loop = new DeliveryLoop({
      name: 'MessagingBridge',
      maxAtOnce: MAX_CALLS,
      maxAtOnceEach: 1,
      patienceMs: config.shutdownTimeoutSeconds * 1000,
      receiverOf: ({ conversationId }) => conversationId,
      take: (mayTake) => this.answers.take(mayTake),
      carryOut: (answer, signal) => this.carryOut(answer, signal),
    });
  }

  onApplicationBootstrap(): void {
    if (!this.purpose.isServer) return;
    this.end = this.expected.deliver(this.loop, (expect) => this.notes.onAnswer(expect));
  }

  async onModuleDestroy(): Promise<void> {
    await this.end();
  }

  /** Takes up what is due. Resolves once everything that this node has in hand is done. */
  deliver(): Promise<void> {
    return this.loop.deliver();
  }

  private async carryOut(answer: HeldAnswer, signal: AbortSignal): Promise<void> {
    const payload = await this.calls.payload(answer);
    if (!payload) return this.answers.finish(answer);
    const { url } = this.calls;
    if (url === null) return this.answers.finish(answer, (tx) => this.mockLog.add(tx, payload));
    const failure = await this.calls.post(url, payload, signal);
    if (!failure) return this.answers.finish(answer);
    if (signal.aborted) return this.answers.release(answer);
    if (failure.isPassing && (await this.answers.retry(answer))) return;
    await this.giveUp(answer, failure.reason);
  }

  private async giveUp(answer: HeldAnswer, reason: string): Promise<void> {
    this.logger.warn(`Message ${answer.messageId} could not be handed on: ${reason}`);
    await this.transactions.runExclusive(async (tx) => {
      if (await this.answers.remove(tx, answer.id)) await this.tell(tx, answer, reason);
    });
  }

  /** Says it where the answer was written. */
  private async tell(tx: Transaction, { messageId }: HeldAnswer, reason: string): Promise<void> {
    const [place] = await tx.query<{ channelId: number; topic: string }>(
      `SELECT t.channel_id AS "channelId", t.name AS topic FROM message m JOIN topic t ON t.id = m.topic_id
       WHERE m.id = ?`,
      [messageId],
    );
    const channel = place && this.channels.byId(place.channelId);
    if (!channel || channel.isArchived) return;
    const content = `Message ${messageId} did not reach the person outside: ${reason}. It will not be sent again.`;
    await this.messages.sendToChannel(tx, 'notification-bot', { channel, topic: place.topic }, { content });
  }
}
