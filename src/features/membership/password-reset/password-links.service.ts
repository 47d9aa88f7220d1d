import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { AuditLog } from '../../audit/audit.module';
import { AccountChanges, ActorTransactions, UserAccess } from '../../users/users.module';
import { RESET_SECONDS, ResetLinks } from './reset-links.service';

/** A link to set a new password. */
export interface PasswordLink {
  readonly url: string;
  /** Seconds for which it works. It ends earlier with any change of role, password, address or key. */
  readonly expires_in: number;
}

/** Creates password links without email: the administrator passes them on. */
@Injectable()
export class PasswordLinksService {
  constructor(
    private readonly access: UserAccess,
    private readonly changes: AccountChanges,
    private readonly links: ResetLinks,
    private readonly transactions: ActorTransactions,
    private readonly audit: AuditLog,
  ) {}

  /** @throws MustBeAdministrator, NoSuchUser, UserDeactivated, MustBeOwner, UserIsDeleted */
  async create(actor: Actor, userId: number): Promise<PasswordLink> {
    const url = await this.transactions.runForAdministrator(actor, async (tx, current) => {
      this.access.forAdministration(current, userId);
      this.audit.record(tx, current, 'user.password_link_made', { userId });
      return this.links.urlFor(await this.changes.load(tx, userId));
    });
    return { url, expires_in: RESET_SECONDS };
  }
}
