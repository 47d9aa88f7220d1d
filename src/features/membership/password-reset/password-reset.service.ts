import { Injectable } from '@nestjs/common';
import { NoResetByMail, ResetLinkOver } from './reset-pages';
import type { Actor, Caller } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import { Config } from '../../../platform/config/config';
import { TransactionService } from '../../../platform/database/transaction.service';
import { RateLimitHit } from '../../../platform/errors/request.errors';
import { Directories } from '../../../platform/events/directories';
import { defineJob } from '../../../platform/jobs/job';
import { Jobs } from '../../../platform/jobs/jobs.service';
import type { MailMessage } from '../../../platform/mail/mail-message';
import { Mailer } from '../../../platform/mail/mailer.service';
import { RequestLimit } from '../../../platform/secrets/login-throttle';
import { SecretLinks, SIGNATURE_LENGTH } from '../../../platform/secrets/secret-links';
import { AuditLog } from '../../audit/audit.module';
import { type FormSender, LinkSignIn } from '../../auth/auth.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import {
  AccountChanges,
  AccountDirectory,
  type AccountRecord,
  AccountRules,
  ActorTransactions,
  emailKey,
  FirstLoginService,
  linkBasis,
  type LinkBasis,
  PasswordService,
  type StartedSession,
  UserAccess,
  NewPasswords,
} from '../../users/users.module';

const PURPOSE = 'password-resets';

/** Lifetime of a link. */
const RESET_SECONDS = 3_600;

const TOKEN = new RegExp(`^(\\d{1,10})-(\\d{1,12})-([a-z2-7]{${SIGNATURE_LENGTH}})$`);

/** Path prefix of links for new passwords. */
export const RESET_PATH = 'accounts/password/reset';

/** The properties on which a link depends. */
type Grounds = LinkBasis & Pick<AccountRecord, 'isActive' | 'isBot' | 'isDeleted'>;

/**
 * Links with which people set a new password. Nothing is stored: their secret part is derived from the account, so that
 * a link becomes invalid when it is used, and with any other change of role, password, address or key.
 */
