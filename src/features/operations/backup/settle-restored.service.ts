import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { THE_OPERATOR } from '../../../platform/actor';
import { writeState } from '../../../platform/database/server-state';
import { TransactionService } from '../../../platform/database/transaction.service';
import { beginQuarantine } from '../../../platform/jobs/job';
import { AuditLog } from '../../audit/audit.module';
import { LoginSessionService } from '../../users/users.module';

/** Removes from a restored database what made sense only where the backup was made. */
@Injectable()
export class SettleRestoredService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly sessions: LoginSessionService,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Clients start over: the numbers of events after the backup will be assigned again, and a client that continued
   * where it was would miss those. Sessions that ended since then do not come back. A new name for the installation
   * keeps its nodes apart from those of the original, and what waits to be sent is held back, as the original may send it.
   */
  async settle(): Promise<object> {
    await this.transactions.runExclusive(async (tx) => {
      await tx.query('DELETE FROM event_queue');
      await this.sessions.endOfEverybody(tx);
      await writeState(tx, 'installation', randomUUID());
      await beginQuarantine(tx, 'it was restored from a backup');
      this.audit.record(tx, THE_OPERATOR, 'server.restored', {});
    });
    return {};
  }
}
