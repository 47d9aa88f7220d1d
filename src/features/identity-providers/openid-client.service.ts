import { Injectable, Logger } from '@nestjs/common';
import type * as OpenId from 'openid-client' with { 'resolution-mode': 'import' };
import { Clock } from '../../platform/clock';
import { Config } from '../../platform/config/config';
import type { OpenIdProvider } from '../../platform/config/identity-providers';
import { ProviderFailed, ProviderUnavailable } from './identity-providers.api';
import { providerFetch } from './provider-fetch';

/** How long a provider's metadata is cached; its keys are fetched more often. */
const DESCRIPTION_MS = 3_600_000;

/** Pause before retrying an unreachable provider. */
const PAUSE_MS = 10_000;

const TIMEOUT_SECONDS = 5;

/** Allowed clock skew between a provider and this server; the library allows the same. */
const CLOCK_SECONDS = 30;

/** Secrets of one sign-in attempt. */
export interface AttemptSecrets {
  readonly state: string;
  /** Empty with SAML, like the verifier. */
  readonly nonce: string;
  /** PKCE code verifier: proves that the attempt ends in the same browser in which it began. */
  readonly verifier: string;
}

/** Claims of a provider about the person who signed in there. */
export type Claims = OpenId.IDToken & Partial<OpenId.UserInfoResponse>;

interface Description {
  readonly endsAtMs: number;
  readonly configuration: Promise<OpenId.Configuration>;
}

/**
 * OpenID Connect client: authorization code flow with PKCE, `state` and `nonce`. Every ID token is verified with the
 * keys of its provider.
 */
@Injectable()
export class OpenIdClient {
  private readonly logger = new Logger(OpenIdClient.name);
  private readonly descriptions = new Map<string, Description>();

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /**
   * Begins a sign-in attempt.
   * @param isAgain whether the provider must authenticate the person again despite an existing session there
   * @returns the secrets to keep, and the URL at the provider
   * @throws ProviderUnavailable
   */
  async begin(provider: OpenIdProvider, isAgain: boolean): Promise<{ secrets: AttemptSecrets; url: string }> {
    const library = openId();
    const configuration = await this.configurationOf(provider);
    const secrets = {
      state: library.randomState(),
      nonce: library.randomNonce(),
      verifier: library.randomPKCECodeVerifier(),
    };
    const url = library.buildAuthorizationUrl(configuration, {
      redirect_uri: this.redirectUri(provider),
      scope: [...new Set(['openid', 'email', 'profile', ...provider.scopes])].join(' '),
      state: secrets.state,
      nonce: secrets.nonce,
      code_challenge: await library.calculatePKCECodeChallenge(secrets.verifier),
      code_challenge_method: 'S256',
      ...(isAgain && { prompt: 'login', max_age: '0' }),
    });
    return { secrets, url: url.href };
  }

  /**
   * Redeems the authorization code of a redirect.
   * @param query unparsed query of the redirect URL
   * @throws ProviderUnavailable, ProviderFailed
   */
  async complete(
    provider: OpenIdProvider,
    query: string,
    secrets: AttemptSecrets,
  ): Promise<{ claims: Claims; idToken: string }> {
    const library = openId();
    const configuration = await this.configurationOf(provider);
    try {
      const tokens = await library.authorizationCodeGrant(
        configuration,
        // Not the URL of the request, which an attacker could choose with the `Host` header.
        new URL(`${this.redirectUri(provider)}?${query}`),
        {
          pkceCodeVerifier: secrets.verifier,
          expectedState: secrets.state,
          expectedNonce: secrets.nonce,
          idTokenExpected: true,
        },
      );
      const claims = tokens.claims() as OpenId.IDToken;
      const idToken = tokens.id_token!;
      requireMade(claims);
      const isEnough = typeof claims.email === 'string' && typeof claims.name === 'string';
      if (isEnough || configuration.serverMetadata().userinfo_endpoint === undefined)
        return { claims, idToken };
      const more = await library.fetchUserInfo(configuration, tokens.access_token, claims.sub);
      return { claims: merged(claims, more), idToken };
    } catch (error) {
      this.logger.warn(`Signing in with ${provider.name} failed: ${reasonOf(error)}`);
      throw new ProviderFailed(provider.label);
    }
  }

