import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { IdentityProviders } from '../../../platform/config/identity-providers';
import { TransactionService } from '../../../platform/database/transaction.service';
import type { RequestOrigin } from '../../../platform/http/decorators';
import { Hooks } from '../../../platform/hooks/hooks';
import { AuditLog } from '../../audit/audit.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import {
  type CodeLogin,
  type PasskeyLogin,
  PasskeyChallenges,
  LoginSessionService,
  type PasswordLogin,
  SessionStart,
  type StartedSession,
} from '../../users/users.module';
import type { SignInWays } from './sign-in-pages';
import { type ProviderExit, providerExitsPort } from '../auth.hooks';

/** Signs people in and out in browsers. */
@Injectable()
export class BrowserSessionsService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly starts: SessionStart,
    private readonly sessions: LoginSessionService,
    private readonly audit: AuditLog,
    private readonly organization: OrganizationDirectory,
    private readonly providers: IdentityProviders,
    private readonly passkeys: PasskeyChallenges,
    private readonly hooks: Hooks,
  ) {}

  /** The sign-in methods that the organization allows. */
  ways(): SignInWays {
    const {
      Email = false,
      LDAP = false,
      SAML: saml = false,
      'OpenID Connect': oidc = false,
    } = this.organization.signInMethods;
    const byPassword = Email || LDAP;
    const byPasskey = byPassword && this.hasPasskeys;
    const providers = this.providers.all.filter(({ protocol }) => ({ saml, oidc })[protocol]);
    return { byPassword, byName: LDAP, byPasskey, providers };
  }

  /** Whether browsers support passkeys for this site. */
  get hasPasskeys(): boolean {
    return this.passkeys.site !== null;
  }

  /**
   * Starts a new session with a new ID, which prevents session fixation.
   * @param former the browser's previous session, which ends
   * @throws LoginThrottled, LoginFailed, PasswordLoginOff, SecondFactorRequired, OrganizationClosed, MayNotSignIn,
   * UnknownRole
   */
  async signIn(login: PasswordLogin, origin: RequestOrigin, former: string | null): Promise<StartedSession> {
    const session = await this.starts.byPassword(login, 'browser', origin);
    if (former !== null) await this.transactions.run((tx) => this.sessions.end(tx, former));
    return session;
  }

  /**
   * Signs in with a second-factor code, after the password. @throws LoginThrottled, WrongCode, and the errors of
   * `signIn`
   */
  async signInByCode(
    login: CodeLogin,
    origin: RequestOrigin,
    former: string | null,
  ): Promise<StartedSession> {
    const session = await this.starts.byCode(login, 'browser', origin);
    if (former !== null) await this.transactions.run((tx) => this.sessions.end(tx, former));
    return session;
  }

  /** Signs in with only a passkey. @throws WrongPasskey, PasswordLoginOff, OrganizationClosed, MayNotSignIn */
  async signInByPasskey(
    login: PasskeyLogin,
    origin: RequestOrigin,
    former: string | null,
  ): Promise<StartedSession> {
    const session = await this.starts.byPasskey(login, 'browser', origin);
    if (former !== null) await this.transactions.run((tx) => this.sessions.end(tx, former));
    return session;
  }

  /** Ends the actor's session. @returns where to end the session at the identity provider, if it should end */
  async signOut(actor: Actor, sessionId: string): Promise<ProviderExit | null> {
    const ended = await this.transactions.run(async (tx) => {
      this.audit.record(tx, actor, 'user.signed_out', { userId: actor.userId });
      return this.sessions.end(tx, sessionId);
    });
    return (ended && (await this.hooks.provider(providerExitsPort)?.exitOf(ended))) ?? null;
  }
}
