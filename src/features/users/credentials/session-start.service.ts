import { Injectable } from '@nestjs/common';
import { type Caller, roleName } from '../../../platform/actor';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { OrganizationClosed } from '../../../platform/errors/shared.errors';
import { Hooks } from '../../../platform/hooks/hooks';
import type { RequestOrigin } from '../../../platform/http/decorators';
import { AccessTokens } from '../../../platform/secrets/access-tokens';
import { LoginThrottled } from '../../../platform/secrets/secrets.errors';
import { type AuditDetails, AuditLog } from '../../audit/audit.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { AccountDirectory, type AccountRecord, actorOf } from '../accounts/account.directory';
import type { Account } from '../accounts/account.entity';
import { AccountChanges } from '../records/account-changes.service';
import type { SessionKind } from '../sessions/login-session.entity';
import { LoginSessionService, type SessionAuthentication } from '../sessions/login-session.service';
import { SecondFactorRequired, WrongCode } from '../factors/second-factors.api';
import { type DeviceToken, RememberedDevices } from '../factors/remembered-devices.service';
import { PasskeyChallenges } from '../factors/passkey-challenges.service';
import { PasskeyProofs } from '../factors/passkey-proofs.service';
import { type PasskeyProof, WrongPasskey } from '../factors/passkeys.api';
import { type FactorProof, SecondFactors } from '../factors/second-factors.service';
import { SignInChallenges } from '../factors/sign-in-challenges.service';
import { signedIn } from '../users.hooks';
import { FirstLoginService } from './first-login.service';
import { type PasswordLogin, PasswordService, type Recognized } from './password.service';
import { SignInFailures, type SignInRefusal } from './sign-in-failures.service';
import { LoginFailed, MayNotSignIn, PasswordLoginOff, UnknownRole } from './credentials.api';

/** A new session. */
export interface StartedSession {
  readonly userId: number;
  /** The session's ID, which is also in its token. */
  readonly sessionId: string;
  /** The token that the client sends with each request, as a bearer token or in a cookie. */
  readonly token: string;
  /** Lifetime in seconds. */
  readonly seconds: number;
  /** The token of the browser, if it asked to be remembered. */
  readonly device?: DeviceToken;
}

/** A sign-in with only a passkey. */
export interface PasskeyLogin {
  readonly passkey: PasskeyProof;
  readonly caller: Caller;
}

/** The second step of a sign-in, after the password. */
export interface CodeLogin extends FactorProof {
  /** From {@link SecondFactorRequired}. */
  readonly challenge: string;
  readonly caller: Caller;
  /** Whether later sign-ins in this browser need no code. */
  readonly isRemembered?: boolean;
}

/** Starts sessions of people, of both kinds. */
@Injectable()
export class SessionStart {
  constructor(
    private readonly transactions: TransactionService,
    private readonly organization: OrganizationDirectory,
    private readonly changes: AccountChanges,
    private readonly firstLogin: FirstLoginService,
    private readonly passwords: PasswordService,
    private readonly sessions: LoginSessionService,
    private readonly tokens: AccessTokens,
    private readonly audit: AuditLog,
    private readonly failures: SignInFailures,
    private readonly accounts: AccountDirectory,
    private readonly factors: SecondFactors,
    private readonly challenges: SignInChallenges,
    private readonly passkeys: PasskeyChallenges,
    private readonly proofs: PasskeyProofs,
    private readonly devices: RememberedDevices,
    private readonly hooks: Hooks,
  ) {}

  /**
   * @throws LoginThrottled, LoginFailed, DirectoryUnreachable, PasswordLoginOff, SecondFactorRequired, and the errors of
   * {@link begin}
   */
  async byPassword(login: PasswordLogin, kind: SessionKind, origin: RequestOrigin): Promise<StartedSession> {
    const recognized = await this.passwords.recognize(login);
    if (!recognized) throw new LoginFailed();
    const { account, passwordHash, method } = recognized;
    return this.signedIn(account, login.caller, () =>
      this.beginFor(account, login.caller, method, async (tx, row) => {
        if (row.passwordHash !== passwordHash) throw new LoginFailed();
        // Read in this transaction, to include a factor that was confirmed while the password was being checked.
        if (!row.isActive || !(await this.factors.isOnIn(tx, row.id)))
          return this.begin(tx, row, kind, origin);
        if (!(await this.devices.use(tx, row.id, login.device ?? ''))) throw await this.factorRequired(row);
        return this.begin(tx, row, kind, origin, { hasFactor: true, isRemembered: true });
      }),
    );
  }

