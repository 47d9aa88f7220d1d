import { Injectable } from '@nestjs/common';
import { type Actor, isOwner } from '../../platform/actor';
import { Clock } from '../../platform/clock';
import { MustBeOwner } from '../../platform/errors/shared.errors';
import { AuditLog } from '../audit/audit.module';
import { OrganizationDirectory } from '../organization-settings/organization-settings.module';
import { AccountDirectory, ActorTransactions, LoginSessionService } from '../users/users.module';
import { DataDeletionUnsupported, organizationDeactivated } from './deactivation.api';

/**
 * Deactivates and reactivates the organization. While deactivated, every request is refused, and accounts, keys and
 * data stay unchanged.
 */
@Injectable()
export class DeactivationService {
  constructor(
    private readonly transactions: ActorTransactions,
    private readonly organization: OrganizationDirectory,
    private readonly accounts: AccountDirectory,
    private readonly sessions: LoginSessionService,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Signs everyone out of the companion interface and emits the deactivation to clients, whose next request is refused.
   * @param deletionDelayDays after which to delete data; null to keep it
   * @returns whether it was active
   * @throws MustBeOwner, DataDeletionUnsupported
   */
  deactivate(caller: Actor, deletionDelayDays: number | null = null): Promise<boolean> {
    return this.transactions.runExclusive(caller, async (tx, actor) => {
      if (!isOwner(actor)) throw new MustBeOwner();
      if (deletionDelayDays !== null) throw new DataDeletionUnsupported();
      if (this.organization.isDeactivated) return false;
      await this.organization.store(tx, 'deactivated_at', this.clock.nowSeconds());
      await this.sessions.endAllSessions(tx);
      this.audit.record(tx, actor, 'organization.deactivated', {});
      tx.emit(organizationDeactivated(), this.accounts.active);
      return true;
    });
  }

  /** @returns whether it was deactivated */
  reactivate(operator: Actor): Promise<boolean> {
    return this.transactions.runExclusive(operator, async (tx, actor) => {
      if (!this.organization.isDeactivated) return false;
      await this.organization.store(tx, 'deactivated_at', null);
      this.audit.record(tx, actor, 'organization.reactivated', {});
      return true;
    });
  }
}
