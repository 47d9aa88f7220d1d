import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../platform/actor';
import { TransactionService } from '../../../platform/database/transaction.service';
import { Passwords } from '../../../platform/secrets/passwords';
import { AuditLog } from '../../audit/audit.module';
import {
  AccountChanges,
  AccountDirectory,
  type AccountRecord,
  PasswordService,
} from '../../users/users.module';
import { ResetLinks } from './reset-links.service';
import { ResetLinkOver } from './reset-pages';

/** Lets people who follow a link set a new password. */
@Injectable()
export class ResetPasswordService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly current: PasswordService,
    private readonly transactions: TransactionService,
    private readonly links: ResetLinks,
    private readonly passwords: Passwords,
    private readonly changes: AccountChanges,
    private readonly audit: AuditLog,
  ) {}

  /** The account that a link is for. @throws ResetLinkOver */
  async accountFor(token: string): Promise<AccountRecord> {
    const id = this.links.accountIdIn(token);
    const account = id === null ? undefined : this.accounts.byId(id);
    if (!account) throw new ResetLinkOver();
    const passwordHash = await this.current.hashOf(account.id);
    if (!this.links.isFor(token, { ...account, passwordHash })) throw new ResetLinkOver();
    return account;
  }

  /** Ends all sessions of the account as well. @throws ResetLinkOver, WeakPassword */
  async reset(token: string, password: string, caller: Caller): Promise<void> {
    const { id } = await this.accountFor(token);
    this.passwords.requireStrong(password);
    const passwordHash = await this.passwords.hash(password);
    await this.transactions.runExclusive(async (tx) => {
      const row = await this.changes.load(tx, id);
      // Of two who use it at once, the second finds another password.
      if (!this.links.isFor(token, row)) throw new ResetLinkOver();
      row.passwordHash = passwordHash;
      await this.changes.save(tx, row);
      this.audit.record(tx, caller, 'user.password_changed', { userId: id }, { by_link: true });
    });
  }
}
