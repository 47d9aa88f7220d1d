import { Injectable, Logger } from '@nestjs/common';
import type { Caller } from '../../platform/actor';
import type { OpenIdProvider } from '../../platform/config/identity-providers';
import { TransactionService } from '../../platform/database/transaction.service';
import { AuditLog } from '../audit/audit.module';
import { LoginSessionService, UsedChallenges } from '../users/users.module';
import { AccountIdentity } from './account-identity.entity';
import { DesktopSignIn } from './desktop-sign-in.service';
import { type LogoutToken, LogoutTokens } from './logout-tokens.service';
import { byDirectory } from './provided-groups.service';

/** Ends sessions on request of an identity provider (OpenID Connect Back-Channel Logout). */
@Injectable()
export class ProviderSignOut {
  private readonly logger = new Logger(ProviderSignOut.name);

  constructor(
    private readonly tokens: LogoutTokens,
    private readonly sessions: LoginSessionService,
    private readonly used: UsedChallenges,
    private readonly desktop: DesktopSignIn,
    private readonly transactions: TransactionService,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Ends the sessions that a logout token refers to.
   * @returns whether the token is valid and new; also true for unknown users
   * @throws ProviderUnavailable
   */
  async signOut(provider: OpenIdProvider, logoutToken: string, caller: Caller): Promise<boolean> {
    const token = await this.tokens.read(provider, logoutToken);
    if (token && (await this.end(provider, token, caller))) return true;
    this.logger.warn(`${provider.name} sent ${token ? 'a logout token again' : 'an invalid logout token'}.`);
    return false;
  }

  /** Keeps sessions that are newer than the token. @returns false if the token was used before */
  private async end(
    { issuer, name }: OpenIdProvider,
    { sub, sid, issuedAt, id, endsAt }: LogoutToken,
    { address }: Caller,
  ): Promise<boolean> {
    return this.transactions.run(async (tx) => {
      if (!(await this.used.spend(tx, JSON.stringify(['logout', name, id]), endsAt))) return false;
      const userId =
        sub === null
          ? await this.sessions.ownerAtProvider(tx, { issuer, sid })
          : (await tx.repository(AccountIdentity).findOneBy({ issuer, sub }))?.userId;
      if (userId === undefined && sub !== null) return true;
      await this.desktop.takeBack(tx, userId, { issuer, sid }, issuedAt);
      if (userId === undefined) return true;
      const ended = await this.sessions.endOfProvider(tx, userId, { issuer, sid }, issuedAt);
      const by = { ...byDirectory(name), address };
      if (ended > 0) this.audit.record(tx, by, 'user.sessions_ended', { userId }, { provider: name });
      return true;
    });
  }
}
