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
  type SessionGrounds,
  SessionStart,
  signedIn,
  SignInFailures,
  type StartedSession,
} from '../users/users.module';
import {
  AccountNotLinked,
  appAddress,
  FactorNotShown,
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

/** What came of a sign-in at the provider. */
export interface Vouched {
  readonly claims: PersonClaims;
  /** As it was signed; null from providers that have none. */
  readonly idToken: string | null;
}

/** Signs people in for whom an identity provider has vouched. */
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

  /** @throws ProviderUnknown also where the organization has switched providers off */
  provider<P extends Protocol>(protocol: P, name: string): ProviderOf<P> {
    const provider = this.providers.of(protocol).find((each) => each.name === name);
    if (!provider || !isOn(this.organization, provider)) throw new ProviderUnknown();
    return provider;
  }

  /** Takes what a provider answers, before it is known of whom. Refusals are recorded. @throws what `take` throws */
  async hear<T>(caller: Caller, take: () => Promise<T>): Promise<T> {
    try {
      return await take();
    } catch (error) {
      if (error instanceof ProviderFailed) this.failures.record(caller, 'provider');
      throw error;
    }
  }

  /**
   * Begins a session in a browser.
   * @param former the session that the browser has so far, which ends
   * @throws what {@link ProviderAccounts.find} throws, OrganizationGone
   */
  async inBrowser(
    provider: IdentityProvider,
    vouched: Vouched,
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
   * Gives the API key to the phone app.
   * @param otp 64 hexadecimal digits, with which the key is hidden on its way
   * @returns the name of the account, and the address that opens the app with the key
   * @throws as above, and FactorNotShown
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
      // A code cannot be asked for here, and a key passes all later ones by.
      const isAsked = this.policy.requires(row);
      if (isAsked && !hasFactor(provider, claims)) throw new FactorNotShown();
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
   * Keeps the session for the desktop app, which takes it over with a token.
   * @param otp 64 hexadecimal digits: the key of the app
   * @param next the page to go to there
   * @returns the token under the key
   * @throws as {@link inBrowser}
   */
  async forDesktop(
    provider: IdentityProvider,
    vouched: Vouched,
    caller: Caller,
    { otp, next }: { readonly otp: string; readonly next: string },
  ): Promise<string> {
    const grounds = this.groundsOf(provider, vouched);
    const awaited = { provider: provider.name, grounds, next };
    // What begins is recorded where the app takes it over.
    const token = await this.signIn(provider, vouched.claims, caller, null, (tx, row) =>
      this.desktop.keep(tx, row.id, awaited),
    );
    return sealedToken(token, otp);
  }

  /** What a session rests on that follows from one at a provider. */
  private groundsOf(provider: IdentityProvider, { claims, idToken }: Vouched): SessionGrounds {
    const { sid, auth_time: provenAt } = claims;
    const session = { issuer: provider.issuer, sid: typeof sid === 'string' ? sid : null };
    const sealedIdToken = this.exits.sealed(provider, idToken);
    // Providers that say nothing of the time are taken to have asked just now.
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

/** The key's bytes and the pad, digit by digit (XOR). */
function hidden(apiKey: string, otp: string): string {
  const pad = Buffer.from(otp, 'hex');
  const bytes = Buffer.from(apiKey, 'ascii').map((byte, index) => byte ^ (pad[index] ?? 0));
  return Buffer.from(bytes).toString('hex');
}
