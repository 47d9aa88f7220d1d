import { Injectable } from '@nestjs/common';
import type { Actor } from '../platform/actor';
import type { Transaction } from '../platform/database/transaction.service';
import { AuditLog } from '../features/audit/audit.module';

/** What owners find in the audit log about what modules do. */
@Injectable()
export class ModuleAudit {
  constructor(private readonly audit: AuditLog) {}

  /**
   * Records a change to other users or to the organization, in the transaction of the change.
   * @param what such as `polls.closed`; the name of the module comes first
   * @param details no secrets, no contents of messages, and nothing that says who a person is
   */
  async record(
    tx: Transaction,
    actor: Actor,
    what: string,
    details: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    this.audit.record(tx, actor, 'module.acted', {}, { what, ...details });
  }
}
