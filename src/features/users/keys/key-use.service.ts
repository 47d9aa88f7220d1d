import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Caller } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import { TransactionService } from '../../../platform/database/transaction.service';
import { UsageRecorder } from '../../../platform/database/usage-recorder';
import { AuditLog } from '../../audit/audit.module';
import { type KnownKey, NamedKeyDirectory } from './named-keys.directory';

/** Accepts requests with named keys, and records when and from where keys are used, even after they ended. */
@Injectable()
export class KeyUse implements OnModuleDestroy {
  private readonly uses: UsageRecorder;
  private readonly refusals: UsageRecorder;

  constructor(
    private readonly keys: NamedKeyDirectory,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
    transactions: TransactionService,
  ) {
    this.uses = new UsageRecorder('a named API key', transactions, clock);
    this.refusals = new UsageRecorder('an ended API key', transactions, clock);
  }

  /**
   * Finds the named key that a request sent, using the table in memory.
   * @param from called only if there is such a key
   * @returns null if there is none, or it has ended: callers do not learn which
   */
  admit(userId: number, given: string, from: () => Caller): KnownKey | null {
    const key = this.keys.find(userId, given);
    if (!key) return null;
    const reason = this.whyEnded(key);
    if (reason === null) {
      this.noteUse(key, from());
      return key;
    }
    const caller = from();
    this.refusals.note(key.id, 0, async (tx) =>
      this.audit.record(tx, caller, 'key.refused', { id: key.id, userId }, { reason }),
    );
    return null;
  }

  /** Waits until everything so far is written. */
  async settled(): Promise<void> {
    await this.uses.settled();
    await this.refusals.settled();
  }

  onModuleDestroy(): Promise<void> {
    return this.settled();
  }

  private whyEnded({ revokedAt, expiresAt }: KnownKey): 'revoked' | 'expired' | null {
    if (revokedAt !== null) return 'revoked';
    return expiresAt !== null && expiresAt <= this.clock.nowSeconds() ? 'expired' : null;
  }

  private noteUse({ id }: KnownKey, { address }: Caller): void {
    this.uses.note(id, 0, (tx, now) =>
      tx.query('UPDATE named_key SET last_used_at = ?, last_address = ? WHERE id = ?', [now, address, id]),
    );
  }
}
