import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { roleName } from '../../platform/actor';
import { InvalidToken, NotAuthenticated } from '../../platform/errors/companion.errors';
import { accessPolicy } from '../../platform/http/decorators';
import { AccessTokens, type TokenClaims } from '../../platform/secrets/access-tokens';
import { AccountDirectory, type AccountRecord, LoginSessionService } from '../users';
import { actorFor } from './request-actor';

/**
 * Authenticates the companion interface: a bearer token whose session goes on, of an account that is active
 * and has the role that the token names. Runs after the directories were brought up to date for the request.
 */
@Injectable()
export class BearerAuthGuard implements CanActivate {
  constructor(
    private readonly tokens: AccessTokens,
    private readonly sessions: LoginSessionService,
    private readonly accounts: AccountDirectory,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const policy = accessPolicy(context);
    if (policy.scheme !== 'bearer' || policy.public) return true;
    const { authorization } = request.headers;
    if (authorization === undefined) {
      if (policy.optionalCredentials) return true;
      throw new NotAuthenticated();
    }
    const claims = this.tokens.read(bearerToken(authorization));
    const account = claims && (await this.liveAccount(claims));
    if (!account) throw new InvalidToken();
    request.actor = actorFor(account, request);
    request.sessionId = claims.sessionId;
    return true;
  }

  private async liveAccount({ sessionId, userId, role }: TokenClaims): Promise<AccountRecord | null> {
    if ((await this.sessions.ownerOf(sessionId)) !== userId) return null;
    const account = this.accounts.byId(userId);
    const isWelcome = account?.isActive && !account.isBot && roleName(account.role) === role;
    return isWelcome ? account : null;
  }
}

/** @throws NotAuthenticated for another scheme, such as Basic */
function bearerToken(header: string): string {
  const [scheme, token, ...rest] = header.split(' ');
  if (scheme?.toLowerCase() !== 'bearer' || !token || rest.length > 0) {
    throw new NotAuthenticated('This interface takes a bearer token. POST /api/auth/login gives one.');
  }
  return token;
}
