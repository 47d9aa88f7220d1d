import { Injectable } from '@nestjs/common';
import type * as Jose from 'jose' with { 'resolution-mode': 'import' };
import type { OpenIdProvider } from '../../platform/config/identity-providers';
import { OpenIdClient } from './openid-client.service';
import { providerFetch } from './provider-fetch';
import { jose } from '../../platform/secrets/access-tokens';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** Providers sign with these; anything shared, or nothing at all, is no signature. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** Types of such a token: the standard's own, and the general one of providers that are older than it. */
const TYPES = ['logout+jwt', 'application/logout+jwt', 'jwt'];

const MAX_AGE_SECONDS = 120;

/** By how much clocks may differ. */
const TOLERANCE_SECONDS = 30;

const MAX_LENGTH = 10_000;
const TIMEOUT_MS = 5_000;

/** Whom a provider signs out: a person, one of their sessions, or both at once. */
export interface LogoutToken {
  readonly sub: string | null;
  readonly sid: string | null;
  /** UNIX seconds. */
  readonly issuedAt: number;
  /** By which the provider tells its tokens apart. */
  readonly id: string;
  /** When it is too old in any case, UNIX seconds. */
  readonly endsAt: number;
}

/** Reads the tokens with which providers sign people out (OpenID Connect Back-Channel Logout, 2.6). */
@Injectable()
export class LogoutTokens {
  private readonly keys = new Map<string, Jose.JWTVerifyGetKey>();

  constructor(private readonly openId: OpenIdClient) {}

  /** Null for what this provider did not sign, for another client, too old, or no such token. @throws ProviderUnavailable */
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
  // A token with a nonce is one for signing in.
  if (typeof event !== 'object' || event === null || nonce !== undefined || iat === undefined) return null;
  const session = typeof sid === 'string' ? sid : null;
  if (typeof id !== 'string' || (sub === undefined && session === null)) return null;
  const endsAt = Math.ceil(iat) + MAX_AGE_SECONDS + TOLERANCE_SECONDS + 1;
  return { sub: sub ?? null, sid: session, issuedAt: iat, id, endsAt };
}
