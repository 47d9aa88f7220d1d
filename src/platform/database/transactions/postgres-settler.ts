import { Logger } from '@nestjs/common';
import type { PoolClient } from 'pg';
import type { DataSource, QueryRunner } from 'typeorm';
import { IS_UNSETTLED, SETTLE_LOG } from '../../events/event-log.service';
import { Rounds } from '../../rounds';

/** How long events of a node that died between its commit and its next step may stay unread. */
const INTERVAL_MS = 5_000;

/** Settles event log numbers, in one round for all transactions that commit in the meantime. */
export class PostgresSettler {
  private readonly logger = new Logger('EventLog');
  private runner: QueryRunner | undefined;
  private readonly rounds = new Rounds(() => this.round());
  private leftovers = Promise.resolve();
  private readonly timer: NodeJS.Timeout;

  /** @param source one connection of its pool stays with the settler */
  constructor(private readonly source: DataSource) {
    void this.rounds.join();
    this.timer = setInterval(() => {
      this.leftovers = this.settleLeftovers();
    }, INTERVAL_MS).unref();
  }

  /** Resolves once everything is settled that was committed before the call. Does not reject. */
  settle(): Promise<void> {
    return this.rounds.join();
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.leftovers;
    await this.rounds.ended();
    await this.runner?.release();
  }

  private async settleLeftovers(): Promise<void> {
    try {
      const left = await this.source.query<unknown[]>(IS_UNSETTLED);
      if (left.length > 0) await this.settle();
    } catch (error) {
      this.logger.error(error);
    }
  }

  /** The next round makes up for a failed one, so its error is dropped. */
  private async round(): Promise<void> {
    try {
      const client = await this.client();
      await client.query(SETTLE_LOG).catch(async (error: unknown) => {
        // What comes after a failed statement of one message is left out.
        await client.query('ROLLBACK');
        throw error;
      });
    } catch (error) {
      this.logger.error(error);
    }
  }

  private async client(): Promise<PoolClient> {
    if (!this.runner || this.runner.isReleased) this.runner = this.source.createQueryRunner();
    try {
      return (await this.runner.connect()) as PoolClient;
    } catch (error) {
      // It would fail the same way forever.
      this.runner = undefined;
      throw error;
    }
  }
}
