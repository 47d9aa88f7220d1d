import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../platform/database/queryable';
import type { Transaction } from '../../platform/database/transaction.service';
import { Hooks } from '../../platform/hooks/hooks';
import type { EmojiReference } from '../emoji';
import { MessageFact, type MessageObserver, MessageObserverRegistry, ReactionFactService } from '../messages';
import { topicParticipants } from '../topics';

/** A reaction that is stored. */
export interface StoredReaction {
  readonly messageId: number;
  readonly userId: number;
  readonly emoji: EmojiReference;
}

type EmojiCode = Pick<EmojiReference, 'code' | 'type'>;

interface Row {
  message_id: number;
  user_id: number;
  emoji_type: string;
  emoji_code: string;
  emoji_name: string;
}

/** Reads and writes the rows of reactions, and notes on their messages that there are any. */
@Injectable()
export class ReactionRowsService implements MessageObserver {
  constructor(
    private readonly fact: ReactionFactService,
    observers: MessageObserverRegistry,
    hooks: Hooks,
  ) {
    observers.register(this);
    hooks.on(topicParticipants, (db, topicId) => this.participantsOf(db, topicId));
  }

  /** To be called before anything is read: changes of the reactions to one message happen one after the other, and it stays. */
  async hold(tx: Transaction, messageId: number): Promise<void> {
    await this.fact.hold(tx, messageId);
  }

  /** The name under which an emoji stands on a message already; null where nobody reacted with it. */
  async nameInUse(db: Queryable, messageId: number, { code, type }: EmojiCode): Promise<string | null> {
    const [row] = await db.query<{ emoji_name: string }>(
      `SELECT emoji_name FROM reaction
       WHERE message_id = ? AND emoji_type = ? AND emoji_code = ? ORDER BY id LIMIT 1`,
      [messageId, type, code],
    );
    return row?.emoji_name ?? null;
  }

  /** @returns whether there was no such reaction before */
  async insert(tx: Transaction, { messageId, userId, emoji }: StoredReaction): Promise<boolean> {
    const rows = await tx.query(
      `INSERT INTO reaction (message_id, user_id, emoji_type, emoji_code, emoji_name) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (message_id, emoji_type, emoji_code, user_id) DO NOTHING RETURNING id`,
      [messageId, userId, emoji.type, emoji.code, emoji.name],
    );
    if (rows.length === 0) return false;
    await this.fact.note(tx, messageId, true);
    return true;
  }

  /** @returns the reaction that was removed; null where there was none */
  async remove(
    tx: Transaction,
    messageId: number,
    userId: number,
    { code, type }: EmojiCode,
  ): Promise<StoredReaction | null> {
    const [row] = await tx.query<Row>(
      `DELETE FROM reaction WHERE message_id = ? AND emoji_type = ? AND emoji_code = ? AND user_id = ?
       RETURNING message_id, user_id, emoji_type, emoji_code, emoji_name`,
      [messageId, type, code, userId],
    );
    if (!row) return null;
    if (!(await this.hasAny(tx, messageId))) await this.fact.note(tx, messageId, false);
    return toReaction(row);
  }

  async messagesDeleted(tx: Transaction, messageIds: readonly number[]): Promise<void> {
    await tx.query('DELETE FROM reaction WHERE message_id IN (?)', [messageIds]);
  }

  /** Everybody who reacted to a message of the topic. */
  async participantsOf(db: Queryable, topicId: number): Promise<number[]> {
    const rows = await db.query<{ id: number }>(
      `SELECT DISTINCT r.user_id AS id FROM message m JOIN reaction r ON r.message_id = m.id
       WHERE m.topic_id = ? AND (m.facts & ?) <> 0`,
      [topicId, MessageFact.hasReaction],
    );
    return rows.map(({ id }) => id);
  }

  /** Those to any of the messages, in the order in which they were added. */
  async list(db: Queryable, messageIds: readonly number[]): Promise<StoredReaction[]> {
    const rows = await db.query<Row>(
      `SELECT message_id, user_id, emoji_type, emoji_code, emoji_name FROM reaction
       WHERE message_id IN (?) ORDER BY id`,
      [messageIds],
    );
    return rows.map(toReaction);
  }

  private async hasAny(db: Queryable, messageId: number): Promise<boolean> {
    const rows = await db.query('SELECT id FROM reaction WHERE message_id = ? LIMIT 1', [messageId]);
    return rows.length > 0;
  }
}

function toReaction(row: Row): StoredReaction {
  return {
    messageId: row.message_id,
    userId: row.user_id,
    emoji: { name: row.emoji_name, code: row.emoji_code, type: row.emoji_type },
  };
}
