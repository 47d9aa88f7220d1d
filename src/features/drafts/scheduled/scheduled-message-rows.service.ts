import { Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';
import {
  NoChannelId,
  NoRecipientIds,
  ScheduledMessageNotFound,
  ScheduledMessageSent,
  ScheduledMessagesTooLarge,
  TooManyScheduledMessages,
} from './scheduled-messages.api';
import type { Actor } from '../../../platform/actor';
import type { Transaction } from '../../../platform/database/transaction.service';
import { defineJob } from '../../../platform/jobs/job';
import { Jobs } from '../../../platform/jobs/jobs.service';
import type { Queryable } from '../../../platform/sql/queryable';
import { type SendMessageRequest, SendMessageService, showAsUploaded } from '../../messages/messages.module';
import { ScheduledMessage, SentScheduledMessage } from '../drafts.entity';

/** Sends a scheduled message. Its key is the ID of the message, its group the sender. */
export const scheduledDelivery = defineJob<null>('scheduled_message');

/** How long sent messages are remembered. */
const SENT_SECONDS = 30 * 86_400;

/** Limits per person; all scheduled messages are part of the initial state. Characters include Markdown and HTML. */
export const SCHEDULED_OF_PERSON = { count: 500, characters: 4_000_000 };

type Owner = Pick<Actor, 'userId'>;

/** The rows of scheduled messages, and the jobs that send them. */
@Injectable()
export class ScheduledMessageRowsService {
  constructor(private readonly jobs: Jobs) {}

  /** Ordered by due time. */
  of(db: Queryable, { userId }: Owner): Promise<ScheduledMessage[]> {
    const order = { deliverAt: 'ASC', id: 'ASC' } as const;
    return db.repository(ScheduledMessage).find({ where: { userId }, order });
  }

  /** @throws ScheduledMessageNotFound, ScheduledMessageSent */
  async own(db: Queryable, { userId }: Owner, id: number): Promise<ScheduledMessage> {
    const message = await db.repository(ScheduledMessage).findOneBy({ id, userId });
    if (message) return message;
    const isSent = await db.repository(SentScheduledMessage).existsBy({ id, userId });
    throw isSent ? new ScheduledMessageSent() : new ScheduledMessageNotFound();
  }

  /** Prevents it from being sent until the transaction ends. @throws ScheduledMessageNotFound, ScheduledMessageSent */
  async lock(tx: Transaction, owner: Owner, id: number): Promise<ScheduledMessage> {
    if (tx.engine === 'postgres') {
      await tx.query('SELECT id FROM scheduled_message WHERE id = ? FOR UPDATE', [id]);
    }
    return this.own(tx, owner, id);
  }

  /**
   * Stores a new or changed message, and schedules its delivery.
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

  /** Stores a message that could not be sent in time, until its author reschedules it. */
  async keepUnsent(tx: Transaction, message: Omit<ScheduledMessage, 'id' | 'hasFailed'>): Promise<void> {
    await tx.repository(ScheduledMessage).save({ ...message, hasFailed: true });
  }

  /** Records that it was sent. @returns false if it no longer exists */
  async noteSent(tx: Transaction, { id, userId }: ScheduledMessage, sentAt: number): Promise<boolean> {
    const { affected } = await tx.repository(ScheduledMessage).delete({ id });
    if (affected === 0) return false;
    const sent = tx.repository(SentScheduledMessage);
    await sent.delete({ userId, sentAt: LessThan(sentAt - SENT_SECONDS) });
    await sent.insert({ id, userId, sentAt });
    return true;
  }

  /** Deletes the record of a sent message. @throws ScheduledMessageNotFound */
  async forgetSent(tx: Transaction, { userId }: Owner, id: number): Promise<void> {
    const { affected } = await tx.repository(SentScheduledMessage).delete({ id, userId });
    if (affected === 0) throw new ScheduledMessageNotFound();
  }

  /** Deletes everything that an account scheduled, so that nothing is sent. @returns how many */
  async removeAll(tx: Transaction, userId: number): Promise<number> {
    const own = await this.of(tx, { userId });
    await this.remove(
      tx,
      own.map(({ id }) => id),
    );
    await tx.repository(SentScheduledMessage).delete({ userId });
    return own.length;
  }

  /** Deletes messages, so that they are not sent. */
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
  if (Number(messages) > SCHEDULED_OF_PERSON.count)
    throw new TooManyScheduledMessages(SCHEDULED_OF_PERSON.count);
  if (Number(characters) > SCHEDULED_OF_PERSON.characters) throw new ScheduledMessagesTooLarge();
}

/** A message to schedule. */
export interface WantedMessage {
  readonly kind: 'channel' | 'direct';
  /** A channel, or people. */
  readonly to: number | readonly number[];
  readonly topic?: string;
  /** Markdown. */
  readonly content: string;
  /** By default the client decides; messages to oneself are unread. */
  readonly isReadBySender?: boolean;
}

/** The properties of a scheduled message that result from the check. */
type CheckedMessage = Pick<
  ScheduledMessage,
  'channelId' | 'recipientIds' | 'topic' | 'content' | 'renderedContent' | 'isReadBySender'
>;

/** Checks whether a scheduled message could be sent now, and renders it. */
@Injectable()
export class CheckScheduledService {
  constructor(private readonly sending: SendMessageService) {}

  /** @throws NoChannelId, NoRecipientIds, and the errors of sending */
  async check(actor: Actor, wanted: WantedMessage): Promise<CheckedMessage> {
    const { to, isReadBySender } = wanted;
    if (wanted.kind === 'channel' && typeof to !== 'number') throw new NoChannelId();
    if (wanted.kind === 'direct' && typeof to === 'number') throw new NoRecipientIds();
    const { place, message } = await this.sending.check(actor, requestOf(wanted));
    const others = 'memberIds' in place ? place.memberIds.filter((id) => id !== actor.userId) : [];
    const isAlone = 'memberIds' in place && others.length === 0;
    return {
      channelId: 'memberIds' in place ? null : place.channelId,
      recipientIds: JSON.stringify(isAlone ? [actor.userId] : others),
      topic: 'memberIds' in place ? '' : place.topic,
      content: message.content,
      // Rendered again when it is sent.
      renderedContent: showAsUploaded(message.rendered.html),
      isReadBySender: isReadBySender ?? (!isAlone && message.readBy.has(actor.userId)),
    };
  }
}

/** The request that sends it. */
export function requestOf({ kind, to, topic, content, isReadBySender }: WantedMessage): SendMessageRequest {
  return {
    kind,
    to: JSON.stringify(to),
    topic,
    content: { content, isReadBySender },
    isMirrored: false,
    isForged: false,
  };
}
