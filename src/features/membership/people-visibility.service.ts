import { Injectable } from '@nestjs/common';
import { isGuest } from '../../platform/actor';
import type { Transaction } from '../../platform/database/transaction.service';
import { Audience } from '../../platform/events/audience';
import { GuestVisibilityService } from '../channels';
import { AccountDirectory, seesDeliveryEmail, userUpdated, UserVisibility, type Viewer } from '../users';

/** Shows and hides people, and their addresses, to somebody whose role changes. */
@Injectable()
export class PeopleVisibilityService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly visibility: UserVisibility,
    private readonly guests: GuestVisibilityService,
  ) {}

  async emitChanges(tx: Transaction, before: Viewer, after: Viewer): Promise<void> {
    // What holds for guests in general: the groups that the new role brings do not show yet.
    const isRestricted = this.visibility.isRestricted(null);
    if (!isRestricted || isGuest(before) === isGuest(after)) {
      this.emitAddresses(tx, before, after, () => true);
      return;
    }
    const partners = await this.visibility.partnersOf(tx, after.userId);
    if (isGuest(after)) await this.guests.emitSeePartners(tx, [after.userId]);
    this.emitAddresses(tx, before, after, (userId) => partners.has(userId));
    if (isGuest(before)) await this.guests.emitSeeAll(tx, [after.userId], after.role);
  }

  /** @param isKnown whether the person knows of somebody before and after the change */
  private emitAddresses(
    tx: Transaction,
    before: Viewer,
    after: Viewer,
    isKnown: (userId: number) => boolean,
  ): void {
    for (const account of this.accounts.all()) {
      if (!isKnown(account.id)) continue;
      const isShown = seesDeliveryEmail(after, account);
      if (isShown === seesDeliveryEmail(before, account)) continue;
      const person = { user_id: account.id, delivery_email: isShown ? account.deliveryEmail : null };
      tx.emit(userUpdated({ person }), Audience.of([after.userId]));
    }
  }
}
