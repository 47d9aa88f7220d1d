import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { ReadRepository } from '../../../platform/database/read-source';
import { Database } from '../../../platform/database/database.service';
import { TransactionService } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import type { RunningJob } from '../../../platform/jobs/job';
import { Jobs } from '../../../platform/jobs/jobs.service';
import { SystemMessageService } from '../../messages/messages.module';
import { ApiError } from '../../../platform/errors/api-error';
import { AccountDirectory, type AccountRecord } from '../../users/users.module';
import { Reminder } from './reminder.entity';
import { reminderDelivery } from './reminder-rows.service';
import { ReminderTextService } from './reminder-text.service';
import { reminderRemoved } from './reminders.api';

type Delivery = RunningJob<null>;

/** The message was deleted once its text was read, so that the reminder says something else now. */
class MessageDeleted extends Error {}

/**
 * Reminds people at the time that they named, or as soon as possible after it; in the same transaction the reminder
 * goes, so that each comes once.
 */
@Injectable()
export class DeliverReminderService {
  constructor(
    private readonly database: Database,
    @InjectRepository(Reminder) private readonly reminders: ReadRepository<Reminder>,
    private readonly transactions: TransactionService,
    private readonly texts: ReminderTextService,
    private readonly notices: SystemMessageService,
    private readonly accounts: AccountDirectory,
    jobs: Jobs,
  ) {
    jobs.handle(reminderDelivery, {
      work: (job) => this.deliver(job),
      failed: (job) => this.markFailed(job),
      retry: { delaysMs: [1_000, 5_000, 30_000] },
      timeoutMs: 30_000,
      concurrency: 4,
      groupConcurrency: 1,
    });
  }

  private async deliver(job: Delivery): Promise<void> {
    const id = Number(job.key);
    const reminder = await this.reminders.findOneBy({ id, hasFailed: false });
    if (!reminder) return;
    const { userId } = reminder;
    const person = this.accounts.existing(userId);
    if (!person.isActive) return this.markFailed(job);
    const text = await this.textOf(reminder, person);
    try {
      await this.transactions.run(async (tx) => {
        if (!(await job.complete(tx))) return;
        const { affected } = await tx.repository(Reminder).delete({ id, content: reminder.content });
        if (affected === 0) throw new MessageDeleted();
        await this.notices.sendToPerson(tx, 'notification-bot', userId, text);
        tx.emit(reminderRemoved({ reminder_id: id }), Audience.of([userId]));
      });
    } catch (error) {
      if (!(error instanceof MessageDeleted)) throw error;
      await this.deliver(job);
    }
  }

  /** What the message says now, or what it said when the reminder was made if it is out of reach. */
  private async textOf(reminder: Reminder, { id, role }: AccountRecord) {
    const reader = { userId: id, role };
    try {
      const { targetMessageId, note } = reminder;
      return await this.texts.write(this.database.read, reader, targetMessageId, note);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      return this.texts.rendered(reader, reminder.content);
    }
  }

  /** No notification: a deactivated user finds it after reactivation. */
  private async markFailed(job: Delivery): Promise<void> {
    await this.transactions.run(async (tx) => {
      if (!(await job.complete(tx))) return;
      await tx.repository(Reminder).update({ id: Number(job.key) }, { hasFailed: true });
    });
  }
}
