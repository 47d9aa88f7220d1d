import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import { TransactionService, type Transaction } from '../../../platform/database/transaction.service';
import { UnfinishedWork } from './unfinished-work.entity';

/** Work as it is noted. */
export type NotedWork = Pick<UnfinishedWork, 'id' | 'kind' | 'data'>;

/**
 * Does a kind of work, which must do no harm when it is done twice.
 * @returns whether there is nothing left to do; something is where the server stops
 */
type Performer<Data> = (data: Data) => Promise<boolean>;

/** No work takes so long that another node would take it up meanwhile. */
const IN_HAND_MS = 10 * 60_000;

const LOOK_EVERY_MS = 60_000;
const ROWS_AT_A_TIME = 20;

/**
 * What follows from a change, and takes too long to be done with it, is noted in its transaction: if the server dies
 * before it is done, it is taken up again.
 */
@Injectable()
export class UnfinishedWorkService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('UnfinishedWork');
  private readonly performers = new Map<string, Performer<unknown>>();
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> = Promise.resolve();
  private isStopping = false;

  constructor(
    private readonly transactions: TransactionService,
    private readonly clock: Clock,
  ) {}

  /** To be called in constructors. */
  register<Data>(kind: string, perform: Performer<Data>): void {
    this.performers.set(kind, (data) => perform(data as Data));
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.takeUp(), LOOK_EVERY_MS).unref();
    void this.takeUp({ isStart: true });
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.timer);
    await this.looking;
  }

  /** Notes work that the caller carries out once the transaction is over. */
  async note(tx: Transaction, kind: string, data: unknown): Promise<NotedWork> {
    const text = JSON.stringify(data);
    const [row] = await tx.query<{ id: number }>(
      'INSERT INTO unfinished_work (kind, data, due_at) VALUES (?, ?, ?) RETURNING id',
      [kind, text, this.clock.nowMs() + IN_HAND_MS],
    );
    return { id: row?.id ?? 0, kind, data: text };
  }

  /** Does what was noted. What fails comes up again; does not throw. */
  async carryOut({ id, kind, data }: NotedWork): Promise<void> {
    try {
      const isDone = await this.performers.get(kind)?.(JSON.parse(data));
      if (isDone)
        await this.transactions.run((tx) => tx.query('DELETE FROM unfinished_work WHERE id = ?', [id]));
    } catch (error) {
      this.logger.error(error);
    }
  }

  /**
   * Takes up what was left behind.
   * @param isStart nobody else has the database file, so that at the start of its server all of it was
   */
  takeUp({ isStart = false } = {}): Promise<void> {
    this.looking = this.looking
      .then(() => this.takeUpAll(isStart))
      .catch((error: unknown) => this.logger.error(error));
    return this.looking;
  }

  private async takeUpAll(isStart: boolean): Promise<void> {
    for (let after = 0; !this.isStopping;) {
      const rows = await this.transactions.run((tx) => this.take(tx, isStart, after));
      for (const row of rows) if (!this.isStopping) await this.carryOut(row);
      const last = rows.at(-1);
      if (!last) return;
      after = last.id;
    }
  }

  private async take(tx: Transaction, isStart: boolean, after: number): Promise<NotedWork[]> {
    const now = this.clock.nowMs();
    const isOnlyNode = tx.engine === 'sqlite';
    const rows = await tx.query<NotedWork>(
      `SELECT id, kind, data FROM unfinished_work WHERE id > ? AND due_at <= ? ORDER BY id LIMIT ${ROWS_AT_A_TIME}
       ${isOnlyNode ? '' : 'FOR UPDATE SKIP LOCKED'}`,
      [after, isStart && isOnlyNode ? Number.MAX_SAFE_INTEGER : now],
    );
    for (const { id } of rows) {
      await tx.query('UPDATE unfinished_work SET due_at = ? WHERE id = ?', [now + IN_HAND_MS, id]);
    }
    return rows;
  }
}
