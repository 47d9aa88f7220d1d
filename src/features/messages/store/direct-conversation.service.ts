import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../../platform/sql/queryable';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { GuestVisibilityService } from '../../channels/channels.module';
import { conversationPartnersSought } from '../../users/users.module';
import { condition, type SqlCondition } from './personal-conditions';

/** A conversation as it was found. */
export interface Conversation {
  readonly id: number;
  /** Null while nothing was sent in it. */
  readonly newestMessageId: number | null;
}

/** A conversation in which something was sent. */
export interface RecentConversation {
  readonly newestMessageId: number;
  /** Everybody in it, ascending. */
  readonly memberIds: readonly number[];
}

interface Row {
  id: number;
  max_message_id: number;
}

/** Keys up to this length are the IDs themselves; longer ones would not fit an index. */
const MAX_PLAIN_KEY = 500;

/** Finds and makes the conversations of direct messages. The same people always have the same conversation. */
@Injectable()
export class DirectConversationService {
  constructor(
    private readonly guests: GuestVisibilityService,
    hooks: Hooks,
  ) {
    hooks.on(conversationPartnersSought, (db, userId) => this.partnersOf(db, userId));
  }

  /** @param memberIds everybody in it, without repeats */
  async find(db: Queryable, memberIds: readonly number[]): Promise<Conversation | null> {
    const [row] = await db.query<Row>(
      'SELECT id, max_message_id FROM direct_conversation WHERE members_key = ?',
      [membersKey(memberIds)],
    );
    return row ? toConversation(row) : null;
  }

  /**
   * Finds the conversation or makes it, and locks it against other senders until the transaction ends. Guests who
   * come to see a person through it are told who that is.
   * @param memberIds everybody in it, without repeats
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
    // No result: another request created it first.
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
   * What {@link open} begins with, on PostgreSQL, as part of a statement that writes to the conversation as well. Gives its
   * `id`, and no row where it is not there.
   */
  locking(memberIds: readonly number[]): SqlCondition {
    return condition(
      'SELECT id FROM direct_conversation WHERE members_key = ? FOR UPDATE',
      membersKey(memberIds),
    );
  }

  /** Notes the newest message of a conversation that this transaction locked, at its end. */
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
   * The conversations of a person in which anything was sent, the one with the newest message first.
   * @param limit the most to find
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

  /** Those of the conversations that the person is in. */
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

  /** Everybody who shares a conversation with the person. */
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

/** What finds a conversation by its members: their IDs, ascending, or a digest of them. */
export function membersKey(memberIds: readonly number[]): string {
  const key = [...memberIds].sort((a, b) => a - b).join(',');
  return key.length <= MAX_PLAIN_KEY ? key : createHash('sha256').update(key).digest('hex');
}
