import { Injectable } from '@nestjs/common';
import { TransactionService } from '../../../platform/database/transaction.service';
import { Passwords } from '../../../platform/secrets/passwords';
import { AuditLog } from '../../audit/audit.module';
import { type FormSender, LinkSignIn } from '../../auth/auth.module';
import {
  AccountChanges,
  AccountDirectory,
  type AccountRecord,
  FirstLoginService,
  PasswordService,
  type StartedSession,
} from '../../users/users.module';
import { ResetLinks } from './reset-links.service';
import { ResetLinkOver } from './reset-pages';

/** The result of a reset: a session and its first page, or null if the user has to sign in. */
export type ResetOutcome =
  { readonly session: null } | { readonly session: StartedSession; readonly leadsTo: string };

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
    private readonly linkSignIn: LinkSignIn,
    private readonly firstLogin: FirstLoginService,
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

  /**
   * Also ends all sessions of the account, and starts one in the browser that sent the form if the link is enough to sign in.
   * @throws ResetLinkOver, WeakPassword
   */
  async reset(token: string, password: string, sender: FormSender): Promise<ResetOutcome> {
    const { id, awaitsFirstLogin } = await this.accountFor(token);
    this.passwords.requireStrong(password);
    const passwordHash = await this.passwords.hash(password);
    const session = await this.transactions.runExclusive(async (tx) => {
      const row = await this.changes.load(tx, id);
      // Of two who use it at once, the second finds another password.
      if (!this.links.isFor(token, row)) throw new ResetLinkOver();
      row.passwordHash = passwordHash;
      await this.changes.save(tx, row);
      this.audit.record(tx, sender.caller, 'user.password_changed', { userId: id }, { by_link: true });
      return this.linkSignIn.begin(tx, row, sender);
    });
    if (!session) return { session };
    await this.firstLogin.recordIfFirst(id);
    return { session, leadsTo: awaitsFirstLogin ? this.linkSignIn.firstPageOf(id) : '/' };
  }
}
