import { Injectable } from '@nestjs/common';
import type { Caller } from '../../platform/actor';
import { Config } from '../../platform/config/config';
import {
  type IdentityProvider,
  IdentityProviders,
  type Protocol,
  type ProviderOf,
} from '../../platform/config/identity-providers';
import { type Transaction, TransactionService } from '../../platform/database/transaction.service';
import { Hooks } from '../../platform/hooks/hooks';
import type { RequestOrigin } from '../../platform/http/decorators';
import { ApiKeys } from '../../platform/secrets/api-keys';
import { AuditLog } from '../audit/audit.module';
import { ArrivalService } from '../membership/membership.module';
import { OrganizationDirectory } from '../organization-settings/organization-settings.module';
import {
  type Account,
  AccountDirectory,
  FactorPolicy,
  FirstLoginService,
  LoginSessionService,
  type SessionAuthentication,
  SessionStart,
  signedIn,
  SignInFailures,
  type StartedSession,
} from '../users/users.module';
import {
  AccountNotLinked,
  appAddress,
  SecondFactorNotReported,
  OrganizationGone,
  ProviderFailed,
  ProviderUnknown,
} from './identity-providers.api';
import { groupsOf, hasFactor, type PersonClaims } from './claims';
import { sealedToken } from './desktop-pages';
import { DesktopSignIn, isOn } from './desktop-sign-in.service';
import { ProviderAccounts } from './provider-accounts.service';
import { ProviderExitsService } from './provider-exits.service';
import { ProvidedGroups } from './provided-groups.service';

/** The result of a sign-in at the provider. */
export interface VerifiedSignIn {
  readonly claims: PersonClaims;
  /** The signed token; null with SAML. */
  readonly idToken: string | null;
}

/** Signs in people whom an identity provider vouches for. */
@Injectable()
export class ProviderSignIn {
  constructor(
    private readonly config: Config,
    private readonly providers: IdentityProviders,
    private readonly organization: OrganizationDirectory,
    private readonly transactions: TransactionService,
    private readonly found: ProviderAccounts,
    private readonly groups: ProvidedGroups,
    private readonly starts: SessionStart,
    private readonly sessions: LoginSessionService,
    private readonly accounts: AccountDirectory,
    private readonly policy: FactorPolicy,
    private readonly apiKeys: ApiKeys,
    private readonly firstLogin: FirstLoginService,
    private readonly arrival: ArrivalService,
    private readonly audit: AuditLog,
    private readonly failures: SignInFailures,
    private readonly exits: ProviderExitsService,
    private readonly desktop: DesktopSignIn,
    private readonly hooks: Hooks,
  ) {}

  /** The provider with a name. @throws ProviderUnknown also if the organization has disabled its sign-in method */
  provider<P extends Protocol>(protocol: P, name: string): ProviderOf<P> {
    const provider = this.providers.of(protocol).find((each) => each.name === name);
    if (!provider || !isOn(this.organization, provider)) throw new ProviderUnknown();
    return provider;
  }

  /** Reads a provider's response, before the account is known, and records failures. @throws the errors of `take` */
  async hear<T>(caller: Caller, take: () => Promise<T>): Promise<T> {
    try {
      return await take();
    } catch (error) {
      if (error instanceof ProviderFailed) this.failures.record(caller, 'provider');
      throw error;
    }
  }

  /**
   * Starts a session in a browser.
   * @param former the browser's previous session, which ends
   * @throws OrganizationGone, and the errors of {@link ProviderAccounts.find}
   */
  async inBrowser(
    provider: IdentityProvider,
    vouched: VerifiedSignIn,
    caller: Caller,
    origin: RequestOrigin,
    former: string | null,
  ): Promise<StartedSession> {
    return this.signIn(provider, vouched.claims, caller, {}, async (tx, row) => {
      if (former !== null) await this.sessions.end(tx, former);
      return this.starts.begin(tx, row, 'browser', origin, this.groundsOf(provider, vouched));
    });
  }

