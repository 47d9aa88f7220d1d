import { createSecretKey, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type * as Jose from 'jose' with { 'resolution-mode': 'import' };
import { Clock } from '../clock';
import { DerivedKeys } from './server-secret';

/** The identity in a token. */
export interface TokenClaims {
  readonly userId: number;
  readonly sessionId: string;
  /** Role name of the account when it signed in. */
  readonly role: string;
}

/** The contents of a token signed by this server. */
export interface SignedClaims extends TokenClaims {
  /** UNIX seconds. */
  readonly expiresAt: number;
}

/** Longer than any token signed by this server. */
const MAX_LENGTH = 1000;

/**
 * Signed tokens (JWT, HMAC-SHA-256) that keep people signed in to the companion interface. A token does not prove that
 * its session still exists: that is looked up on each request.
 */
@Injectable()
export class AccessTokens {
  private readonly current: KeyObject;
  private readonly previous: KeyObject | null;

  constructor(
    keys: DerivedKeys,
    private readonly clock: Clock,
  ) {
    const previous = keys.previous('access-tokens');
    this.current = createSecretKey(keys.current('access-tokens'));
    this.previous = previous && createSecretKey(previous);
  }

  /**
   * @param issuedAt UNIX seconds
   * @param seconds how long it is valid
   */
  sign({ userId, sessionId, role }: TokenClaims, issuedAt: number, seconds: number): Promise<string> {
    const { SignJWT } = jose();
    return new SignJWT({ role })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setSubject(String(userId))
      .setJti(sessionId)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + seconds)
      .sign(this.current);
  }

  /** The contents of a token; null if it expired, or was signed with neither the current nor the previous secret. */
  async read(token: string): Promise<SignedClaims | null> {
    if (token.length > MAX_LENGTH) return null;
    const payload =
      (await this.verified(token, this.current)) ??
      (this.previous && (await this.verified(token, this.previous)));
    return payload && claimsOf(payload);
  }

  private async verified(token: string, key: KeyObject): Promise<Jose.JWTPayload | null> {
    try {
      const currentDate = new Date(this.clock.nowMs());
      return (await jose().jwtVerify(token, key, { algorithms: ['HS256'], currentDate })).payload;
    } catch {
      return null;
    }
  }
}

/** The library for signed tokens: an ES module, which the compiler does not let a CommonJS module import. */
export function jose(): typeof Jose {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- see above
  return require('jose') as typeof Jose;
}

function claimsOf({ sub, jti, exp, role }: Jose.JWTPayload): SignedClaims | null {
  if (typeof jti !== 'string' || typeof role !== 'string' || typeof exp !== 'number') return null;
  if (!/^\d{1,10}$/.test(sub ?? '')) return null;
  return { userId: Number(sub), sessionId: jti, role, expiresAt: exp };
}
