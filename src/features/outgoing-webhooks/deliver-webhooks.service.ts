import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Config } from '../../platform/config/config';
import { ProcessPurpose } from '../../platform/lifecycle/process-purpose';
import { DeliveryLoop } from '../../platform/outbound/delivery-loop';
import { BotOwnerNoticeService, ExpectedMessagesService } from '../messages';
import { CallWebhookService, type CallOutcome } from './call-webhook.service';
import { WebhookDeliveriesService, type HeldDelivery } from './webhook-deliveries.service';
import { type WebhookNotification, WebhookNotificationService } from './webhook-notification.service';
import { WebhookReplyService } from './webhook-reply.service';
import { WebhookTriggersService } from './webhook-triggers.service';

/** How many webhooks one node waits for at once, and how many times for the one of a single bot. */
const MAX_CALLS = 32;
const MAX_CALLS_OF_BOT = 4;

/** Tells webhooks of messages once those are sent. */
@Injectable()
export class DeliverWebhooksService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly loop: DeliveryLoop<HeldDelivery>;
  private end: () => Promise<void> = () => Promise.resolve();

  constructor(
    config: Config,
    private readonly expected: ExpectedMessagesService,
    private readonly triggers: WebhookTriggersService,
    private readonly deliveries: WebhookDeliveriesService,
    private readonly notifications: WebhookNotificationService,
    private readonly webhooks: CallWebhookService,
    private readonly replies: WebhookReplyService,
    private readonly notices: BotOwnerNoticeService,
    private readonly purpose: ProcessPurpose,
  ) {
    this.loop = new DeliveryLoop({
      name: 'OutgoingWebhooks',
      maxAtOnce: MAX_CALLS,
      maxAtOnceEach: MAX_CALLS_OF_BOT,
      patienceMs: config.shutdownTimeoutSeconds * 1000,
      receiverOf: ({ botId }) => botId,
      take: (mayTake, busy) => this.deliveries.take(mayTake, busy),
      carryOut: (delivery, signal) => this.carryOut(delivery, signal),
    });
  }

  onApplicationBootstrap(): void {
    if (!this.purpose.isServer) return;
    this.end = this.expected.deliver(this.loop, (expect) => this.triggers.onTrigger(expect));
  }

  async onModuleDestroy(): Promise<void> {
    await this.end();
  }

  /** Takes up what is due. Resolves once everything that this node has in hand is done. */
  deliver(): Promise<void> {
    return this.loop.deliver();
  }

  private async carryOut(delivery: HeldDelivery, signal: AbortSignal): Promise<void> {
    const notification = await this.notifications.find(delivery);
    if (!notification) return this.deliveries.finish(delivery);
    if (delivery.reply !== null) return this.reply(delivery, notification, delivery.reply);
    const { service, bot, message } = notification;
    const outcome = await this.webhooks.call(service, bot, message, signal);
    if (outcome.kind === 'failed') return this.fail(delivery, outcome, signal);
    if (outcome.reply === null) return this.deliveries.finish(delivery);
    if (await this.deliveries.keepReply(delivery, outcome.reply)) {
      await this.reply(delivery, notification, outcome.reply);
    }
  }

  private async reply(
    delivery: HeldDelivery,
    notification: WebhookNotification,
    content: string,
  ): Promise<void> {
    const refusal = await this.replies.send(delivery, notification, content);
    if (refusal !== null) await this.tellOwner(delivery, `the bot may not say what it answered: ${refusal}`);
    await this.deliveries.finish(delivery);
  }

  private async fail(
    delivery: HeldDelivery,
    outcome: CallOutcome & { kind: 'failed' },
    signal: AbortSignal,
  ): Promise<void> {
    if (signal.aborted) return this.deliveries.release(delivery);
    if (outcome.isPassing && (await this.deliveries.retry(delivery))) return;
    await this.tellOwner(delivery, outcome.reason, outcome.answer);
    await this.deliveries.finish(delivery);
  }

  private tellOwner({ botId, messageId }: HeldDelivery, reason: string, answer?: string): Promise<void> {
    return this.notices.tell(botId, 'webhook', ({ fullName }) => {
      const failure = `The webhook of your bot **${fullName}** could not be told of message ${messageId}: ${reason}.`;
      return answer === undefined ? failure : `${failure} It answered:\n\n${quoted(answer)}`;
    });
  }
}

/** A block of code around what somebody else wrote, with a fence that it does not contain. */
function quoted(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/[`~]+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text.replaceAll('\u0000', '')}\n${fence}`;
}
