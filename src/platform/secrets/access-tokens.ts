import { Injectable } from '@nestjs/common';
import { sign, verify, type JwtPayload } from 'jsonwebtoken';
import { Clock } from '../clock';
import { DerivedKeys } from './server-secret';

/** Whom a token names. */
export interface TokenClaims {
  readonly userId: number;
  readonly sessionId: string;
  /** Name of the role that the account had when it signed in. */
  readonly role: string;
}

/** What a token says that this server signed. */
export interface SignedClaims extends TokenClaims {
  /** UNIX seconds. */
  readonly expiresAt: number;
}

/** Longer than any token this server signs. */
const MAX_LENGTH = 1000;

/**
 * Signed tokens (JWT, HMAC-SHA-256) with which people stay signed in to the companion interface. A token
 * says nothing of whether its session goes on: that is looked up with each request.
 */
@Injectable()
export class AccessTokens {
  constructor(
    private readonly keys: DerivedKeys,
    private readonly clock: Clock,
  ) {}

  /** @param expiresAt UNIX seconds */
  sign({ userId, sessionId, role }: TokenClaims, expiresAt: number): string {
    const payload = {
      sub: String(userId),
      jti: sessionId,
      role,
      iat: this.clock.nowSeconds(),
      exp: expiresAt,
    };
    return sign(payload, this.keys.current('access-tokens'), { algorithm: 'HS256' });
  }

  /** What a token says, or null unless it was signed with the secret in use or the one before it, and goes on. */
  read(token: string): SignedClaims | null {
    if (token.length > MAX_LENGTH) return null;
    const previous = this.keys.previous('access-tokens');
    const payload =
      this.verified(token, this.keys.current('access-tokens')) ??
      (previous && this.verified(token, previous));
    return payload && claimsOf(payload);
  }

  private verified(token: string, key: Buffer): JwtPayload | null {
    try {
      const now = this.clock.nowSeconds();
      const payload = verify(token, key, { algorithms: ['HS256'], clockTimestamp: now });
      return typeof payload === 'string' ? null : payload;
    } catch {
      return null;
    }
  }
}

function claimsOf({ sub, jti, exp, role }: JwtPayload): SignedClaims | null {
  if (typeof jti !== 'string' || typeof role !== 'string' || typeof exp !== 'number') return null;
  if (!/^\d{1,10}$/.test(sub ?? '')) return null;
  return { userId: Number(sub), sessionId: jti, role, expiresAt: exp };
}