  /**
   * Hands the API key to the phone app.
   * @param otp 64 hexadecimal digits that encrypt the key
   * @returns the name of the account, and the URL that opens the app with the key
   * @throws SecondFactorNotReported, and the errors of {@link inBrowser}
   */
  async inApp(
    provider: IdentityProvider,
    claims: PersonClaims,
    caller: Caller,
    origin: RequestOrigin,
    otp: string,
  ) {
    const details = { gave_key: true };
    const { id } = await this.signIn(provider, claims, caller, details, async (tx, row) => {
      // The app cannot prompt for a code, and an API key bypasses later checks of the second factor.
      const isAsked = this.policy.requires(row);
      if (isAsked && !hasFactor(provider, claims)) throw new SecondFactorNotReported();
      await this.hooks.run(signedIn, tx, row.id, origin);
      return row;
    });
    const { keyNonce, deliveryEmail, fullName } = this.accounts.existing(id);
    const key = hidden(this.apiKeys.apiKeyFor(keyNonce), otp);
    return {
      fullName,
      url: appAddress({ key, email: deliveryEmail, userId: id, site: this.config.externalUrl }),
    };
  }

  /**
   * Stores a session for the desktop app, which takes it over with a token.
   * @param otp 64 hexadecimal digits: the key of the app
   * @param next the page to open in the app
   * @returns the token, encrypted with the key
   * @throws the errors of {@link inBrowser}
   */
  async forDesktop(
    provider: IdentityProvider,
    vouched: VerifiedSignIn,
    caller: Caller,
    { otp, next }: { readonly otp: string; readonly next: string },
  ): Promise<string> {
    const grounds = this.groundsOf(provider, vouched);
    const awaited = { provider: provider.name, grounds, next };
    // The audit log gets its entry when the app takes over the session.
    const token = await this.signIn(provider, vouched.claims, caller, null, (tx, row) =>
      this.desktop.keep(tx, row.id, awaited),
    );
    return sealedToken(token, otp);
  }

  /** The grounds for a session that starts with a sign-in at a provider. */
  private groundsOf(provider: IdentityProvider, { claims, idToken }: VerifiedSignIn): SessionAuthentication {
    const { sid, auth_time: provenAt } = claims;
    const session = { issuer: provider.issuer, sid: typeof sid === 'string' ? sid : null };
    const sealedIdToken = this.exits.sealed(provider, idToken);
    // Without `auth_time`, the person counts as just authenticated.
    const authenticatedAt = typeof provenAt === 'number' ? Math.floor(provenAt) : undefined;
    return { provider: session, sealedIdToken, hasFactor: hasFactor(provider, claims), authenticatedAt };
  }

  private async signIn<T>(
    provider: IdentityProvider,
    claims: PersonClaims,
    caller: Caller,
    details: Readonly<Record<string, boolean>> | null,
    begin: (tx: Transaction, row: Account) => Promise<T>,
  ): Promise<T> {
    const { result, row, isNew } = await this.transactions
      .runExclusive(async (tx) => {
        if (this.organization.isDeactivated) throw new OrganizationGone();
        const account = await this.found.find(
          tx,
          this.provider(provider.protocol, provider.name),
          claims,
          caller,
        );
        const userId = account.row.id;
        const about = { provider: provider.name, ...details };
        if (details) this.audit.record(tx, { ...caller, userId }, 'user.signed_in', { userId }, about);
        return { ...account, result: await begin(tx, account.row) };
      })
      .catch((error: unknown) => {
        this.failures.record(caller, error instanceof AccountNotLinked ? 'not_linked' : 'provider');
        throw error;
      });
    const held = groupsOf(provider, claims);
    if (held) await this.groups.update(provider.groups, held, row.id, provider.name);
    if (isNew) await this.arrival.tell(row.id);
    await this.firstLogin.recordIfFirst(row.id);
    return result;
  }
}

/** XORs the bytes of the API key with the pad. @returns hex */
function hidden(apiKey: string, otp: string): string {
  const pad = Buffer.from(otp, 'hex');
  const bytes = Buffer.from(apiKey, 'ascii').map((byte, index) => byte ^ (pad[index] ?? 0));
  return Buffer.from(bytes).toString('hex');
}
