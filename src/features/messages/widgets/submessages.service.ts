import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { checkWidgetData, parseWidgetContent, widgetIn } from './widget-checks';
import {
  BadSubmessageJson,
  CannotAttach,
  submessageAdded,
  TooManyOwnSubmessages,
  TooManySubmessages,
} from './widgets.api';
import type { Actor } from '../../../platform/actor';
import { groupBy } from '../../../platform/collections';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import type { Queryable } from '../../../platform/sql/queryable';
import { contentErased, UserAccess } from '../../users/users.module';
import { MessageAudienceService } from '../readers/message-audience.service';
import { MessageAccess } from '../readers/message.access';
import { AutomaticTopicPolicyService } from '../sending/automatic-topic-policy.service';
import type { SubmessageWire } from '../store/message-records.api';
import { MessageRowsService } from '../store/message-rows.service';
import { Submessage } from '../store/message.entity';
import { FieldsTooLarge, messageFields, messagesDeleted, newMessageFields } from '../store/messages.hooks';

/** Maximum submessages of a message; each record of it contains all of them. */
export const SUBMESSAGES_OF_MESSAGE = { count: 5_000, characters: 250_000 };

/** The share of them that one person may add. */
const OF_PERSON = { count: 2_000, characters: 125_000 };

/** Maximum number of submessages loaded at once for several messages. */
const MAX_ROWS = 1_000;

/** The kind of a message, according to its submessages. */
interface AttachedWidget {
  /** Whether the sender of the message has added a submessage, so that others may. */
  readonly isBegun: boolean;
  /** Null if it is not a widget. */
  readonly type: string | null;
}

/** The submessages of messages, which are part of their records. */
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
    hooks.on(contentErased, async (tx, userId, limit) => {
      // The person's votes in polls and tasks in the lists of others. Clients show them until they load the message
      // again.
      const gone = await tx.query(
        `DELETE FROM submessage WHERE id IN (
           SELECT id FROM submessage WHERE sender_id = ? ORDER BY id LIMIT ?) RETURNING id`,
        [userId, limit],
      );
      return { submessages: gone.length };
    });
  }

  /** Whether the message has any submessages. */
  hasAny(db: Queryable, messageId: number): Promise<boolean> {
    return db.repository(Submessage).existsBy({ messageId });
  }

  /** @throws TooManySubmessages, TooManyOwnSubmessages */
  async add(tx: Transaction, submessage: Omit<Submessage, 'id'>): Promise<SubmessageWire> {
    const { id } = await tx.repository(Submessage).save({ ...submessage });
    const { messageId: message_id, senderId: sender_id, msgType: msg_type, content } = submessage;
    const sizes = await tx.queryOne<
      Record<'count' | 'characters' | 'ownCount' | 'ownCharacters', number | null>
    >(
      `SELECT COUNT(*) AS count, SUM(LENGTH(content)) AS characters,
         COUNT(CASE WHEN sender_id = ? THEN 1 END) AS "ownCount",
         SUM(CASE WHEN sender_id = ? THEN LENGTH(content) END) AS "ownCharacters"
       FROM submessage WHERE message_id = ?`,
      [sender_id, sender_id, message_id],
    );
    const { count, characters, ownCount, ownCharacters } = sizes;
    if (
      Number(count) > SUBMESSAGES_OF_MESSAGE.count ||
      Number(characters) > SUBMESSAGES_OF_MESSAGE.characters
    )
      throw new TooManySubmessages();
    if (Number(ownCount) > OF_PERSON.count || Number(ownCharacters) > OF_PERSON.characters)
      throw new TooManyOwnSubmessages();
    return { id, message_id, sender_id, msg_type, content };
  }

  /** @param senderId the sender of the message */
  async widgetOf(db: Queryable, messageId: number, senderId: number): Promise<AttachedWidget> {
    const where = { messageId };
    const [first] = await db
      .repository(Submessage)
      .find({ where: { ...where, msgType: 'widget' }, order: { id: 'ASC' }, take: 1 });
    const isBegun = await db.repository(Submessage).existsBy({ ...where, senderId });
    return { isBegun, type: first ? widgetType(first.content) : null };
  }

  /** @throws FieldsTooLarge */
  private async of(db: Queryable, messageIds: readonly number[]): Promise<SubmessageWire[]> {
    const limit = messageIds.length > 1 ? MAX_ROWS : SUBMESSAGES_OF_MESSAGE.count;
    const rows = await db.query<SubmessageWire>(
      `SELECT id, message_id, sender_id, msg_type, content
       FROM (SELECT * FROM submessage WHERE message_id IN (?) LIMIT ?) AS found ORDER BY id`,
      [messageIds, limit + 1],
    );
    if (rows.length > limit) throw new FieldsTooLarge();
    return rows;
  }
}

/** Clients may have attached any JSON. */
function widgetType(content: string): string | null {
  const value = JSON.parse(content) as { widget_type?: unknown } | null;
  return typeof value?.widget_type === 'string' ? value.widget_type : null;
}

/** A new submessage. */
interface NewSubmessage {
  readonly msgType: string;
  /** JSON. */
  readonly content: string;
}

/** Turns messages into widgets, and adds submessages to them. */
@Injectable()
export class SubmessagesService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly users: UserAccess,
    private readonly messages: MessageAccess,
    private readonly messageRows: MessageRowsService,
    private readonly audiences: MessageAudienceService,
    private readonly topicPolicies: AutomaticTopicPolicyService,
    private readonly rows: SubmessageRowsService,
    hooks: Hooks,
  ) {
    hooks.on(newMessageFields, async (tx, { messageId, senderId, content, widgetContent }) => {
      const widget = widgetContent === undefined ? widgetIn(content) : parseWidgetContent(widgetContent);
      if (!widget) return {};
      const submessage = { messageId, senderId, msgType: 'widget', content: JSON.stringify(widget) };
      return { submessages: [await rows.add(tx, submessage)] };
    });
  }

  /**
   * Adds a submessage. Any reader of the message may add to a widget; only the sender may start one.
   * @throws InvalidMessage, CannotAttach, BadSubmessageJson, BadWidgetData, TooManySubmessages, TooManyOwnSubmessages
   */
  async add(actor: Actor, messageId: number, { msgType, content }: NewSubmessage): Promise<void> {
    await this.transactions.run(async (tx) => {
      await this.messageRows.lock(tx, messageId);
      const current = this.users.current(actor);
      const { message } = await this.messages.forChanging(tx, current, messageId);
      const isAuthor = message.senderId === actor.userId;
      const widget = await this.rows.widgetOf(tx, messageId, message.senderId);
      if (!isAuthor && !widget.isBegun) throw new CannotAttach();
      const data = parsed(content);
      if (widget.type !== null) checkWidgetData(widget.type, data, isAuthor);
      const submessage = { messageId, senderId: actor.userId, msgType, content };
      const { id: submessage_id, ...rest } = await this.rows.add(tx, submessage);
      const { channelId, topicName } = message;
      if (channelId !== null) {
        await this.topicPolicies.afterReacting(tx, current, { channelId, topic: topicName ?? '' });
      }
      tx.emit(submessageAdded({ ...rest, submessage_id }), await this.audiences.of(tx, message));
    });
  }
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content) as unknown;
  } catch {
    throw new BadSubmessageJson();
  }
}
