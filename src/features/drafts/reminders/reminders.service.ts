import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { ReminderTextService } from './reminder-text.service';
import {
  MAX_NOTE_LENGTH,
  NoteTooLong,
  ReminderNotFound,
  reminderRemoved,
  remindersAdded,
  RemindersTooLarge,
  reminderWire,
  type ReminderWire,
  TooManyReminders,
} from './reminders.api';
import type { Actor } from '../../../platform/actor';
import { initialState, stateFor } from '../../../platform/client-state/initial-state.hooks';
import { Clock } from '../../../platform/clock';
import { Database } from '../../../platform/database/database.service';
import type { ReadRepository } from '../../../platform/database/read-source';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { ApiError } from '../../../platform/errors/api-error';
import { Audience } from '../../../platform/events/audience';
import { Hooks } from '../../../platform/hooks/hooks';
import { codePointLength } from '../../../platform/http/parameters/text';
import { defineJob, type RunningJob } from '../../../platform/jobs/job';
import { Jobs } from '../../../platform/jobs/jobs.service';
import type { Queryable } from '../../../platform/sql/queryable';
import {
  MessageAccess,
  MessageRowsService,
  showAsUploaded,
  SystemMessageService,
} from '../../messages/messages.module';
import {
  AccountDirectory,
  type AccountRecord,
  contentErased,
  OwnTransactions,
  personalDataRemoved,
} from '../../users/users.module';
import { Reminder } from '../drafts.entity';
import { DeliveryTimeNotInFuture } from '../scheduled/scheduled-messages.api';

/** Job that delivers a reminder. Its key is the ID of the reminder, its group the person. */
export const reminderDelivery = defineJob<null>('reminder');

/** Maximum number of reminders per person; all of them are part of the initial state. */
const MAX_REMINDERS = 500;

/** Characters of Markdown and HTML together. */
const MAX_CHARACTERS = 4_000_000;

type Owner = Pick<Actor, 'userId'>;

/** The rows of reminders, and the jobs that deliver them. */
@Injectable()
export class ReminderRowsService {
  constructor(private readonly jobs: Jobs) {}

  /** Ordered by due time. */
  of(db: Queryable, { userId }: Owner): Promise<Reminder[]> {
    const order = { deliverAt: 'ASC', id: 'ASC' } as const;
    return db.repository(Reminder).find({ where: { userId }, order });
  }

  /** @throws TooManyReminders, RemindersTooLarge */
  async add(tx: Transaction, reminder: Omit<Reminder, 'id'>): Promise<Reminder> {
    const saved = await tx.repository(Reminder).save(reminder);
    await checkRoom(tx, saved.userId);
    await this.jobs.enqueue(tx, {
      kind: reminderDelivery,
      key: String(saved.id),
      group: String(saved.userId),
      data: null,
      dueAt: saved.deliverAt * 1000,
    });
    return saved;
  }

  /** Waits for a delivery in progress, which locks the job first as well. @throws ReminderNotFound */
  async remove(tx: Transaction, { userId }: Owner, id: number): Promise<void> {
    await this.jobs.cancel(tx, reminderDelivery, [String(id)]);
    const { affected } = await tx.repository(Reminder).delete({ id, userId });
    if (affected === 0) throw new ReminderNotFound();
  }

  /** @returns how many there were */
  async removeAll(tx: Transaction, owner: Owner): Promise<number> {
    const own = await this.of(tx, owner);
    for (const { id } of own) await this.remove(tx, owner, id);
    return own.length;
  }
}

async function checkRoom(tx: Transaction, userId: number): Promise<void> {
  const { reminders, characters } = await tx.queryOne<{ reminders: number; characters: number }>(
    `SELECT COUNT(*) AS reminders, SUM(LENGTH(content) + LENGTH(rendered_content)) AS characters
     FROM reminder WHERE user_id = ?`,
    [userId],
  );
  if (Number(reminders) > MAX_REMINDERS) throw new TooManyReminders(MAX_REMINDERS);
  if (Number(characters) > MAX_CHARACTERS) throw new RemindersTooLarge();
}

/** A requested reminder. */
interface NewReminder {
  readonly messageId: number;
  /** UNIX seconds. */
  readonly deliverAt: number;
  /** Empty for none. */
  readonly note: string;
}

/** Creates, lists and deletes reminders of messages. */
@Injectable()
export class RemindersService {
  constructor(
    private readonly database: Database,
    private readonly transactions: OwnTransactions,
    private readonly rows: ReminderRowsService,
    private readonly texts: ReminderTextService,
    private readonly access: MessageAccess,
    private readonly messageRows: MessageRowsService,
    private readonly clock: Clock,
    hooks: Hooks,
  ) {
    hooks.on(
      initialState,
      stateFor('reminders', async (db, { reader }) => ({
        reminders: reader ? (await rows.of(db, reader)).map(reminderWire) : [],
      })),
    );
    hooks.on(
      initialState,
      stateFor([], () => ({ max_reminder_note_length: MAX_NOTE_LENGTH })),
    );
    hooks.on(personalDataRemoved, async (tx, userId) => {
      await rows.removeAll(tx, { userId });
    });
    hooks.on(contentErased, async (tx, userId) => ({ reminders: await rows.removeAll(tx, { userId }) }));
  }

  /** Ordered by due time. */
  async list(actor: Actor): Promise<ReminderWire[]> {
    return (await this.rows.of(this.database.read, actor)).map(reminderWire);
  }

  /** @returns its ID @throws DeliveryTimeNotInFuture, InvalidMessage, NoteTooLong, and the errors of limits */
  async add(actor: Actor, { messageId, deliverAt, note: written }: NewReminder): Promise<number> {
    if (deliverAt * 1000 <= this.clock.nowMs()) throw new DeliveryTimeNotInFuture();
    const note = written.trimEnd().replace(/^\n+/, '');
    const { content, rendered } = await this.texts.write(this.database.read, actor, messageId, note);
    if (codePointLength(note) > MAX_NOTE_LENGTH) throw new NoteTooLong(MAX_NOTE_LENGTH);
    return this.transactions.run(actor, async (tx) => {
      // From now on, a deletion finds the reminder and removes the content from it.
      await this.messageRows.lock(tx, messageId);
      await this.access.forReading(tx, actor, messageId);
      const reminder = await this.rows.add(tx, {
        userId: actor.userId,
        targetMessageId: messageId,
        note,
        content,
        renderedContent: showAsUploaded(rendered.html),
        deliverAt,
        hasFailed: false,
      });
      tx.emit(remindersAdded({ reminders: [reminderWire(reminder)] }), Audience.of([actor.userId]));
      return reminder.id;
    });
  }

  /** @throws ReminderNotFound */
  remove(actor: Actor, id: number): Promise<void> {
    return this.transactions.run(actor, async (tx) => {
      await this.rows.remove(tx, actor, id);
      tx.emit(reminderRemoved({ reminder_id: id }), Audience.of([actor.userId]));
    });
  }
}

type Delivery = RunningJob<null>;

/** The message was deleted after its text was read, so the reminder has a different text now. */
class MessageDeleted extends Error {}

/**
 * Delivers reminders at their time, or as soon as possible afterwards, and deletes them in the same transaction, so
 * that each is delivered once.
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

  /** The current text of the message, or that of the reminder's creation if the message is no longer accessible. */
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

  /** Without a notification: a deactivated user finds it after reactivation. */
  private async markFailed(job: Delivery): Promise<void> {
    await this.transactions.run(async (tx) => {
      if (!(await job.complete(tx))) return;
      await tx.repository(Reminder).update({ id: Number(job.key) }, { hasFailed: true });
    });
  }
}
