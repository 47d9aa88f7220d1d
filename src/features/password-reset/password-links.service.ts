import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import { TransactionService } from '../../platform/database/transaction.service';
import { AuditLog } from '../audit';
import { PasswordService, UserAccess } from '../users';
import { RESET_SECONDS, ResetLinks } from './reset-links.service';

/** A link with which somebody sets a new password. */
export interface PasswordLink {
  readonly url: string;
  /** Seconds for which it works. It ends earlier with any change of password, address or key. */
  readonly expires_in: number;
}

/** Makes links for new passwords without a mail: whoever made one hands it over. */
@Injectable()
export class PasswordLinksService {
  constructor(
    private readonly access: UserAccess,
    private readonly passwords: PasswordService,
    private readonly links: ResetLinks,
    private readonly transactions: TransactionService,
    private readonly audit: AuditLog,
  ) {}

  /** @throws NoSuchUser, UserDeactivated, MustBeOwner, UserIsDeleted */
  async create(actor: Actor, userId: number): Promise<PasswordLink> {
    const account = this.access.forAdministration(actor, userId);
    const passwordHash = await this.passwords.hashOf(userId);
    const url = this.links.urlFor({ ...account, passwordHash });
    await this.transactions.run(async (tx) =>
      this.audit.record(tx, actor, 'user.password_link_made', { userId }),
    );
    return { url, expires_in: RESET_SECONDS };
  }
}
