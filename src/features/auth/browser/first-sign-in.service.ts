import { Injectable } from '@nestjs/common';
import type { Actor, Caller } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import type { RequestOrigin } from '../../../platform/http/decorators';
import { SecretLinks, SIGNATURE_LENGTH } from '../../../platform/secrets/secret-links';
import { AuditLog, differences } from '../../audit/audit.module';
import {
  organizationSettingChanged,
  OrganizationDirectory,
} from '../../organization-settings/organization-settings.module';
import {
  AccountChanges,
  AccountDirectory,
  type AccountRecord,
  actorOf,
  linkBasis,
  type LinkBasis,
  PasswordService,
  SecondFactors,
  SessionStart,
  SignInFailures,
  type StartedSession,
  NewPasswords,
} from '../../users/users.module';
import { FirstSignInOver } from './sign-in-pages';
import type { FirstChoices, FirstNames } from './sign-in.api';

const PURPOSE = 'first-sign-in';

/** Lifetime of the link. */
const LINK_SECONDS = 30 * 60;

const CODE = new RegExp(`^(\\d{1,10})-(\\d{1,12})-([a-z2-7]{${SIGNATURE_LENGTH}})$`);

/** The properties on which the link depends. */
type Grounds = LinkBasis & Pick<AccountRecord, 'isActive'>;

/**
 * The link with which the owner of a new server signs in, without a password to copy. Nothing is stored: its secret
 * part is derived from the account, so that it becomes invalid when the password is replaced, which using it does, and
 * with any other change of role, address or key.
 */
@Injectable()
export class FirstSignInService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly current: PasswordService,
    private readonly passwords: NewPasswords,
    private readonly changes: AccountChanges,
    private readonly starts: SessionStart,
    private readonly factors: SecondFactors,
    private readonly transactions: TransactionService,
    private readonly links: SecretLinks,
    private readonly organization: OrganizationDirectory,
    private readonly audit: AuditLog,
    private readonly failures: SignInFailures,
    private readonly clock: Clock,
  ) {}

  /** @param site the URL under which the owner reaches the server */
  async linkFor(email: string, site: string): Promise<string> {
    const account = this.accounts.byDeliveryEmail(email) as AccountRecord;
    const expiresAt = this.clock.nowSeconds() + LINK_SECONDS;
    const passwordHash = await this.current.hashOf(account.id);
    const secret = this.links.signature(PURPOSE, linkBasis({ ...account, passwordHash }, expiresAt));
    return `${site}/login/first?code=${account.id}-${expiresAt}-${secret}`;
  }

  /** The initial values of the form. */
  get names(): FirstNames {
    return { fullName: '', organization: this.organization.settings.name };
  }

  /** The account that a code belongs to. @throws FirstSignInOver */
  async accountFor(code: string): Promise<AccountRecord> {
    const [, id, expiresAt] = CODE.exec(code) ?? [];
    const account = Number(expiresAt) > this.clock.nowSeconds() ? this.accounts.byId(Number(id)) : undefined;
    if (!account) throw new FirstSignInOver();
    const passwordHash = await this.current.hashOf(account.id);
    if (!this.isFor(code, { ...account, passwordHash })) throw new FirstSignInOver();
    return account;
  }

  /** Like `accountFor`, for a submitted form: a refusal is recorded. @throws FirstSignInOver */
  async accountSigningIn(code: string, caller: Caller): Promise<AccountRecord> {
    return this.accountFor(code).catch((error: unknown) => {
      if (error instanceof FirstSignInOver) this.failures.record(caller, 'link_over');
      throw error;
    });
  }

  /**
   * Sets password and names, ends all sessions, and starts one. @throws FirstSignInOver, WeakPassword, and invalid
   * names
   */
  async signIn(
    code: string,
    { password, fullName, organization }: FirstChoices,
    caller: Caller,
    origin: RequestOrigin,
  ): Promise<StartedSession> {
    const account = await this.accountFor(code);
    const passwordHash = await this.passwords.hash(password, account);
    return this.transactions.runExclusive(async (tx) => {
      const row = await this.changes.load(tx, account.id);
      // Of two concurrent uses, the second finds a different password.
      if (!this.isFor(code, row)) throw new FirstSignInOver();
      // The owner has signed in by password in the meantime, and the link does not replace a second factor.
      if (await this.factors.isOnIn(tx, row.id)) throw new FirstSignInOver();
      row.passwordHash = passwordHash;
      const actor = actorOf(account, caller);
      if (fullName !== '' && fullName !== row.fullName) {
        await this.changes.rename(tx, row, fullName);
        this.audit.record(tx, actor, 'user.renamed', { userId: row.id });
      }
      await this.changes.save(tx, row);
      this.audit.record(tx, actor, 'user.password_changed', { userId: row.id });
      await this.nameOrganization(tx, actor, organization);
      this.audit.record(tx, actor, 'user.signed_in', { userId: row.id });
      return this.starts.begin(tx, row, 'browser', origin);
    });
  }

  private async nameOrganization(tx: Transaction, actor: Actor, name: string): Promise<void> {
    const changes = differences(this.organization.settings, { name });
    if (name === '' || !changes) return;
    await this.organization.store(tx, 'name', name);
    this.audit.record(tx, actor, 'organization.changed', {}, changes);
    for (const event of organizationSettingChanged({ name })) tx.emit(event, this.accounts.active);
  }

  private isFor(code: string, account: Grounds): boolean {
    const [, owner, expiresAt, secret] = CODE.exec(code) ?? [];
    if (secret === undefined || Number(owner) !== account.id || !account.isActive) return false;
    return this.links.matches(PURPOSE, linkBasis(account, Number(expiresAt)), secret);
  }
}
