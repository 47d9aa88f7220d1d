import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { AuditLog } from '../../audit/audit.module';
import { AccountSubscriptionsService } from '../../channels/channels.module';
import {
  AccountActivityService,
  CannotDeactivateOnlyOwner,
  OrganizationOwners,
} from '../../membership/membership.module';
import { TombstoneService } from '../../users/users.module';
import { WouldLockOneselfOut } from './people.api';
import { PersonAccess } from './person.access';
import { PersonReferencesService } from './person-references.service';

/** Deletes people permanently once nothing refers to them. A tombstone remains. */
@Injectable()
export class DeletePersonService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly access: PersonAccess,
    private readonly owners: OrganizationOwners,
    private readonly references: PersonReferencesService,
    private readonly subscriptions: AccountSubscriptionsService,
    private readonly activity: AccountActivityService,
    private readonly tombstones: TombstoneService,
    private readonly audit: AuditLog,
  ) {}

  /**
   * @throws MustBeAdministrator, NoSuchUser, UserIsDeleted, MustBeOwner, CannotDeactivateOnlyOwner,
   *   WouldLockOneselfOut, PersonInUse, and errors of features that keep the person, such as PersonHeld
   */
  async delete(caller: Actor, userId: number): Promise<void> {
    await this.transactions.runExclusive(async (tx) => {
      const actor = this.access.administrator(caller);
      const account = this.access.forChange(actor, userId);
      if (this.owners.isOnlyOwner(account)) throw new CannotDeactivateOnlyOwner();
      if (account.id === actor.userId) throw new WouldLockOneselfOut('delete your own account');
      await this.awaitMessagesOf(tx, account.id);
      await this.references.requireDeletable(tx, account);
      await this.activity.deactivate(tx, actor, account);
      await this.tombstones.put(tx, account.id);
      this.audit.record(tx, actor, 'user.deleted', { userId });
    });
  }

  /** Waits for messages that the person is currently sending, so that they are counted. */
  private async awaitMessagesOf(tx: Transaction, userId: number): Promise<void> {
    if (tx.engine === 'sqlite') return;
    await this.subscriptions.lock(tx, userId);
    await tx.query('SELECT id FROM account WHERE id = ? FOR UPDATE', [userId]);
  }
}
