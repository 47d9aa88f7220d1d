import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type CallFailure, CallWebhookService } from './call-webhook.service';
import { deliveryRecord, replyPlace, type WebhookDeliveryRecord } from './outgoing-webhooks.api';
import { WebhookDelivery } from './webhook-delivery.entity';
import {
  outgoingWebhook,
  type WebhookJob,
  type WebhookNotification,
  WebhookNotificationService,
} from './webhook-triggers.service';
import type { Actor } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import { Config } from '../../../platform/config/config';
import type { ReadRepository } from '../../../platform/database/read-source';
import { TransactionService } from '../../../platform/database/transaction.service';
import { ApiError } from '../../../platform/errors/api-error';
import { type RunningJob, UnrecoverableError } from '../../../platform/jobs/job';
import { Jobs } from '../../../platform/jobs/jobs.service';
import { BotOwnerNoticeService, SendMessageService } from '../../messages/messages.module';
import { UserAccess } from '../../users/users.module';

/** Number of calls to keep per bot. */
const KEPT = 50;

/** A finished call. */
type EndedCall = Omit<WebhookDelivery, 'id' | 'calledAt'>;

/** Stores the latest calls of each webhook for the bot's administrators. */
@Injectable()
export class WebhookDeliveriesService {
  private readonly logger = new Logger('WebhookDeliveries');

  constructor(
    @InjectRepository(WebhookDelivery) private readonly deliveries: ReadRepository<WebhookDelivery>,
    private readonly transactions: TransactionService,
    private readonly access: UserAccess,
    private readonly clock: Clock,
  ) {}

  /** Lists calls, newest first. @throws NoSuchBot, InsufficientPermission, MustBeOwner */
  async list(actor: Actor, botId: number): Promise<WebhookDeliveryRecord[]> {
    const { id } = this.access.forBotAdministration(actor, botId);
    const found = await this.deliveries.find({ where: { botId: id }, order: { id: 'DESC' }, take: KEPT });
    return found.map(deliveryRecord);
  }

  /** Stores a call. Does not throw, because a failure here must not repeat the call. */
  async keep(call: EndedCall): Promise<void> {
    const { botId } = call;
    try {
      await this.transactions.run(async (tx) => {
        await tx.repository(WebhookDelivery).insert({ ...call, calledAt: this.clock.nowSeconds() });
        await tx.query(
          `DELETE FROM webhook_call WHERE bot_id = ? AND id <= (
             SELECT id FROM webhook_call WHERE bot_id = ? ORDER BY id DESC LIMIT 1 OFFSET ${KEPT}
           )`,
          [botId, botId],
        );
      });
    } catch (error) {
      this.logger.error({ err: error }, `Cannot record a webhook delivery of bot ${botId}.`);
    }
  }
}

/** Maximum concurrent calls per node, in total and per bot. */
const MAX_CALLS = 32;
const MAX_CALLS_OF_BOT = 4;

/** Retry delays; the call after the last one is final. */
const RETRY_AFTER_MS = [5_000, 30_000, 120_000, 600_000];

/** Time for everything except the call: waiting for the database, rendering the reply. */
const MARGIN_MS = 30_000;

/** A failed call to retry. */
class CallFailed extends Error {
  constructor(readonly failure: CallFailure) {
    super(failure.reason);
  }
}

/** A failed call that a retry would not fix. */
class CallRefused extends UnrecoverableError {
  constructor(readonly failure: CallFailure) {
    super(failure.reason);
  }
}

/** Posts sent messages to webhooks, and sends the replies. */
@Injectable()
export class DeliverWebhooksService {
  constructor(
    config: Config,
    jobs: Jobs,
    private readonly notifications: WebhookNotificationService,
    private readonly webhooks: CallWebhookService,
    private readonly messages: SendMessageService,
    private readonly notices: BotOwnerNoticeService,
    private readonly deliveries: WebhookDeliveriesService,
  ) {
    jobs.handle(outgoingWebhook, {
      work: (job) => this.deliver(job),
      failed: ({ data }, error) => this.tellOfFailure(data, error),
      retry: { delaysMs: RETRY_AFTER_MS },
      timeoutMs: config.webhookTimeoutSeconds * 1000 + MARGIN_MS,
      concurrency: MAX_CALLS,
      groupConcurrency: MAX_CALLS_OF_BOT,
      leavesMachine: true,
    });
  }

  /** Stores the webhook's reply before sending it, so that a retry does not call the webhook again. */
  private async deliver(job: RunningJob<WebhookJob>): Promise<void> {
    const { data } = job;
    const notification = await this.notifications.find(data);
    if (!notification) return;
    if (data.reply !== null) return this.say(data, notification, data.reply);
    const { service, bot, message } = notification;
    const began = performance.now();
    const outcome = await this.webhooks.call(service, bot, message, job.signal);
    await this.deliveries.keep({
      botId: data.botId,
      messageId: data.messageId,
      durationMs: Math.round(performance.now() - began),
      attempt: job.attempt,
      status: outcome.status,
      error: outcome.kind === 'failed' ? outcome.reason : null,
      answer: outcome.kind === 'failed' ? (outcome.answer?.replaceAll('\u0000', '') ?? null) : null,
    });
    if (outcome.kind === 'failed') throw new (outcome.isPassing ? CallFailed : CallRefused)(outcome);
    const { reply } = outcome;
    if (reply !== null && (await job.save({ ...data, reply }))) await this.say(data, notification, reply);
  }

  /** Sends the reply as the bot to the conversation of the message. Idempotent. */
  private async say(
    job: WebhookJob,
    { message: { record } }: WebhookNotification,
    content: string,
  ): Promise<void> {
    const actor = this.notifications.actorOf(job);
    if (!actor) return;
    const echo = { queueId: 'outgoing_webhook', localId: String(job.messageId) };
    const request = { ...replyPlace(record), content: { content, echo }, isMirrored: false, isForged: false };
    try {
      await this.messages.send(actor, request);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      await this.tellOwner(job, `the bot is not allowed to post the reply: ${error.message}`);
    }
  }

  private async tellOfFailure(job: WebhookJob, error: unknown): Promise<void> {
    if (!(error instanceof CallFailed || error instanceof CallRefused)) return;
    await this.tellOwner(job, error.failure.reason, error.failure.answer);
  }

  private tellOwner({ botId, messageId }: WebhookJob, reason: string, answer?: string): Promise<void> {
    return this.notices.tell(botId, 'webhook', ({ fullName }) => {
      const failure = `The webhook of your bot **${fullName}** failed for message ${messageId}: ${reason}.`;
      return answer === undefined ? failure : `${failure} Response:\n\n${quoted(answer)}`;
    });
  }
}

/** Puts untrusted text into a code block whose fence the text does not contain. */
function quoted(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/[`~]+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text.replaceAll('\u0000', '')}\n${fence}`;
}
