import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type AuditAction, type AuditDetails, storedDetails } from './audit-actions';
import { accountActionRecorded } from './audit.hooks';
import { type Caller, THE_SERVER } from '../../platform/actor';
import { Clock } from '../../platform/clock';
import { chunksOf } from '../../platform/collections';
import { Config } from '../../platform/config/config';
import { writeState } from '../../platform/database/server-state';
import { type Transaction, TransactionService } from '../../platform/database/transaction.service';
import { Hooks } from '../../platform/hooks/hooks';
import { PeriodicTask } from '../../platform/lifecycle/periodic-task';
import { secretChanged } from '../../platform/secrets/server-secret';

/** Who acted: an actor, or a caller who is not signed in. */
export type AuditAuthor = Caller & { readonly userId?: number };

/** The target of an action. */
interface AuditTarget {
  /** ID of an object of the kind in the action; omitted for accounts, and if there is no specific object. */
  readonly id?: number;
  /** Affected account or accounts: each gets an entry. */
  readonly userId?: number | readonly number[];
}

const INSERT = `INSERT INTO audit_entry
  (created_at, way, address, client_name, actor_id, action, target_user_id, target_id, details) VALUES`;
const ROW = '(?, ?, ?, ?, ?, ?, ?, ?, ?)';

/** Small enough for one statement. */
const ROWS_PER_STATEMENT = 500;

/**
 * Records changes for later review. The caller records each change in its own transaction, so that change and entry are
 * stored together or not at all.
 */
@Injectable()
export class AuditLog {
  constructor(
    private readonly clock: Clock,
    private readonly hooks: Hooks,
  ) {
    hooks.on(secretChanged, async (tx) => this.record(tx, THE_SERVER, 'server.secret_changed', {}));
  }

  /**
   * Records an actor's change. For commands and the server, the entry names no actor, whichever account they use.
   * Entries are written with the last statements of the transaction, without a round trip.
   */
  record(
    tx: Transaction,
    by: AuditAuthor,
    action: AuditAction,
    { id, userId }: AuditTarget,
    details: AuditDetails = {},
  ): void {
    const { way, address, clientName, limit } = by;
    const stored = storedDetails(limit ? { ...details, by_key: limit.keyId } : details);
    const isByAccount = way === 'main' || way === 'companion';
    const actorId = isByAccount ? (by.userId ?? null) : null;
    const before = [this.clock.nowSeconds(), way, address, clientName, actorId, action];
    const users = typeof userId === 'object' ? userId : [userId ?? null];
    const accounts = users.filter((user) => user !== null);
    if (accounts.length > 0) this.hooks.ask(accountActionRecorded, tx, action, accounts);
    for (const some of chunksOf(users, ROWS_PER_STATEMENT)) {
      const rows = some.map((user) => [...before, user, id ?? user, stored]);
      tx.atEnd(`${INSERT} ${rows.map(() => ROW).join(', ')}`, rows.flat());
    }
  }

  /**
   * Erases the addresses and client programs of a deleted person's entries. The entries themselves stay: their ID no
   * longer identifies anyone.
   */
  forget(tx: Transaction, userId: number): void {
    tx.atEnd(
      `UPDATE audit_entry SET address = '', client_name = ''
       WHERE actor_id = ? OR (actor_id IS NULL AND target_user_id = ?)`,
      [userId, userId],
    );
  }
}

const INTERVAL_MS = 3_600_000;
const SECONDS_A_DAY = 86_400;

/** Small enough to let other writes in between. */
const ROWS_PER_STEP = 500;

/** Key of the time before which entries may be deleted; the database refuses to delete others. UNIX seconds. */
const KEPT_SINCE = 'audit log kept since';

/** Deletes entries that are older than the operator's retention: the only way to delete from the log. */
@Injectable()
export class AuditExpiry implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task = new PeriodicTask('AuditExpiry', () => this.expire());

  constructor(
    private readonly transactions: TransactionService,
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly log: AuditLog,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.auditRetentionDays > 0) this.task.start(INTERVAL_MS, { clock: this.clock });
  }

  onModuleDestroy(): Promise<void> {
    return this.task.stop();
  }

  /** Deletes all expired entries, and records that in the log. */
  async expire(): Promise<void> {
    const { auditRetentionDays: days } = this.config;
    if (days === 0) return;
    const before = this.clock.nowSeconds() - days * SECONDS_A_DAY;
    while (!this.task.isStopping && (await this.expireSome(before))) await nextTurn();
  }

  /** @returns whether there may be more to delete */
  private async expireSome(before: number): Promise<boolean> {
    return this.transactions.run(async (tx) => {
      await writeState(tx, KEPT_SINCE, String(before));
      const deleted = await tx.query(
        `DELETE FROM audit_entry WHERE id IN
           (SELECT id FROM audit_entry WHERE created_at < ? ORDER BY created_at LIMIT ?)
         RETURNING id`,
        [before, ROWS_PER_STEP],
      );
      const details = { entries: deleted.length, kept_since: before };
      if (deleted.length > 0) this.log.record(tx, THE_SERVER, 'server.audit_log_expired', {}, details);
      return deleted.length === ROWS_PER_STEP;
    });
  }
}
