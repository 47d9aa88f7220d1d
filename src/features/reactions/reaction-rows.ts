import { In } from 'typeorm';
import type { Transaction } from '../../platform/database/transaction.service';
import type { Hooks } from '../../platform/hooks/hooks';
import type { Queryable } from '../../platform/sql/queryable';
import {
  emptyMessageFields,
  FieldsTooLarge,
  MessageFact,
  messageFields,
  messagesDeleted,
} from '../messages/messages.module';
import { topicParticipants } from '../channels/channels.module';
import { Reaction } from './reaction.entity';
import type { ReactionWire, StoredReactionWire } from './reactions.api';

/** The columns of a row under their names on the wire. */
export const COLUMNS = 'message_id, user_id, emoji_name, emoji_code, emoji_type AS reaction_type';

/** Maximum number of reactions loaded at once for several messages. */
const MAX_ROWS = 10_000;

/**
 * Adds reactions to message records, makes reacting people participants of topics, and deletes reactions with their
 * messages.
 */
export class ReactionRows {
  constructor(hooks: Hooks) {
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

  private async deleteOf(tx: Transaction, messageIds: readonly number[]): Promise<void> {
    await tx.repository(Reaction).delete({ messageId: In([...messageIds]) });
  }

  /** Everyone who reacted to a message of the topic. */
  private async participantsOf(db: Queryable, topicId: number): Promise<number[]> {
    const rows = await db.query<{ id: number }>(
      `SELECT DISTINCT r.user_id AS id FROM message m JOIN reaction r ON r.message_id = m.id
       WHERE m.topic_id = ? AND (m.facts & ?) <> 0`,
      [topicId, MessageFact.hasReaction],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Adds `reactions` to message records, in the order in which people reacted: one query for all messages.
   * @throws FieldsTooLarge
   */
  async fields(
    db: Queryable,
    messageIds: readonly number[],
  ): Promise<Map<number, { reactions: readonly ReactionWire[] }>> {
    if (messageIds.length === 0) return new Map();
    const rows = await db.query<StoredReactionWire>(
      `SELECT ${COLUMNS} FROM (SELECT * FROM reaction WHERE message_id IN (?) LIMIT ?) AS found ORDER BY id`,
      [messageIds, MAX_ROWS + 1],
    );
    if (rows.length > MAX_ROWS && messageIds.length > 1) throw new FieldsTooLarge();
    const fields = new Map<number, { reactions: ReactionWire[] }>();
    for (const { message_id: messageId, ...reaction } of rows) {
      const known = fields.get(messageId);
      if (known) known.reactions.push(reaction);
      else fields.set(messageId, { reactions: [reaction] });
    }
    return fields;
  }
}
