import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import type { Transaction } from '../../../platform/database/transaction.service';
import { defineJob } from '../../../platform/jobs/job';
import { Jobs } from '../../../platform/jobs/jobs.service';
import type { Queryable } from '../../../platform/sql/queryable';
import { ScheduledMessage } from './scheduled-message.entity';
import {
  ScheduledMessageNotFound,
  ScheduledMessagesTooLarge,
  TooManyScheduledMessages,
} from './scheduled-messages.api';

/** Sends a scheduled message. Its key is the ID of that, its group the sender. */
export const scheduledDelivery = defineJob<null>('scheduled_message');

/** Every registering client gets all of them. */
const MAX_MESSAGES = 500;

/** Characters of Markdown and HTML together. */
const MAX_CHARACTERS = 4_000_000;

type Owner = Pick<Actor, 'userId'>;

/** The rows of scheduled messages, and the jobs that send them. */
@Injectable()
export class ScheduledMessageRowsService {
  constructor(private readonly jobs: Jobs) {}

  /** What is due first comes first. */
  of(db: Queryable, { userId }: Owner): Promise<ScheduledMessage[]> {
    const order = { deliverAt: 'ASC', id: 'ASC' } as const;
    return db.repository(ScheduledMessage).find({ where: { userId }, order });
  }

  /** @throws ScheduledMessageNotFound */
  async own(db: Queryable, { userId }: Owner, id: number): Promise<ScheduledMessage> {
    const message = await db.repository(ScheduledMessage).findOneBy({ id, userId });
    if (!message) throw new ScheduledMessageNotFound();
    return message;
  }

  /** Keeps it from being sent until the transaction ends. @throws ScheduledMessageNotFound */
  async lock(tx: Transaction, owner: Owner, id: number): Promise<ScheduledMessage> {
    if (tx.engine === 'postgres') {
      await tx.query('SELECT id FROM scheduled_message WHERE id = ? FOR UPDATE', [id]);
    }
    return this.own(tx, owner, id);
  }

  /**
   * Writes it, new or changed, and has it sent at its time.
   * @throws TooManyScheduledMessages, ScheduledMessagesTooLarge
   */
  async schedule(
    tx: Transaction,
    message: Omit<ScheduledMessage, 'id'> & Partial<Pick<ScheduledMessage, 'id'>>,
  ): Promise<ScheduledMessage> {
    const saved = await tx.repository(ScheduledMessage).save(message);
    await checkRoom(tx, saved.userId);
    await this.jobs.enqueue(tx, {
      kind: scheduledDelivery,
      key: String(saved.id),
      group: String(saved.userId),
      data: null,
      dueAt: saved.deliverAt * 1000,
    });
    return saved;
  }

  /** Removes them, so that they are not sent. */
  async remove(tx: Transaction, ids: readonly number[]): Promise<void> {
    await this.jobs.cancel(tx, scheduledDelivery, ids.map(String));
    if (ids.length > 0) await tx.repository(ScheduledMessage).delete([...ids]);
  }
}

async function checkRoom(tx: Transaction, userId: number): Promise<void> {
  const { messages, characters } = await tx.queryOne<{ messages: number; characters: number }>(
    `SELECT COUNT(*) AS messages, SUM(LENGTH(content) + LENGTH(rendered_content)) AS characters
     FROM scheduled_message WHERE user_id = ?`,
    [userId],
  );
  if (Number(messages) > MAX_MESSAGES) throw new TooManyScheduledMessages(MAX_MESSAGES);
  if (Number(characters) > MAX_CHARACTERS) throw new ScheduledMessagesTooLarge();
}
