import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Config } from '../../platform/config/config';
import { EventLogReader } from '../../platform/events/event-log-reader';
import { ProcessPurpose } from '../../platform/lifecycle/process-purpose';
import { BotOwnerNoticeService } from '../messages/bot-owner-notice.service';
import { CallWebhookService, type CallOutcome } from './call-webhook.service';
import { WebhookDeliveriesService, type HeldDelivery } from './webhook-deliveries.service';
import { type WebhookErrand, WebhookErrandService } from './webhook-errand.service';
import { WebhookReplyService } from './webhook-reply.service';
import { WebhookTriggersService } from './webhook-triggers.service';

/** How many webhooks one node waits for at once, and how many times for the one of a single bot. */
const MAX_CALLS = 32;
const MAX_CALLS_OF_BOT = 4;

/** Calls that failed, and what other nodes left behind, come up again by themselves. */
const INTERVAL_MS = 5_000;

/**
 * Tells webhooks of messages once those are sent. Each delivery is a row, written with its message, and one node takes it
 * in hand; if that node dies, another one does so after a while. So no message is forgotten, and a webhook hears of one
 * twice only when a node dies while it calls.
 */
@Injectable()
export class DeliverWebhooksService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('OutgoingWebhooks');
  private readonly calls = new Map<HeldDelivery, Promise<void>>();
  private readonly stopping = new AbortController();
  /** Messages that webhooks have to be told of, as soon as they are in the log. */
  private readonly expected = new Set<number>();
  private looking: Promise<void> | null = null;
  private isStopping = false;
  private shouldLookAgain = false;
  private timer: NodeJS.Timeout | undefined;
  private endReading: () => void = () => undefined;

  constructor(
    private readonly config: Config,
    private readonly log: EventLogReader,
    private readonly triggers: WebhookTriggersService,
    private readonly deliveries: WebhookDeliveriesService,
    private readonly errands: WebhookErrandService,
    private readonly webhooks: CallWebhookService,
    private readonly replies: WebhookReplyService,
    private readonly notices: BotOwnerNoticeService,
    private readonly purpose: ProcessPurpose,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.purpose.isServer) return;
    this.triggers.onTrigger((messageId) => this.expected.add(messageId));
    this.endReading = this.log.onRows((rows) => {
      if (this.expected.size === 0) return;
      const isExpected = ({ type, message }: { type: string; message?: unknown }) =>
        type === 'message' && this.expected.delete((message as { id: number }).id);
      if (rows.filter(({ event }) => isExpected(event)).length > 0) this.look();
    });
    this.timer = setInterval(() => {
      // Those that were never sent after all.
      this.expected.clear();
      this.look();
    }, INTERVAL_MS).unref();
    this.look();
  }

  /** Lets calls under way come to their end for a while, and leaves the others to whoever comes next. */
  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.timer);
    this.endReading();
    await this.looking;
    const ended = new AbortController();
    const patience = pause(this.config.shutdownTimeoutSeconds * 1000, null, { signal: ended.signal });
    await Promise.race([this.settled(), patience.catch(() => undefined)]);
    ended.abort();
    this.stopping.abort();
    await this.settled();
  }

  /** Takes up what is due. Resolves once everything that this node has in hand is done. */
  async deliver(): Promise<void> {
    this.look();
    await this.settled();
  }

  private async settled(): Promise<void> {
    while (this.looking || this.calls.size > 0) {
      await this.looking;
      await Promise.all(this.calls.values());
    }
  }

  private look(): void {
    this.shouldLookAgain = true;
    this.looking ??= this.takeAll()
      .catch((error: unknown) => this.logger.error(error))
      .finally(() => (this.looking = null));
  }

  private async takeAll(): Promise<void> {
    while (this.shouldLookAgain && !this.isStopping) {
      this.shouldLookAgain = false;
      const room = new Map<number, number>();
      for (const { botId } of this.calls.keys()) {
        room.set(botId, (room.get(botId) ?? MAX_CALLS_OF_BOT) - 1);
      }
      let free = MAX_CALLS - this.calls.size;
      if (free <= 0) return;
      const busy = [...room].filter(([, left]) => left <= 0).map(([botId]) => botId);
      const mayTake = (botId: number): boolean => {
        const left = room.get(botId) ?? MAX_CALLS_OF_BOT;
        if (left <= 0 || free <= 0) return false;
        room.set(botId, left - 1);
        free -= 1;
        return true;
      };
      for (const delivery of await this.deliveries.take(mayTake, busy)) this.start(delivery);
    }
  }

  private start(delivery: HeldDelivery): void {
    const work = this.carryOut(delivery)
      .catch((error: unknown) => this.logger.error(error))
      .finally(() => {
        this.calls.delete(delivery);
        if (!this.isStopping) this.look();
      });
    this.calls.set(delivery, work);
  }

  private async carryOut(delivery: HeldDelivery): Promise<void> {
    const errand = await this.errands.find(delivery);
    if (!errand) return this.deliveries.finish(delivery);
    if (delivery.reply !== null) return this.reply(delivery, errand, delivery.reply);
    const { service, bot, message } = errand;
    const outcome = await this.webhooks.call(service, bot, message, this.stopping.signal);
    if (outcome.kind === 'failed') return this.fail(delivery, outcome);
    if (outcome.reply === null) return this.deliveries.finish(delivery);
    if (await this.deliveries.keepReply(delivery, outcome.reply)) {
      await this.reply(delivery, errand, outcome.reply);
    }
  }

  private async reply(delivery: HeldDelivery, errand: WebhookErrand, content: string): Promise<void> {
    const refusal = await this.replies.send(delivery, errand, content);
    if (refusal !== null) await this.tellOwner(delivery, `the bot may not say what it answered: ${refusal}`);
    await this.deliveries.finish(delivery);
  }

  private async fail(delivery: HeldDelivery, outcome: CallOutcome & { kind: 'failed' }): Promise<void> {
    if (this.stopping.signal.aborted) return this.deliveries.letGo(delivery);
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
