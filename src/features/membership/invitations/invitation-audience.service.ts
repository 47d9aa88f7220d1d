import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import { AccountDirectory } from '../../users/users.module';
import { invitesChanged } from './invitation-records.api';

/** Emits `invites_changed` to everyone who can see invitations. */
@Injectable()
export class InvitationAudienceService {
  constructor(private readonly accounts: AccountDirectory) {}

  /** Administrators, and the inviter, if active. */
  tell(tx: Transaction, inviterId: number): void {
    const isThere = this.accounts.byId(inviterId)?.isActive ?? false;
    const inviter = Audience.of(isThere ? [inviterId] : []);
    tx.emit(invitesChanged({}), this.accounts.administrators.union(inviter));
  }

  /** Emits to administrators when the inviter leaves. */
  tellAdministrators(tx: Transaction, inviterId: number): void {
    tx.emit(invitesChanged({}), this.accounts.administrators.without([inviterId]));
  }
}