  /**
   * Continues after {@link byPassword} asked for a second factor.
   * @throws LoginThrottled, WrongCode, WrongPasskey, LoginFailed if the challenge has expired, PasswordLoginOff, and
   * the errors of {@link begin}
   */
  async byCode(
    { challenge: text, code, passkey, caller, isRemembered = false }: CodeLogin,
    kind: SessionKind,
    origin: RequestOrigin,
  ): Promise<StartedSession> {
    const challenge = this.challenges.read(text);
    const account = challenge && this.accounts.byId(challenge.userId);
    if (!challenge || !account) throw new LoginFailed();
    const details = passkey ? { by_passkey: true } : {};
    return this.signedIn(account, caller, async () => {
      // A code sent with an outdated password must not use up the owner's attempts.
      const isCurrent = this.challenges.isFor(challenge, await this.passwords.hashOf(account.id));
      if (!isCurrent) throw new LoginFailed();
      const refusal = await this.factors.refusalOf(actorOf(account, caller), account.id, { code, passkey });
      if (refusal === 'wrong_code') throw new WrongCode();
      if (refusal) throw new WrongPasskey(refusal);
      const method = await this.methodOf(account);
      const begin = async (tx: Transaction, row: Account) => {
        if (!this.challenges.isFor(challenge, row.passwordHash)) throw new LoginFailed();
        // The factor may have been removed since the code was checked: otherwise the session would count as verified by
        // the next one.
        if (!(await this.factors.isOnIn(tx, row.id))) throw new LoginFailed();
        const session = await this.begin(tx, row, kind, origin, { hasFactor: true });
        if (!isRemembered) return session;
        return { ...session, device: await this.devices.remember(tx, row.id, origin) };
      };
      return this.beginFor(account, caller, method, begin, details);
    });
  }

  /**
   * Signs in with only a passkey, which its owner has unlocked: that makes two factors. Available to people who may
   * sign in with their password.
   * @throws WrongPasskey, PasswordLoginOff, and the errors of {@link begin}
   */
  async byPasskey(
    { passkey: proof, caller }: PasskeyLogin,
    kind: SessionKind,
    origin: RequestOrigin,
  ): Promise<StartedSession> {
    const { passkey, refusal } = await this.proofs.use(proof, '');
    const account = passkey && this.accounts.byId(passkey.userId);
    if (refusal || !account) {
      this.failures.record(caller, refusal ?? 'wrong_passkey', account?.id);
      throw new WrongPasskey();
    }
    return this.signedIn(account, caller, async () => {
      const begin = async (tx: Transaction, row: Account) => {
        if (!(await this.proofs.isThereIn(tx, passkey))) throw new WrongPasskey();
        return this.begin(tx, row, kind, origin, { hasFactor: true });
      };
      const details = { by_passkey: true, passkey: passkey.id };
      return this.beginFor(account, caller, await this.methodOf(account), begin, details);
    });
  }

  /** The error that asks for a second factor. @param row account whose password was correct */
  private async factorRequired({ id, passwordHash }: Account): Promise<SecondFactorRequired> {
    const { passkeys } = await this.factors.of(id);
    const hasPasskey = passkeys > 0 && this.passkeys.site !== null;
    const challenge = this.challenges.make(id, passwordHash);
    return new SecondFactorRequired(challenge, hasPasskey ? this.passkeys.toUse() : null);
  }

  /** The sign-in method that must be enabled for a person. */
  private async methodOf({ id }: AccountRecord): Promise<Recognized['method']> {
    return (await this.passwords.isPasswordInDirectory(id)) ? 'LDAP' : 'Email';
  }

  private async signedIn(
    { id }: AccountRecord,
    caller: Caller,
    begin: () => Promise<StartedSession>,
  ): Promise<StartedSession> {
    try {
      const session = await begin();
      await this.firstLogin.recordIfFirst(id);
      return session;
    } catch (error) {
      const reason = reasonOf(error);
      if (reason) this.failures.record(caller, reason, id);
      throw error;
    }
  }

  private async beginFor(
    account: AccountRecord,
    caller: Caller,
    method: Recognized['method'],
    begin: (tx: Transaction, row: Account) => Promise<StartedSession>,
    details: AuditDetails = {},
  ): Promise<StartedSession> {
    if (!this.organization.signInMethods[method]) throw new PasswordLoginOff();
    return this.transactions.runExclusive(async (tx) => {
      const row = await this.changes.load(tx, account.id);
      const begun = await begin(tx, row);
      this.audit.record(tx, actorOf(account, caller), 'user.signed_in', { userId: row.id }, details);
      return begun;
    });
  }

  /**
   * @param row the account as read in the exclusive transaction
   * @throws OrganizationClosed, MayNotSignIn, UnknownRole
   */
  async begin(
    tx: Transaction,
    row: Account,
    kind: SessionKind,
    origin: RequestOrigin,
    grounds: SessionAuthentication = {},
  ): Promise<StartedSession> {
    if (this.organization.isDeactivated) throw new OrganizationClosed();
    if (!row.isActive) throw new MayNotSignIn();
    const role = roleName(row.role);
    if (!role) throw new UnknownRole();
    const { tokenId, createdAt } = await this.sessions.begin(tx, row.id, kind, origin, grounds);
    const seconds = this.sessions.secondsOf(kind);
    const token = await this.tokens.sign({ userId: row.id, sessionId: tokenId, role }, createdAt, seconds);
    await this.hooks.run(signedIn, tx, row.id, origin);
    return { userId: row.id, sessionId: tokenId, token, seconds };
  }
}

/** Null for errors that are not about the person. */
function reasonOf(error: unknown): SignInRefusal | null {
  if (error instanceof LoginFailed) return 'wrong_password';
  if (error instanceof SecondFactorRequired) return 'second_factor_required';
  if (error instanceof WrongCode) return 'wrong_code';
  if (error instanceof WrongPasskey) return error.reason;
  if (error instanceof LoginThrottled) return 'too_many_attempts';
  if (error instanceof PasswordLoginOff) return 'password_sign_in_off';
  if (error instanceof OrganizationClosed) return 'organization_deactivated';
  if (error instanceof MayNotSignIn) return 'deactivated';
  if (error instanceof UnknownRole) return 'unknown_role';
  return null;
}
