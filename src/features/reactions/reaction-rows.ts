import { In } from 'typeorm';
import type { Transaction } from '../../platform/database/transaction.service';
import { type Hooks } from '../../platform/hooks/hooks';
import type { Queryable } from '../../platform/sql/queryable';
import type { EmojiReference } from '../emoji';
import {
  emptyMessageFields,
  MessageFact,
  messageFields,
  type MessageRowsService,
  messagesDeleted,
} from '../messages';
import { topicParticipants } from '../topics';
import { Reaction } from './reaction.entity';
import type { ReactionWire, StoredReactionWire } from './reactions.wire';

type EmojiCode = Pick<EmojiReference, 'code' | 'type'>;

/** A row in the words of the wire. */
const COLUMNS = 'message_id, user_id, emoji_name, emoji_code, emoji_type AS reaction_type';

/** The reactions to a message with one emoji. */
const ALIKE = 'FROM reaction WHERE message_id = ? AND emoji_type = ? AND emoji_code = ?';

const INSERT = `
  INSERT INTO reaction (message_id, user_id, emoji_type, emoji_code, emoji_name)
  SELECT id, CAST(? AS integer), CAST(? AS text), CAST(? AS text), emoji_name
  FROM (SELECT id, COALESCE((SELECT emoji_name ${ALIKE} ORDER BY id LIMIT 1), CAST(? AS text)) AS emoji_name
        FROM message WHERE id = ?) AS named
  WHERE emoji_name IS NOT NULL
  ON CONFLICT (message_id, emoji_type, emoji_code, user_id) DO NOTHING RETURNING ${COLUMNS}`;

/** Reads and writes the rows of reactions, notes on messages that there are any, and adds them to message records. */
export class ReactionRows {
  constructor(
    private readonly messages: MessageRowsService,
    hooks: Hooks,
  ) {
    hooks.on(messagesDeleted, (tx, messageIds) => this.deleteOf(tx, messageIds));
    hooks.on(emptyMessageFields, () => ({ reactions: [] }));
    hooks.on(messageFields, (db, messages) => {
      const reacted = messages.filter(({ facts }) => (facts & MessageFact.hasReaction) !== 0);
      return this.fields(
        db,
        reacted.map(({ id }) => id),
      );
    });
    hooks.on(topicParticipants, (db, topicId) => this.participantsOf(db, topicId));
  }

  /** To be handed in before reading: it lets one change of a message's reactions happen at a time, and keeps the message. */
  async lock(tx: Transaction, messageId: number): Promise<void> {
    await this.messages.lock(tx, messageId);
  }

  async isOn(db: Queryable, messageId: number, { code, type }: EmojiCode): Promise<boolean> {
    const rows = await db.query(`SELECT id ${ALIKE} LIMIT 1`, [messageId, type, code]);
    return rows.length > 0;
  }

  /**
   * Under the name by which the emoji already stands on the message, or else under the name that is given.
   * @param name null where only an emoji that is there already will do
   * @returns the new reaction; null where there was one already, and where there is no such name or message
   */
  async insert(
    tx: Transaction,
    messageId: number,
    userId: number,
    { code, type }: EmojiCode,
    name: string | null,
  ): Promise<StoredReactionWire | null> {
    const [added] = await tx.query<StoredReactionWire>(INSERT, [
      userId,
      type,
      code,
      messageId,
      type,
      code,
      name,
      messageId,
    ]);
    return added ?? null;
  }

  noteAdded(tx: Transaction, messageId: number): void {
    this.messages.noteReaction(tx, messageId);
  }

  /** @returns the reaction that was removed; null where there was none */
  async remove(
    tx: Transaction,
    messageId: number,
    userId: number,
    { code, type }: EmojiCode,
  ): Promise<StoredReactionWire | null> {
    const [removed] = await tx.query<StoredReactionWire>(
      `DELETE FROM reaction WHERE message_id = ? AND emoji_type = ? AND emoji_code = ? AND user_id = ?
       RETURNING ${COLUMNS}`,
      [messageId, type, code, userId],
    );
    if (!removed) return null;
    if (!(await this.hasAny(tx, messageId))) await this.messages.noteNoReactions(tx, messageId);
    return removed;
  }

  private async deleteOf(tx: Transaction, messageIds: readonly number[]): Promise<void> {
    await tx.repository(Reaction).delete({ messageId: In([...messageIds]) });
  }

  /** Everybody who reacted to a message of the topic. */
  private async participantsOf(db: Queryable, topicId: number): Promise<number[]> {
    const rows = await db.query<{ id: number }>(
      `SELECT DISTINCT r.user_id AS id FROM message m JOIN reaction r ON r.message_id = m.id
       WHERE m.topic_id = ? AND (m.facts & ?) <> 0`,
      [topicId, MessageFact.hasReaction],
    );
    return rows.map(({ id }) => id);
  }

  /** Adds `reactions` to the records of messages, in the order in which people reacted: one query for all messages. */
  async fields(
    db: Queryable,
    messageIds: readonly number[],
  ): Promise<Map<number, { reactions: readonly ReactionWire[] }>> {
    if (messageIds.length === 0) return new Map();
    const rows = await db.query<StoredReactionWire>(
      `SELECT ${COLUMNS} FROM reaction WHERE message_id IN (?) ORDER BY id`,
      [messageIds],
    );
    const fields = new Map<number, { reactions: ReactionWire[] }>();
    for (const { message_id: messageId, ...reaction } of rows) {
      const known = fields.get(messageId);
      if (known) known.reactions.push(reaction);
      else fields.set(messageId, { reactions: [reaction] });
    }
    return fields;
  }

  private async hasAny(db: Queryable, messageId: number): Promise<boolean> {
    const rows = await db.query('SELECT id FROM reaction WHERE message_id = ? LIMIT 1', [messageId]);
    return rows.length > 0;
  }
}