  /** Fetches a provider's metadata and keys. @returns what is wrong with them, or null if nothing is */
  async problemOf(provider: OpenIdProvider): Promise<string | null> {
    try {
      const { jwks_uri: address } = (await discover(provider)).serverMetadata();
      if (address === undefined) return 'The provider publishes no keys.';
      const { status } = await providerFetch(provider)(address, {
        signal: AbortSignal.timeout(TIMEOUT_SECONDS * 1000),
      });
      return status === 200 ? null : `The keys of the provider get the answer ${status}.`;
    } catch (error) {
      return reasonOf(error);
    }
  }

  /** URL of the provider's keys. @throws ProviderUnavailable, also if it publishes none */
  async keysAddress(provider: OpenIdProvider): Promise<string> {
    const { jwks_uri: address } = (await this.configurationOf(provider)).serverMetadata();
    if (address === undefined) throw new ProviderUnavailable(provider.label);
    return address;
  }

  /**
   * URL that signs a person out of the provider.
   * @param idToken identifies the session, so that the provider need not ask for confirmation
   * @returns null if the provider has no such endpoint or cannot be reached
   */
  async exitAddress(provider: OpenIdProvider, idToken: string): Promise<string | null> {
    const configuration = await this.configurationOf(provider).catch(() => null);
    const address = configuration?.serverMetadata().end_session_endpoint ?? '';
    if (configuration === null || !/^https?:/i.test(address)) return null;
    const post_logout_redirect_uri = `${this.config.externalUrl}/login/`;
    const parameters = { id_token_hint: idToken, post_logout_redirect_uri };
    return openId().buildEndSessionUrl(configuration, parameters).href;
  }

  /** Redirect URI; each provider has its own, so that responses of different providers cannot be confused. */
  redirectUri({ name }: OpenIdProvider): string {
    return `${this.config.externalUrl}/complete/oidc/${name}/`;
  }

  private async configurationOf(provider: OpenIdProvider): Promise<OpenId.Configuration> {
    const now = this.clock.nowMs();
    let known = this.descriptions.get(provider.name);
    if (!known || known.endsAtMs <= now) {
      known = { endsAtMs: now + DESCRIPTION_MS, configuration: discover(provider) };
      this.descriptions.set(provider.name, known);
    }
    try {
      return await known.configuration;
    } catch (error) {
      // Requests during the pause fail with the same error, so that callers cannot force constant retries.
      const failed = { ...known, endsAtMs: Math.min(known.endsAtMs, now + PAUSE_MS) };
      if (this.descriptions.get(provider.name) === known) this.descriptions.set(provider.name, failed);
      this.logger.warn(`Cannot read what ${provider.issuer} says of itself: ${reasonOf(error)}`);
      throw new ProviderUnavailable(provider.label);
    }
  }
}

/**
 * Merges the claims of ID token and userinfo. The ID token takes precedence, because it is signed. `email_verified`
 * is only valid for the `email` from the same source, so an address in the token does not get the value from userinfo.
 */
function merged(claims: OpenId.IDToken, more: OpenId.UserInfoResponse): Claims {
  const { email_verified: isVerified, ...others } = more;
  return { ...(claims.email === undefined ? { ...others, email_verified: isVerified } : others), ...claims };
}

/** Refuses tokens issued in the future, which the library does not check. Uses system time, as the library does. */
function requireMade({ iat }: OpenId.IDToken): void {
  if (iat > Date.now() / 1000 + CLOCK_SECONDS) throw new Error('The ID token is made ahead of the clock.');
}

/** Loads the library at the first sign-in with a provider. */
function openId(): typeof OpenId {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it at startup
  return require('openid-client') as typeof OpenId;
}

function discover(provider: OpenIdProvider): Promise<OpenId.Configuration> {
  const library = openId();
  const isPlain = provider.issuer.startsWith('http:');
  return library.discovery(
    new URL(provider.issuer),
    provider.client_id,
    { client_secret: provider.secret },
    library.ClientSecretBasic(provider.secret),
    {
      timeout: TIMEOUT_SECONDS,
      [library.customFetch]: providerFetch(provider),
      execute: [library.enableNonRepudiationChecks, ...(isPlain ? [library.allowInsecureRequests] : [])],
    },
  );
}

/** A reason that is safe to log; the library's errors contain whole responses, including tokens. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  const { code, cause } = error as { code?: string; cause?: unknown };
  const inner = cause instanceof Error ? ` (${cause.message})` : '';
  return `${code ?? error.name}: ${error.message}${inner}`;
}
