import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { ReadRepository } from '../../../platform/database/read-source';
import { THE_SERVER } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { ApiError } from '../../../platform/errors/api-error';
import { CallerDeactivated, OrganizationDeactivated } from '../../../platform/errors/shared.errors';
import { Audience } from '../../../platform/events/audience';
import type { RunningJob } from '../../../platform/jobs/job';
import { Jobs } from '../../../platform/jobs/jobs.service';
import {
  MessageRendererService,
  SendMessageService,
  SystemMessageService,
} from '../../messages/messages.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { AccountDirectory, actorOf } from '../../users/users.module';
import { requestOf, scheduledDelivery, ScheduledMessageRowsService } from './scheduled-message-rows.service';
import { ScheduledMessage } from '../drafts.entity';
import {
  scheduledMessageRemoved,
  scheduledMessageUpdated,
  scheduledMessageWire,
} from './scheduled-messages.api';

/** Messages that are later than this are not sent, as they may no longer be appropriate. */
const MAX_DELAY_SECONDS = 600;

type Delivery = RunningJob<null>;

/** The message was edited, deleted or sent elsewhere in the meantime, so this attempt must change nothing. */
class NoLongerOurs extends Error {}

/**
 * Sends messages at their time, and removes them from the schedule in the same transaction, so that each is sent once.
 * Permissions are checked as if the sender sent the message then.
 */
@Injectable()
export class DeliverScheduledService {
  constructor(
    @InjectRepository(ScheduledMessage) private readonly messages: ReadRepository<ScheduledMessage>,
    private readonly rows: ScheduledMessageRowsService,
    private readonly transactions: TransactionService,
    private readonly sending: SendMessageService,
    private readonly notices: SystemMessageService,
    private readonly renderer: MessageRendererService,
    private readonly accounts: AccountDirectory,
    private readonly organization: OrganizationDirectory,
    private readonly clock: Clock,
    jobs: Jobs,
  ) {
    jobs.handle(scheduledDelivery, {
      work: (job) => this.deliver(job),
      failed: (job) => this.failLoaded(job, 'Internal server error'),
      retry: { delaysMs: [1_000, 5_000, 30_000] },
      timeoutMs: 30_000,
      concurrency: 4,
      // One at a time, so that messages of one sender arrive in order.
      groupConcurrency: 1,
    });
  }

  private async deliver(job: Delivery): Promise<void> {
    const message = await this.load(job);
    if (!message) return;
    const sender = this.accounts.existing(message.userId);
    if (this.organization.isDeactivated) return this.failWhileClosed(job, message);
    if (!sender.isActive) return this.failSilently(job, message);
    if (this.clock.nowSeconds() - message.deliverAt > MAX_DELAY_SECONDS) {
      return this.fail(job, message, 'Message could not be sent at the scheduled time.');
    }
    const { channelId, recipientIds, topic, content, isReadBySender, clientName } = message;
    const to = channelId ?? (JSON.parse(recipientIds) as number[]);
    const kind = channelId === null ? 'direct' : 'channel';
    const request = requestOf({ kind, to, topic, content, isReadBySender });
    try {
      await this.sending.send(actorOf(sender, { ...THE_SERVER, clientName }), request, (tx) =>
        this.finish(tx, job, message),
      );
    } catch (error) {
      if (error instanceof NoLongerOurs) return;
      if (error instanceof OrganizationDeactivated) return this.failWhileClosed(job, message);
      if (error instanceof CallerDeactivated) return this.failSilently(job, message);
      // A server that is too busy may succeed in a moment.
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      await this.fail(job, message, error.message);
    }
  }

  /** Null if there is nothing left to send. */
  private load({ key }: Delivery): Promise<ScheduledMessage | null> {
    return this.messages.findOneBy({ id: Number(key), hasFailed: false });
  }

  private async finish(tx: Transaction, job: Delivery, message: ScheduledMessage): Promise<void> {
    const isOurs = await this.rows.noteSent(tx, message, this.clock.nowSeconds());
    if (!isOurs || !(await job.complete(tx))) throw new NoLongerOurs();
    tx.emit(scheduledMessageRemoved({ scheduled_message_id: message.id }), Audience.of([message.userId]));
  }

  private async failLoaded(job: Delivery, reason: string): Promise<void> {
    const message = await this.load(job);
    if (message) await this.fail(job, message, reason);
  }

  /** Notifies the sender, whose message then waits to be rescheduled. */
  private async fail(job: Delivery, message: ScheduledMessage, reason: string): Promise<void> {
    const { userId, deliverAt } = message;
    const content = failureNotice(deliverAt, reason);
    const rendered = await this.renderer.renderFor(actorOf(this.accounts.existing(userId)), content);
    await this.markFailed(job, message, async (tx) => {
      this.showFailed(tx, message);
      await this.notices.sendToPerson(tx, 'notification-bot', userId, { content, rendered });
    });
  }

  /** A deactivated sender finds it after reactivation. */
  private failSilently(job: Delivery, message: ScheduledMessage): Promise<void> {
    return this.markFailed(job, message, async () => undefined);
  }

  /** Clients show that it failed, once they can connect again. */
  private failWhileClosed(job: Delivery, message: ScheduledMessage): Promise<void> {
    return this.markFailed(job, message, async (tx) => this.showFailed(tx, message));
  }

  private showFailed(tx: Transaction, message: ScheduledMessage): void {
    const scheduled_message = scheduledMessageWire({ ...message, hasFailed: true });
    tx.emit(scheduledMessageUpdated({ scheduled_message }), Audience.of([message.userId]));
  }

  private async markFailed(
    job: Delivery,
    { id }: ScheduledMessage,
    tell: (tx: Transaction) => Promise<void>,
  ): Promise<void> {
    try {
      await this.transactions.run(async (tx) => {
        const { affected } = await tx.repository(ScheduledMessage).update({ id }, { hasFailed: true });
        if (affected === 0 || !(await job.complete(tx))) throw new NoLongerOurs();
        await tell(tx);
      });
    } catch (error) {
      if (!(error instanceof NoLongerOurs)) throw error;
    }
  }
}

/** The notice about a message that could not be sent. Some errors contain names chosen by people. */
function failureNotice(deliverAt: number, reason: string): string {
  const time = new Date(deliverAt * 1000).toISOString().replace('.000Z', 'Z');
  return `The message you scheduled for <time:${time}> was not sent because of the following error:

> ${reason.replaceAll('\n', ' ')}

[View scheduled messages](#scheduled)`;
}
