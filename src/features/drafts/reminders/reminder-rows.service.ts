import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import type { Transaction } from '../../../platform/database/transaction.service';
import { defineJob } from '../../../platform/jobs/job';
import { Jobs } from '../../../platform/jobs/jobs.service';
import type { Queryable } from '../../../platform/sql/queryable';
import { Reminder } from './reminder.entity';
import { ReminderNotFound, RemindersTooLarge, TooManyReminders } from './reminders.api';

/** Job that delivers a reminder. Its key is the ID of the reminder, its group the person. */
export const reminderDelivery = defineJob<null>('reminder');

/** Every registering client gets all of them. */
const MAX_REMINDERS = 500;

/** Characters of Markdown and HTML together. */
const MAX_CHARACTERS = 4_000_000;

type Owner = Pick<Actor, 'userId'>;

/** The rows of reminders, and the jobs that deliver them. */
@Injectable()
export class ReminderRowsService {
  constructor(private readonly jobs: Jobs) {}

  /** What is due first comes first. */
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

  /** Waits for a delivery under way, which has the job first as well. @throws ReminderNotFound */
  async remove(tx: Transaction, { userId }: Owner, id: number): Promise<void> {
    await this.jobs.cancel(tx, reminderDelivery, [String(id)]);
    const { affected } = await tx.repository(Reminder).delete({ id, userId });
    if (affected === 0) throw new ReminderNotFound();
  }

  async removeAll(tx: Transaction, owner: Owner): Promise<void> {
    for (const { id } of await this.of(tx, owner)) await this.remove(tx, owner, id);
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
