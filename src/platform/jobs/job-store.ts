import type { SqlRunner } from '../sql/queryable';
import type { Clock } from '../clock';
import type { Database } from '../database/database.service';
import type { Engine, SqlValue, Statement } from '../sql/queryable';
import type { Transaction, TransactionService } from '../database/transaction.service';
import type { NewJob } from './job';

/** The row of a leased job. */
export interface LeasedJob {
  readonly id: number;
  readonly group: string;
  readonly key: string | null;
  /** JSON. */
  readonly data: string;
  /** UNIX milliseconds when it was first due. */
  readonly dueAt: number;
  readonly attempts: number;
  /** Counts how often the job was replaced. */
  readonly version: number;
}

/** Filter for jobs of a kind that may be leased now. */
export interface JobFilter {
  readonly kind: string;
  readonly isOrdered: boolean;
  /** Groups that have reached their limit on this node. */
  readonly exceptGroups: readonly string[];
  /** Jobs already running on this node. */
  readonly exceptIds: readonly number[];
  /** Maximum delay of a retry in milliseconds. */
  readonly longestRetryMs: number;
}

/** The number of jobs of a kind, and when the oldest one was due. */
interface JobFigures {
  readonly kind: string;
  readonly waiting: number;
  readonly oldestDueAt: number;
}

/** A node loses a lease that it does not renew for this long. */
export const LEASE_MS = 45_000;

/** Matches a job leased by this node and unchanged since. */
const OWN = 'WHERE id = ? AND lease_owner = ? AND version = ?';

/** Matches a failed job whose retry is too far in the future only because the clock was set back. */
const LATE_RETRY = '(attempts > 0 AND next_at > ?)';

const CANDIDATES = 200;
const MAX_ERROR_LENGTH = 500;

/** Access to the table of jobs. */
export class JobStore {
  constructor(
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly clock: Clock,
    /** Identifies this node in leases. */
    private readonly owner: string,
  ) {}

  get engine(): Engine {
    return this.database.engine;
  }

  /** @returns the ID of the job */
  async insert(tx: Transaction, job: NewJob<unknown>): Promise<number> {
    const { sql, parameters } = this.insertion(job);
    const { id } = await tx.queryOne<{ id: number }>(sql, parameters);
    return id;
  }

  insertAtEnd(tx: Transaction, job: NewJob<unknown>): void {
    const { sql, parameters } = this.insertion(job);
    tx.atEnd(sql, parameters);
  }

  private insertion({ kind, key, group = '', data, dueAt }: NewJob<unknown>): Statement {
    const due = dueAt ?? this.clock.nowMs();
    return {
      sql: `INSERT INTO job (kind, group_key, key, data, due_at, next_at, attempts, version) VALUES (?, ?, ?, ?, ?, ?, 0, 0)
       ON CONFLICT (kind, key, group_key) DO UPDATE SET data = excluded.data, due_at = excluded.due_at,
         next_at = excluded.next_at, attempts = 0, version = job.version + 1, last_error = NULL
       RETURNING id`,
      parameters: [kind.name, group, key ?? null, JSON.stringify(data), due, due],
    };
  }

  async count(db: SqlRunner, kinds: readonly string[]): Promise<number> {
    const [row] = await db.query<{ jobs: number }>('SELECT COUNT(*) AS jobs FROM job WHERE kind IN (?)', [
      kinds,
    ]);
    return row?.jobs ?? 0;
  }

  async countDue(db: SqlRunner, kinds: readonly string[]): Promise<number> {
    if (kinds.length === 0) return 0;
    const [row] = await db.query<{ jobs: number }>(
      'SELECT COUNT(*) AS jobs FROM job WHERE kind IN (?) AND due_at <= ?',
      [kinds, this.clock.nowMs()],
    );
    return Number(row?.jobs ?? 0);
  }

  async drop(tx: Transaction, kinds: readonly string[]): Promise<void> {
    await tx.query('DELETE FROM job WHERE kind IN (?)', [kinds]);
  }

  async cancel(tx: Transaction, kind: string, keys: readonly string[]): Promise<number> {
    if (keys.length === 0) return 0;
    const rows = await tx.query('DELETE FROM job WHERE kind = ? AND key IN (?) RETURNING id', [kind, keys]);
    return rows.length;
  }

  /** Milliseconds until the first unleased job of a kind is due; null if there is none. */
  async soonest(filter: JobFilter): Promise<number | null> {
    const { sql, values } = this.free(filter);
    const now = this.clock.nowMs();
    const { read } = this.database;
    const [row] = await read.query<{ nextAt: number }>(
      `SELECT next_at AS "nextAt" ${sql} ORDER BY next_at, id LIMIT 1`,
      values,
    );
    if (!row || row.nextAt <= now) return row ? 0 : null;
    const late = await read.query(`SELECT id ${sql} AND ${LATE_RETRY} LIMIT 1`, [
      ...values,
      latestRetry(filter, now),
    ]);
    return late.length > 0 ? 0 : row.nextAt - now;
  }

