import { Injectable, Logger } from '@nestjs/common';
import { TransactionService, type Transaction } from '../../../platform/database/transaction.service';
import { type RunningJob, UnrecoverableError } from '../../../platform/jobs/job';
import { Jobs } from '../../../platform/jobs/jobs.service';
import { ChannelDirectory } from '../../channels/channels.module';
import { SystemMessageService } from '../../messages/messages.module';
import { CALL_TIMEOUT_MS, HandOnAnswerService } from './hand-on-answer.service';
import { MockLogService } from './mock-log.service';
import { type AnswerJob, messagingAnswer } from './note-answers.service';

/** How many answers one node posts at once; those of one conversation go one after the other. */
const MAX_CALLS = 16;

const MINUTE_MS = 60_000;

/** Delays between failed calls: each a little longer, and the last again and again. */
const RETRY_AFTER_MS = [5_000, 30_000, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS];

/** An answer that could not be posted for this long is given up. */
const GIVE_UP_AFTER_MS = 24 * 60 * MINUTE_MS;

/** Time for everything beside the call. */
const MARGIN_MS = 30_000;

/** Posts people's answers to the outside once they are sent. */
@Injectable()
export class DeliverAnswersService {
  private readonly logger = new Logger('MessagingBridge');

  constructor(
    jobs: Jobs,
    private readonly calls: HandOnAnswerService,
    private readonly mockLog: MockLogService,
    private readonly transactions: TransactionService,
    private readonly channels: ChannelDirectory,
    private readonly messages: SystemMessageService,
  ) {
    jobs.handle(messagingAnswer, {
      work: (job) => this.deliver(job),
      failed: (job, error) => this.giveUp(job, error),
      retry: { delaysMs: RETRY_AFTER_MS, forMs: GIVE_UP_AFTER_MS },
      timeoutMs: CALL_TIMEOUT_MS + MARGIN_MS,
      concurrency: MAX_CALLS,
      orderedByGroup: true,
      leavesMachine: true,
    });
  }

  private async deliver(job: RunningJob<AnswerJob>): Promise<void> {
    const payload = await this.calls.payload(job.data);
    if (!payload) return;
    const { url } = this.calls;
    if (url === null) {
      await this.transactions.run(async (tx) => {
        if (await job.complete(tx)) await this.mockLog.add(tx, payload);
      });
      return;
    }
    const failure = await this.calls.post(url, payload, job.signal);
    if (failure) throw new (failure.isPassing ? Error : UnrecoverableError)(failure.reason);
  }

  private async giveUp(job: RunningJob<AnswerJob>, error: unknown): Promise<void> {
    const { messageId } = job.data;
    const reason = error instanceof Error ? error.message : String(error);
    this.logger.warn(`Cannot deliver message ${messageId}: ${reason}`);
    await this.transactions.runExclusive(async (tx) => {
      if (await job.complete(tx)) await this.tell(tx, messageId, reason);
    });
  }

  /** Tells about it in the conversation of the answer. */
  private async tell(tx: Transaction, messageId: number, reason: string): Promise<void> {
    const [place] = await tx.query<{ channelId: number; topic: string }>(
      `SELECT t.channel_id AS "channelId", t.name AS topic FROM message m JOIN topic t ON t.id = m.topic_id
       WHERE m.id = ?`,
      [messageId],
    );
    const channel = place && this.channels.byId(place.channelId);
    if (!channel || channel.isArchived) return;
    const content = `Message ${messageId} was not delivered: ${reason}. It will not be retried.`;
    await this.messages.sendToChannel(tx, 'notification-bot', { channel, topic: place.topic }, { content });
  }
}