@Injectable()
export class ResetLinks {
  constructor(
    private readonly links: SecretLinks,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** @param seconds lifetime of the link */
  urlFor(account: Grounds, seconds = RESET_SECONDS): string {
    const expiresAt = this.clock.nowSeconds() + seconds;
    const secret = this.links.signature(PURPOSE, linkBasis(account, expiresAt));
    return `${this.config.externalUrl}/${RESET_PATH}/${account.id}-${expiresAt}-${secret}`;
  }

  /** The account that a link claims to be for; null for an invalid or expired link. */
  accountIdIn(token: string): number | null {
    const [, id, expiresAt] = TOKEN.exec(token) ?? [];
    return id !== undefined && Number(expiresAt) > this.clock.nowSeconds() ? Number(id) : null;
  }

  /** Whether the link was created for the current state of this account. */
  isFor(token: string, account: Grounds): boolean {
    const [, id, expiresAt, secret] = TOKEN.exec(token) ?? [];
    if (secret === undefined || Number(id) !== account.id || !mayReset(account)) return false;
    return this.links.matches(PURPOSE, linkBasis(account, Number(expiresAt)), secret);
  }
}

/** Whether a link would work: bots have no password, and deactivated people cannot return with a new one. */
export function mayReset({
  isActive,
  isBot,
  isDeleted,
}: Pick<Grounds, 'isActive' | 'isBot' | 'isDeleted'>): boolean {
  return isActive && !isBot && !isDeleted;
}

/** A link to set a new password. */
export interface PasswordLink {
  readonly url: string;
  /** Lifetime in seconds. The link becomes invalid earlier with any change of role, password, address or key. */
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

/** A reset requested for an address that may not belong to an account. Its key is the address. */
const resetMail = defineJob<{ readonly email: string; readonly requestedAt: number }>('password_reset_mail');

const WHAT = 'password reset';
const HOUR_MS = 3_600_000;

/** Requests from one client, for any addresses. */
const FROM_ONE_CLIENT = { times: 20, withinMs: HOUR_MS };

/** Mails to one address. */
const TO_ONE_ADDRESS = { times: 3, withinMs: HOUR_MS };

/**
 * Emails password reset links. A request takes the same steps whether or not an account has the address, so neither the
 * response nor its timing reveals it; the job looks the account up later.
 */
@Injectable()
export class RequestResetService {
  constructor(
    private readonly directories: Directories,
    private readonly mailer: Mailer,
    private readonly jobs: Jobs,
    private readonly passwords: PasswordService,
    private readonly transactions: TransactionService,
    private readonly limit: RequestLimit,
    private readonly accounts: AccountDirectory,
    private readonly rules: AccountRules,
    private readonly links: ResetLinks,
    private readonly organization: OrganizationDirectory,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {
    mailer.handle(resetMail, (data) => this.compose(data));
  }

  /** @throws NoResetByMail */
  requireAvailable(): void {
    if (!this.mailer.isAvailable) throw new NoResetByMail();
  }

  /**
   * Requests a link by email. Silently sends none if the address received several recently.
   * @throws NoResetByMail, InvalidEmail, RateLimitHit
   */
  async request(email: string, { address }: Caller): Promise<void> {
    this.requireAvailable();
    this.rules.requireUsableEmail(email);
    if (!(await this.limit.takeFrom(address, WHAT, FROM_ONE_CLIENT))) {
      throw new RateLimitHit(HOUR_MS / 1000);
    }
    const key = emailKey(email);
    if (!(await this.limit.takeFor(key, WHAT, TO_ONE_ADDRESS))) return;
    const data = { email: key, requestedAt: this.clock.nowSeconds() };
    await this.transactions.run((tx) => this.jobs.enqueue(tx, { kind: resetMail, key, data }));
  }

  private async compose({
    email,
    requestedAt,
  }: {
    readonly email: string;
    readonly requestedAt: number;
  }): Promise<MailMessage | null> {
    // Another node may have received the request, just after the address was assigned there.
    await this.directories.catchUp();
    if (this.organization.isDeactivated) return null;
    if (this.clock.nowSeconds() - requestedAt > RESET_SECONDS) return null;
    const known = this.accounts.byDeliveryEmail(email);
    if (!known || !mayReset(known) || (await this.passwords.isPasswordInDirectory(known.id))) return null;
    const passwordHash = await this.passwords.hashOf(known.id);
    const { name } = this.organization.settings;
    return {
      to: known.deliveryEmail,
      fromName: name,
      title: `Reset your password for ${name}`,
      paragraphs: [
        `Hello ${known.fullName},`,
        `A password reset was requested for your account at ${name}, ${this.config.externalUrl}.`,
      ],
      link: { label: 'Set a new password', url: this.links.urlFor({ ...known, passwordHash }) },
      closing: [
        'The link works once and expires in one hour.',
        'If you didn’t request this, ignore this email. Your password stays the same.',
      ],
    };
  }
}

/** The result of a reset: a session and its first page, or null if the user has to sign in. */
type ResetOutcome =
  { readonly session: null } | { readonly session: StartedSession; readonly leadsTo: string };

/** Lets people who follow a link set a new password. */
@Injectable()
export class ResetPasswordService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly current: PasswordService,
    private readonly transactions: TransactionService,
    private readonly links: ResetLinks,
    private readonly passwords: NewPasswords,
    private readonly changes: AccountChanges,
    private readonly audit: AuditLog,
    private readonly linkSignIn: LinkSignIn,
    private readonly firstLogin: FirstLoginService,
  ) {}

  /** The account that a link belongs to. @throws ResetLinkOver */
  async accountFor(token: string): Promise<AccountRecord> {
    const id = this.links.accountIdIn(token);
    const account = id === null ? undefined : this.accounts.byId(id);
    if (!account) throw new ResetLinkOver();
    const passwordHash = await this.current.hashOf(account.id);
    if (!this.links.isFor(token, { ...account, passwordHash })) throw new ResetLinkOver();
    return account;
  }

  /**
   * Sets the password, ends all sessions of the account, and starts one in the browser that sent the form if the link
   * is enough to sign in.
   * @throws ResetLinkOver, WeakPassword
   */
  async reset(token: string, password: string, sender: FormSender): Promise<ResetOutcome> {
    const account = await this.accountFor(token);
    const { id, awaitsFirstLogin } = account;
    const passwordHash = await this.passwords.hash(password, account);
    const session = await this.transactions.runExclusive(async (tx) => {
      const row = await this.changes.load(tx, id);
      // Of two concurrent uses, the second finds a different password.
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