  /**
   * Leases due jobs, so that no other node takes them; most overdue first.
   * @param mayTake called for each of them, in that order
   */
  take(filter: JobFilter, mayTake: (job: LeasedJob) => boolean): Promise<LeasedJob[]> {
    return this.transactions.run(async (tx) => {
      const { sql, values } = this.free(filter);
      const now = this.clock.nowMs();
      const lock = tx.engine === 'postgres' ? 'FOR UPDATE OF j SKIP LOCKED' : '';
      const candidates = await tx.query<LeasedJob>(
        `SELECT id, group_key AS "group", key, data, due_at AS "dueAt", attempts + 1 AS attempts, version
         ${sql} AND (next_at <= ? OR ${LATE_RETRY}) ORDER BY next_at, id LIMIT ${CANDIDATES} ${lock}`,
        [...values, now, latestRetry(filter, now)],
      );
      const taken = candidates.filter(mayTake);
      if (taken.length > 0) {
        await tx.query(
          'UPDATE job SET lease_owner = ?, lease_until = ?, attempts = attempts + 1 WHERE id IN (?)',
          [this.owner, now + LEASE_MS, taken.map(({ id }) => id)],
        );
      }
      return taken;
    });
  }

  /** @returns the jobs still leased by this node */
  async renew(ids: readonly number[]): Promise<Set<number>> {
    const rows = await this.transactions.run((tx) =>
      tx.query<{ id: number }>(
        'UPDATE job SET lease_until = ? WHERE id IN (?) AND lease_owner = ? RETURNING id',
        [this.clock.nowMs() + LEASE_MS, ids, this.owner],
      ),
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Ends the leases of a dead process, if only this process can use the database. */
  async endLeases(): Promise<void> {
    await this.transactions.run((tx) =>
      tx.query('UPDATE job SET lease_owner = NULL, lease_until = NULL WHERE lease_until IS NOT NULL'),
    );
  }

  /** Removes a job. @returns false if it was canceled, replaced or lost */
  async remove(tx: Transaction, job: LeasedJob): Promise<boolean> {
    const rows = await tx.query(`DELETE FROM job ${OWN} RETURNING id`, this.own(job));
    return rows.length > 0;
  }

  /** Removes a job, or ends its lease if it was replaced. */
  async finish(job: LeasedJob): Promise<void> {
    await this.transactions.run(async (tx) => {
      if (!(await this.remove(tx, job))) await this.endLease(tx, job);
    });
  }

  /** Stores the progress of a job. @returns false if it was canceled, replaced or lost */
  async save(job: LeasedJob, data: unknown): Promise<boolean> {
    const rows = await this.transactions.run((tx) =>
      tx.query(`UPDATE job SET data = ? ${OWN} RETURNING id`, [JSON.stringify(data), ...this.own(job)]),
    );
    return rows.length > 0;
  }

  /** Ends the lease after a failure and schedules the retry. */
  async retry(job: LeasedJob, delayMs: number, error: string): Promise<void> {
    const nextAt = this.clock.nowMs() + delayMs;
    await this.transactions.run(async (tx) => {
      await tx.query(`UPDATE job SET next_at = ?, last_error = ? ${OWN}`, [
        nextAt,
        error.slice(0, MAX_ERROR_LENGTH),
        ...this.own(job),
      ]);
      await this.endLease(tx, job);
    });
  }

  /** Ends the lease as if this attempt had not happened, so that any node can take the job. */
  async release(job: LeasedJob): Promise<void> {
    await this.transactions.run(async (tx) => {
      await tx.query(`UPDATE job SET attempts = attempts - 1 ${OWN}`, this.own(job));
      await this.endLease(tx, job);
    });
  }

  figures(): Promise<JobFigures[]> {
    return this.database.read.query<JobFigures>(
      'SELECT kind, COUNT(*) AS waiting, MIN(due_at) AS "oldestDueAt" FROM job GROUP BY kind',
    );
  }

  private async endLease(tx: Transaction, { id }: LeasedJob): Promise<void> {
    await tx.query('UPDATE job SET lease_owner = NULL, lease_until = NULL WHERE id = ? AND lease_owner = ?', [
      id,
      this.owner,
    ]);
  }

  private own({ id, version }: LeasedJob): SqlValue[] {
    return [id, this.owner, version];
  }

  /** A lease that ends later than any new one could is from before the clock was set back. */
  private free({ kind, isOrdered, exceptGroups, exceptIds }: JobFilter): { sql: string; values: SqlValue[] } {
    const now = this.clock.nowMs();
    const first = `AND NOT EXISTS (SELECT 1 FROM job older
      WHERE older.kind = j.kind AND older.group_key = j.group_key AND older.id < j.id)`;
    return {
      sql: `FROM job j WHERE kind = ? AND (lease_until IS NULL OR lease_until <= ? OR lease_until > ?)
        AND group_key NOT IN (?) AND id NOT IN (?) ${isOrdered ? first : ''}`,
      values: [kind, now, now + 2 * LEASE_MS, exceptGroups, exceptIds],
    };
  }
}

/** Latest possible time of a retry, allowing for clock differences between nodes. UNIX milliseconds. */
function latestRetry({ longestRetryMs }: JobFilter, now: number): number {
  return now + longestRetryMs + 2 * LEASE_MS;
}
