import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import { Database } from '../../../platform/database/database.service';
import { TransactionService } from '../../../platform/database/transaction.service';
import { Directories } from '../../../platform/events/directories';
import { defineJob, type RunningJob, UnrecoverableError } from '../../../platform/jobs/job';
import { Jobs } from '../../../platform/jobs/jobs.service';
import type { MessageRow } from '../../messages/messages.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { LastActivityService } from '../../presence/presence.module';
import { AccountDirectory, type AccountRecord, personalSetting } from '../../users/users.module';
import { PushContent } from './push-content.service';
import { PushSender } from './push-sender.service';
import { PushSubscriptions } from './push-subscriptions.service';

/** A notification on its way to one browser. */
interface PushDelivery {
  readonly subscriptionId: number;
  readonly userId: number;
  readonly messageId: number;
  /** How often it was postponed because the user was active. */
  readonly putOff: number;
}

/**
 * Notifies one browser. Its group is the user, its key the subscription and the conversation: a newer message replaces an
 * older one.
 */
const pushDelivery = defineJob<PushDelivery>('web_push');

const CALLS_AT_ONCE = 32;

/** Small enough that users with unresponsive push services leave room for others. */
const CALLS_PER_USER = 4;

const RETRY_AFTER_MS = [10_000, 60_000, 300_000, 1_800_000];

/** A user who is active this many times in a row has seen the message. */
const MAX_PUT_OFF = 4;

/** Notifies browsers of messages. */
@Injectable()
export class DeliverPush {
  constructor(
    private readonly jobs: Jobs,
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly directories: Directories,
    private readonly accounts: AccountDirectory,
    private readonly organization: OrganizationDirectory,
    private readonly content: PushContent,
    private readonly subscriptions: PushSubscriptions,
    private readonly activity: LastActivityService,
    private readonly sender: PushSender,
    private readonly clock: Clock,
  ) {
    jobs.handle(pushDelivery, {
      work: (job) => this.deliver(job),
      retry: { delaysMs: RETRY_AFTER_MS },
      timeoutMs: 30_000,
      concurrency: CALLS_AT_ONCE,
      groupConcurrency: CALLS_PER_USER,
      leavesMachine: true,
    });
  }

  /** Enqueues a delivery for each browser of the users. Running it again replaces the deliveries. */
  async enqueue(message: MessageRow, userIds: readonly number[]): Promise<void> {
    if (userIds.length === 0) return;
    const { id: messageId, topicId, conversationId } = message;
    const rows = await this.subscriptions.idsOf(userIds);
    const place = topicId === null ? `d${conversationId}` : `t${topicId}`;
    await this.transactions.run(async (tx) => {
      for (const { id: subscriptionId, userId } of rows) {
        const data = { subscriptionId, userId, messageId, putOff: 0 };
        const key = `${subscriptionId} ${place}`;
        await this.jobs.enqueue(tx, { kind: pushDelivery, group: String(userId), key, data });
      }
    });
  }

  private async deliver(job: RunningJob<PushDelivery>): Promise<void> {
    const { subscriptionId, userId, messageId } = job.data;
    await this.directories.catchUp();
    const account = this.accounts.byId(userId);
    if (!account?.isActive || this.organization.isDeactivated) return;
    const payload = await this.content.of(this.database.read, account, messageId);
    if (!payload || (await this.isPostponed(job, account))) return;
    const subscription = await this.subscriptions.find(subscriptionId);
    if (!subscription || subscription.quietUntil > this.clock.nowSeconds()) return;
    const outcome = await this.sender.send(subscription, payload, job.signal);
    if (outcome.kind === 'gone') await this.subscriptions.forget(subscription);
    if (outcome.kind !== 'failed') return;
    if (!outcome.isPassing) throw new UnrecoverableError(outcome.reason);
    throw new Error(outcome.reason);
  }

  /**
   * While a user is active, the open page notifies them. Once they are away, unread messages are pushed; users who want
   * push notifications while online receive them in either case.
   */
  private async isPostponed(job: RunningJob<PushDelivery>, account: AccountRecord): Promise<boolean> {
    const awayAt = await this.activity.offlineAt(this.database.read, account.id);
    if (awayAt === null) return false;
    const { data, key, group } = job;
    const isWanted = personalSetting(account.settings, 'enable_online_push_notifications');
    if (data.putOff > 0 && isWanted) return false;
    if (data.putOff >= MAX_PUT_OFF || key === null) return true;
    await this.transactions.run(async (tx) => {
      // Unless a newer message of the conversation has replaced this one.
      if (!(await job.complete(tx))) return;
      const dueAt = awayAt * 1000;
      await this.jobs.enqueue(tx, {
        kind: pushDelivery,
        group,
        key,
        data: { ...data, putOff: data.putOff + 1 },
        dueAt,
      });
    });
    return true;
  }
}
