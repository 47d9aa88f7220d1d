import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../../platform/sql/queryable';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { GuestVisibilityService } from '../../channels/channels.module';
import { conversationPartnersSought } from '../../users/users.module';
import { condition, type SqlCondition } from './personal-conditions';

/** An existing conversation. */
export interface Conversation {
  readonly id: number;
  /** Null while it has no messages. */
  readonly newestMessageId: number | null;
}

/** A conversation with at least one message. */
export interface RecentConversation {
  readonly newestMessageId: number;
  /** All participants, ascending. */
  readonly memberIds: readonly number[];
}

interface Row {
  id: number;
  max_message_id: number;
}

/** Keys up to this length are the IDs themselves; longer ones would exceed the limits of an index. */
const MAX_PLAIN_KEY = 500;

/** Finds and creates the conversations of direct messages. The same people always have the same conversation. */
@Injectable()
export class DirectConversationService {
  constructor(
    private readonly guests: GuestVisibilityService,
    hooks: Hooks,
  ) {
    hooks.on(conversationPartnersSought, (db, userId) => this.partnersOf(db, userId));
  }

  /** @param memberIds all participants, without duplicates */
  async find(db: Queryable, memberIds: readonly number[]): Promise<Conversation | null> {
    const [row] = await db.query<Row>(
      'SELECT id, max_message_id FROM direct_conversation WHERE members_key = ?',
      [membersKey(memberIds)],
    );
    return row ? toConversation(row) : null;
  }

  /**
   * Finds or creates the conversation and locks it against other senders until the transaction ends. Sends guests the
   * details of people who become visible to them through it.
   * @param memberIds all participants, without duplicates
   */
  async open(tx: Transaction, memberIds: readonly number[]): Promise<Conversation> {
    const key = membersKey(memberIds);
    const known = await this.lock(tx, key);
    if (known) return toConversation(known);
    const visibleBefore = await this.guests.visibleBeforeFor(tx, memberIds);
    const [created] = await tx.query<Row>(
      `INSERT INTO direct_conversation (members_key, max_message_id) VALUES (?, 0)
       ON CONFLICT (members_key) DO NOTHING RETURNING id, max_message_id`,
      [key],
    );
    // No row: another request created it first.
    if (!created) return toConversation((await this.lock(tx, key)) as Row);
    await tx.query(
      `INSERT INTO direct_conversation_member (conversation_id, user_id)
       SELECT ?, id FROM account WHERE id IN (?)`,
      [created.id, memberIds],
    );
    await this.guests.emitGained(tx, visibleBefore);
    return toConversation(created);
  }

  /**
   * The first step of {@link open} on PostgreSQL, as part of a statement that also writes to the conversation. Returns
   * its `id`, or no row if it does not exist.
   */
  locking(memberIds: readonly number[]): SqlCondition {
    return condition(
      'SELECT id FROM direct_conversation WHERE members_key = ? FOR UPDATE',
      membersKey(memberIds),
    );
  }

  /** Records the newest message of a conversation locked by this transaction, at the end of the transaction. */
  close(tx: Transaction, memberIds: readonly number[], messageId: number): void {
    tx.atEnd('UPDATE direct_conversation SET max_message_id = ? WHERE members_key = ?', [
      messageId,
      membersKey(memberIds),
    ]);
  }

  /** Members of each conversation, ascending. */
  async membersOf(db: Queryable, conversationIds: readonly number[]): Promise<Map<number, number[]>> {
    const members = new Map<number, number[]>(conversationIds.map((id) => [id, []]));
    if (conversationIds.length === 0) return members;
    const rows = await db.query<{ conversation_id: number; user_id: number }>(
      `SELECT conversation_id, user_id FROM direct_conversation_member
       WHERE conversation_id IN (?) ORDER BY conversation_id, user_id`,
      [[...members.keys()]],
    );
    for (const row of rows) members.get(row.conversation_id)?.push(row.user_id);
    return members;
  }

  /**
   * A person's conversations that have messages, most recent first.
   * @param limit maximum number of conversations
   */
  async recentOf(db: Queryable, userId: number, limit: number): Promise<RecentConversation[]> {
    const rows = await db.query<Row>(
      `SELECT c.id, c.max_message_id FROM direct_conversation_member own
       JOIN direct_conversation c ON c.id = own.conversation_id
       WHERE own.user_id = ? AND c.max_message_id > 0 ORDER BY c.max_message_id DESC LIMIT ?`,
      [userId, limit],
    );
    const members = await this.membersOf(
      db,
      rows.map(({ id }) => id),
    );
    return rows.map((row) => ({
      newestMessageId: row.max_message_id,
      memberIds: members.get(row.id) ?? [],
    }));
  }

  /** Filters conversations down to those with the person. */
  async ofMember(
    db: Queryable,
    userId: number,
    conversationIds: readonly number[],
  ): Promise<ReadonlySet<number>> {
    const asked = new Set(conversationIds);
    if (asked.size === 0) return asked;
    const rows = await db.query<{ conversation_id: number }>(
      'SELECT conversation_id FROM direct_conversation_member WHERE user_id = ? AND conversation_id IN (?)',
      [userId, [...asked]],
    );
    return new Set(rows.map((row) => row.conversation_id));
  }

  private async lock(tx: Transaction, key: string): Promise<Row | undefined> {
    const [row] = await tx.query<Row>(
      `SELECT id, max_message_id FROM direct_conversation WHERE members_key = ?
       ${tx.engine === 'postgres' ? 'FOR UPDATE' : ''}`,
      [key],
    );
    return row;
  }

  /** Everyone who shares a conversation with the person. */
  private async partnersOf(db: Queryable, userId: number): Promise<number[]> {
    const rows = await db.query<{ user_id: number }>(
      `SELECT DISTINCT other.user_id FROM direct_conversation_member own
       JOIN direct_conversation_member other ON other.conversation_id = own.conversation_id
       WHERE own.user_id = ?`,
      [userId],
    );
    return rows.map((row) => row.user_id);
  }
}

function toConversation(row: Row): Conversation {
  return { id: row.id, newestMessageId: row.max_message_id === 0 ? null : row.max_message_id };
}

/** The key that identifies a conversation by its members: their IDs, ascending, or a digest of them. */
export function membersKey(memberIds: readonly number[]): string {
  const key = [...memberIds].sort((a, b) => a - b).join(',');
  return key.length <= MAX_PLAIN_KEY ? key : createHash('sha256').update(key).digest('hex');
}
