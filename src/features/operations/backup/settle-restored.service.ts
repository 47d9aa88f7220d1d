import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { THE_OPERATOR } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import { writeState } from '../../../platform/database/server-state';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { beginQuarantine } from '../../../platform/jobs/job';
import { AuditLog } from '../../audit/audit.module';
import { LoginSessionService } from '../../users/users.module';

/** A key that counts in a restored database, whatever became of it after the backup. */
export interface RestoredKey {
  readonly id: number;
  readonly name: string;
  /** Address of its account; null for the key of a directory. */
  readonly account: string | null;
}

/** Removes from a restored database what made sense only where the backup was made. */
@Injectable()
export class SettleRestoredService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly sessions: LoginSessionService,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Clients start over: the numbers of events after the backup will be reused, and a client that continued would miss
   * those. Sessions that ended since then are not restored. A new installation name separates its nodes from those of
   * the original, and outgoing messages are held back, as the original may send them.
   */
  async settle(): Promise<{ keys: readonly RestoredKey[] }> {
    return this.transactions.runExclusive(async (tx) => {
      await tx.query('DELETE FROM event_queue');
      await this.sessions.endAllSessions(tx);
      await writeState(tx, 'installation', randomUUID());
      await beginQuarantine(tx, 'it was restored from a backup');
      this.audit.record(tx, THE_OPERATOR, 'server.restored', {});
      return { keys: await this.keys(tx) };
    });
  }

  private async keys(tx: Transaction): Promise<RestoredKey[]> {
    const named = await tx.query<RestoredKey>(
      `SELECT k.id, k.name, a.delivery_email AS account FROM named_key k JOIN account a ON a.id = k.user_id
       WHERE k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ?) AND a.is_active = ?
       ORDER BY k.id`,
      [this.clock.nowSeconds(), true],
    );
    const directories = await tx.query<RestoredKey>(
      'SELECT id, directory AS name, NULL AS account FROM scim_key ORDER BY id',
    );
    return [...named, ...directories];
  }
}
