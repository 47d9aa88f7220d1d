import { Injectable } from '@nestjs/common';
import type * as Jose from 'jose' with { 'resolution-mode': 'import' };
import type { OpenIdProvider } from '../../platform/config/identity-providers';
import { OpenIdClient } from './openid-client.service';
import { providerFetch } from './provider-fetch';
import { jose } from '../../platform/secrets/access-tokens';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** Accepted signature algorithms; symmetric ones and `none` are refused. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** Types of logout tokens: the standard's own, and the general one that older providers use. */
const TYPES = ['logout+jwt', 'application/logout+jwt', 'jwt'];

const MAX_AGE_SECONDS = 120;

/** Allowed clock skew. */
const TOLERANCE_SECONDS = 30;

const MAX_LENGTH = 10_000;
const TIMEOUT_MS = 5_000;

/** The person or session that a provider signs out, or both. */
export interface LogoutToken {
  readonly sub: string | null;
  readonly sid: string | null;
  /** UNIX seconds. */
  readonly issuedAt: number;
  /** The provider's unique ID for the token. */
  readonly id: string;
  /** When the token is certainly expired, in UNIX seconds. */
  readonly endsAt: number;
}

/** Validates logout tokens of providers (OpenID Connect Back-Channel Logout, 2.6). */
@Injectable()
export class LogoutTokens {
  private readonly keys = new Map<string, Jose.JWTVerifyGetKey>();

  constructor(private readonly openId: OpenIdClient) {}

  /**
   * Validates a logout token.
   * @returns null if it is malformed, expired, for another client, or not signed by this provider
   * @throws ProviderUnavailable
   */
  async read(provider: OpenIdProvider, token: string): Promise<LogoutToken | null> {
    if (token.length > MAX_LENGTH) return null;
    const keys = await this.keysOf(provider);
    try {
      const { payload, protectedHeader } = await jose().jwtVerify(token, keys, {
        algorithms: ALGORITHMS,
        issuer: provider.issuer,
        audience: provider.client_id,
        maxTokenAge: MAX_AGE_SECONDS,
        clockTolerance: TOLERANCE_SECONDS,
        requiredClaims: ['iat', 'jti', 'events'],
      });
      const type = (protectedHeader.typ ?? 'jwt').toLowerCase();
      return TYPES.includes(type) ? logoutOf(payload) : null;
    } catch {
      return null;
    }
  }

  private async keysOf(provider: OpenIdProvider): Promise<Jose.JWTVerifyGetKey> {
    const address = await this.openId.keysAddress(provider);
    const place = `${provider.name} ${address}`;
    const known = this.keys.get(place);
    if (known) return known;
    const library = jose();
    const keys = library.createRemoteJWKSet(new URL(address), {
      timeoutDuration: TIMEOUT_MS,
      [library.customFetch]: providerFetch(provider),
    });
    this.keys.set(place, keys);
    return keys;
  }
}

function logoutOf({ sub, sid, iat, jti: id, events, nonce }: Jose.JWTPayload): LogoutToken | null {
  const event =
    typeof events === 'object' && events !== null ? (events as Record<string, unknown>)[EVENT] : null;
  // A token with a nonce is an ID token.
  if (typeof event !== 'object' || event === null || nonce !== undefined || iat === undefined) return null;
  const session = typeof sid === 'string' ? sid : null;
  if (typeof id !== 'string' || (sub === undefined && session === null)) return null;
  const endsAt = Math.ceil(iat) + MAX_AGE_SECONDS + TOLERANCE_SECONDS + 1;
  return { sub: sub ?? null, sid: session, issuedAt: iat, id, endsAt };
}
