import { Injectable } from '@nestjs/common';
import { Config } from '../../../platform/config/config';
import { ApiError } from '../../../platform/errors/api-error';
import { type RunningJob, UnrecoverableError } from '../../../platform/jobs/job';
import { Jobs } from '../../../platform/jobs/jobs.service';
import { BotOwnerNoticeService, SendMessageService } from '../../messages/messages.module';
import { type CallFailure, CallWebhookService } from './call-webhook.service';
import { replyPlace } from './outgoing-webhooks.api';
import { WebhookDeliveriesService } from './webhook-deliveries.service';
import { type WebhookNotification, WebhookNotificationService } from './webhook-notification.service';
import { outgoingWebhook, type WebhookJob } from './webhook-triggers.service';

/** How many calls one node makes at once, and how many of them for a single bot. */
const MAX_CALLS = 32;
const MAX_CALLS_OF_BOT = 4;

/** Delays between failed calls: each a little longer, and none after the last. */
const RETRY_AFTER_MS = [5_000, 30_000, 120_000, 600_000];

/** Time for everything beside the call: waiting for the database, rendering the reply. */
const MARGIN_MS = 30_000;

/** A call that failed, to be tried again. */
class CallFailed extends Error {
  constructor(readonly failure: CallFailure) {
    super(failure.reason);
  }
}

/** A call that failed and would fail again. */
class CallRefused extends UnrecoverableError {
  constructor(readonly failure: CallFailure) {
    super(failure.reason);
  }
}

/** Posts messages to webhooks once they are sent, and sends their replies. */
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

  /** The webhook's answer is stored before it is sent, so that the webhook is not called again for the same message. */
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

  /** Sends it to the conversation of the message, as the bot. Doing so twice sends one message. */
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

/** Puts foreign text into a code block whose fence the text does not contain. */
function quoted(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/[`~]+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text.replaceAll('\u0000', '')}\n${fence}`;
}
