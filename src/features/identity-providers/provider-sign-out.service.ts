import { Injectable, Logger } from '@nestjs/common';
import type { Caller } from '../../platform/actor';
import type { OpenIdProvider } from '../../platform/config/identity-providers';
import { TransactionService } from '../../platform/database/transaction.service';
import { AuditLog } from '../audit/audit.module';
import { LoginSessionService } from '../users/users.module';
import { AccountIdentity } from './account-identity.entity';
import { DesktopSignIn } from './desktop-sign-in.service';
import { type LogoutToken, LogoutTokens } from './logout-tokens.service';
import { byDirectory } from './provided-groups.service';

/** Ends sessions because an identity provider says so (OpenID Connect Back-Channel Logout). */
@Injectable()
export class ProviderSignOut {
  private readonly logger = new Logger(ProviderSignOut.name);

  constructor(
    private readonly tokens: LogoutTokens,
    private readonly sessions: LoginSessionService,
    private readonly desktop: DesktopSignIn,
    private readonly transactions: TransactionService,
    private readonly audit: AuditLog,
  ) {}

  /**
   * @returns whether the token is valid, also for unknown users
   * @throws ProviderUnavailable
   */
  async signOut(provider: OpenIdProvider, logoutToken: string, caller: Caller): Promise<boolean> {
    const token = await this.tokens.read(provider, logoutToken);
    if (!token) {
      this.logger.warn(`${provider.name} sent an invalid logout token.`);
      return false;
    }
    await this.end(provider, token, caller);
    return true;
  }

  /** A token that is sent again ends nothing that began after it was made. */
  private async end(
    { issuer, name }: OpenIdProvider,
    { sub, sid, issuedAt }: LogoutToken,
    { address }: Caller,
  ): Promise<void> {
    await this.transactions.run(async (tx) => {
      const userId =
        sub === null
          ? await this.sessions.ownerAtProvider(tx, { issuer, sid })
          : (await tx.repository(AccountIdentity).findOneBy({ issuer, sub }))?.userId;
      if (userId === undefined && sub !== null) return;
      await this.desktop.takeBack(tx, userId, { issuer, sid }, issuedAt);
      if (userId === undefined) return;
      const ended = await this.sessions.endOfProvider(tx, userId, { issuer, sid }, issuedAt);
      const by = { ...byDirectory(name), address };
      if (ended > 0) this.audit.record(tx, by, 'user.sessions_ended', { userId }, { provider: name });
    });
  }
}
