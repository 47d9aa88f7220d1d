import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import { Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database.service';
import { TransactionService, type Transaction } from '../../platform/database/transaction.service';

/** A delivery that this node has taken in hand. */
export interface HeldDelivery {
  readonly id: number;
  readonly messageId: number;
  readonly botId: number;
  readonly cause: string;
  /** How often it was taken in hand, this time included. */
  readonly attempts: number;
  /** What the bot says, where its webhook has answered before and only that has yet to be sent. */
  readonly reply: string | null;
}

/** Between a failed call and the next one: a little more each time, and after the last none. */
const RETRY_AFTER_MS = [5_000, 30_000, 120_000, 600_000];

/** What a delivery takes beside the call: waiting for the database, rendering the reply. */
const MARGIN_MS = 30_000;

const CANDIDATES = 200;

/** The table of deliveries: who takes which in hand, and what becomes of it. */
@Injectable()
export class WebhookDeliveriesService {
  constructor(
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /**
   * Takes deliveries in hand that are due, so that no other node does; oldest first.
   * @param mayTake asked for each in turn, by its bot
   */
  async take(mayTake: (botId: number) => boolean, exceptBots: readonly number[]): Promise<HeldDelivery[]> {
    const due = `FROM webhook_delivery WHERE due_at <= ?${exceptBots.length > 0 ? ' AND bot_id NOT IN (?)' : ''}`;
    const values = () => [this.clock.nowMs(), ...(exceptBots.length > 0 ? [exceptBots] : [])];
    // Looking costs less than a transaction, and mostly there is nothing.
    const [any] = await this.database.read.query(`SELECT id ${due} LIMIT 1`, values());
    if (!any) return [];
    return this.transactions.run(async (tx) => {
      const lock = tx.engine === 'postgres' ? 'FOR UPDATE SKIP LOCKED' : '';
      const candidates = await tx.query<HeldDelivery>(
        `SELECT id, message_id AS "messageId", bot_id AS "botId", cause, attempts + 1 AS attempts, reply
         ${due} ORDER BY id LIMIT ${CANDIDATES} ${lock}`,
        values(),
      );
      const taken = candidates.filter(({ botId }) => mayTake(botId));
      await this.postpone(tx, taken, this.config.webhookTimeoutSeconds * 1000 + MARGIN_MS);
      return taken;
    });
  }

  /**
   * Keeps what the bot says, so that its webhook is not called again.
   * @returns false if the message was deleted meanwhile
   */
  async keepReply({ id }: HeldDelivery, reply: string): Promise<boolean> {
    const rows = await this.transactions.run((tx) =>
      tx.query('UPDATE webhook_delivery SET reply = ? WHERE id = ? RETURNING id', [reply, id]),
    );
    return rows.length > 0;
  }

  /** There is nothing left to do. */
  async finish({ id }: HeldDelivery): Promise<void> {
    await this.transactions.run((tx) => tx.query('DELETE FROM webhook_delivery WHERE id = ?', [id]));
  }

  /** Comes back to it some time later. @returns false if it was tried often enough */
  async retry({ id, attempts }: HeldDelivery): Promise<boolean> {
    const pauseMs = RETRY_AFTER_MS[attempts - 1];
    if (pauseMs === undefined) return false;
    await this.setDue(id, this.clock.nowMs() + pauseMs);
    return true;
  }

  /** Leaves it to whoever comes next, as this node stops. */
  async release({ id }: HeldDelivery): Promise<void> {
    await this.setDue(id, this.clock.nowMs());
  }

  private async setDue(id: number, dueAt: number): Promise<void> {
    await this.transactions.run((tx) =>
      tx.query('UPDATE webhook_delivery SET due_at = ? WHERE id = ?', [dueAt, id]),
    );
  }

  private async postpone(tx: Transaction, deliveries: readonly HeldDelivery[], byMs: number): Promise<void> {
    if (deliveries.length === 0) return;
    await tx.query('UPDATE webhook_delivery SET due_at = ?, attempts = attempts + 1 WHERE id IN (?)', [
      this.clock.nowMs() + byMs,
      deliveries.map(({ id }) => id),
    ]);
  }
}
