import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { groupBy } from '../../platform/collections';
import type { Transaction } from '../../platform/database/transaction.service';
import { Hooks } from '../../platform/hooks/hooks';
import type { Queryable } from '../../platform/sql/queryable';
import { messageFields, messagesDeleted, type SubmessageWire } from '../messages';
import { Submessage } from './submessage.entity';
import { TooManySubmessages } from './widgets.errors';

/** For each message; they are in every record of it, and hundreds of records are read at once. */
const MAX_SUBMESSAGES = 5_000;
const MAX_CHARACTERS = 250_000;

/** What a message is, by what is attached to it. */
interface AttachedWidget {
  /** Whether the sender of the message has attached anything, so that others may. */
  readonly isBegun: boolean;
  /** Null where it is none. */
  readonly type: string | null;
}

/** What is attached to messages, and is part of their records. */
@Injectable()
export class SubmessageRowsService {
  constructor(hooks: Hooks) {
    hooks.on(messageFields, async (db, messages) => {
      const rows = await this.of(
        db,
        messages.map(({ id }) => id),
      );
      const byMessage = groupBy(rows, ({ message_id: messageId }) => messageId);
      return new Map([...byMessage].map(([id, submessages]) => [id, { submessages }]));
    });
    hooks.on(messagesDeleted, async (tx, messageIds) => {
      await tx.repository(Submessage).delete({ messageId: In([...messageIds]) });
    });
  }

  /** Whether anything is attached to the message. */
  hasAny(db: Queryable, messageId: number): Promise<boolean> {
    return db.repository(Submessage).existsBy({ messageId });
  }

  /** @throws TooManySubmessages */
  async add(tx: Transaction, submessage: Omit<Submessage, 'id'>): Promise<SubmessageWire> {
    const { id } = await tx.repository(Submessage).save({ ...submessage });
    const { count, characters } = await tx.queryOne<{ count: number; characters: number }>(
      'SELECT COUNT(*) AS count, SUM(LENGTH(content)) AS characters FROM submessage WHERE message_id = ?',
      [submessage.messageId],
    );
    if (Number(count) > MAX_SUBMESSAGES || Number(characters) > MAX_CHARACTERS)
      throw new TooManySubmessages();
    const { messageId: message_id, senderId: sender_id, msgType: msg_type, content } = submessage;
    return { id, message_id, sender_id, msg_type, content };
  }

  /** @param senderId who sent the message */
  async widgetOf(db: Queryable, messageId: number, senderId: number): Promise<AttachedWidget> {
    const where = { messageId };
    const [first] = await db
      .repository(Submessage)
      .find({ where: { ...where, msgType: 'widget' }, order: { id: 'ASC' }, take: 1 });
    const isBegun = await db.repository(Submessage).existsBy({ ...where, senderId });
    return { isBegun, type: first ? widgetType(first.content) : null };
  }

  private of(db: Queryable, messageIds: readonly number[]): Promise<SubmessageWire[]> {
    return db.query<SubmessageWire>(
      'SELECT id, message_id, sender_id, msg_type, content FROM submessage WHERE message_id IN (?) ORDER BY id',
      [messageIds],
    );
  }
}

/** Clients may have attached any JSON. */
function widgetType(content: string): string | null {
  const value = JSON.parse(content) as { widget_type?: unknown } | null;
  return typeof value?.widget_type === 'string' ? value.widget_type : null;
}
