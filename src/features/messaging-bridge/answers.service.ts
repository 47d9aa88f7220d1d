import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import { Database } from '../../platform/database/database.service';
import { TransactionService, type Transaction } from '../../platform/database/transaction.service';

/** An answer that this node has taken in hand. */
export interface HeldAnswer {
  readonly id: number;
  readonly conversationId: number;
  readonly messageId: number;
  /** How often it was taken in hand, this time included. */
  readonly attempts: number;
  /** UNIX milliseconds. */
  readonly createdAt: number;
}

/** How long handing on one answer may take, waiting for the database included. */
export const CALL_TIMEOUT_MS = 20_000;
const MARGIN_MS = 30_000;

const MINUTE_MS = 60_000;

/** Between a failed call and the next one: a little more each time, and then the last again and again. */
const RETRY_AFTER_MS = [5_000, 30_000, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS];

/** An answer that did not get through for this long is given up. */
const GIVE_UP_AFTER_HOURS = 24;

const CANDIDATES = 200;

/** The table of answers: who takes which in hand, and what becomes of it. */
@Injectable()
export class AnswersService {
  constructor(
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly clock: Clock,
  ) {}

  /**
   * Takes answers in hand that are due, so that no other node does. Of a conversation it is always the oldest one, so
   * that they arrive in the order in which they were written.
   * @param mayTake asked for each in turn, by its conversation
   */
  async take(mayTake: (conversationId: number) => boolean): Promise<HeldAnswer[]> {
    const due = `FROM messaging_answer a WHERE due_at <= ? AND NOT EXISTS (
      SELECT 1 FROM messaging_answer older WHERE older.conversation_id = a.conversation_id AND older.id < a.id)`;
    // Looking costs less than a transaction, and mostly there is nothing.
    const [any] = await this.database.read.query(`SELECT id ${due} LIMIT 1`, [this.clock.nowMs()]);
    if (!any) return [];
    return this.transactions.run(async (tx) => {
      const lock = tx.engine === 'postgres' ? 'FOR UPDATE OF a SKIP LOCKED' : '';
      const candidates = await tx.query<HeldAnswer>(
        `SELECT id, conversation_id AS "conversationId", message_id AS "messageId", attempts + 1 AS attempts,
           created_at AS "createdAt"
         ${due} ORDER BY id LIMIT ${CANDIDATES} ${lock}`,
        [this.clock.nowMs()],
      );
      const taken = candidates.filter(({ conversationId }) => mayTake(conversationId));
      if (taken.length === 0) return [];
      await tx.query('UPDATE messaging_answer SET due_at = ?, attempts = attempts + 1 WHERE id IN (?)', [
        this.clock.nowMs() + CALL_TIMEOUT_MS + MARGIN_MS,
        taken.map(({ id }) => id),
      ]);
      return taken;
    });
  }

  /** There is nothing left to do. @param alongside what else is written in the same transaction */
  async finish(
    { id }: HeldAnswer,
    alongside: (tx: Transaction) => Promise<unknown> = () => Promise.resolve(),
  ): Promise<void> {
    await this.transactions.run(async (tx) => {
      if (await this.remove(tx, id)) await alongside(tx);
    });
  }

  /** @returns false if somebody else did so before, or the message was deleted */
  async remove(tx: Transaction, id: number): Promise<boolean> {
    const rows = await tx.query('DELETE FROM messaging_answer WHERE id = ? RETURNING id', [id]);
    return rows.length > 0;
  }

  /** Comes back to it some time later. @returns false if it was tried for long enough */
  async retry({ id, attempts, createdAt }: HeldAnswer): Promise<boolean> {
    const pauseMs = RETRY_AFTER_MS[Math.min(attempts, RETRY_AFTER_MS.length) - 1] as number;
    const next = this.clock.nowMs() + pauseMs;
    if (next > createdAt + GIVE_UP_AFTER_HOURS * 60 * MINUTE_MS) return false;
    await this.setDue(id, next);
    return true;
  }

  /** Leaves it to whoever comes next, as this node stops. */
  async release({ id }: HeldAnswer): Promise<void> {
    await this.setDue(id, this.clock.nowMs());
  }

  private async setDue(id: number, dueAt: number): Promise<void> {
    await this.transactions.run((tx) =>
      tx.query('UPDATE messaging_answer SET due_at = ? WHERE id = ?', [dueAt, id]),
    );
  }
}
