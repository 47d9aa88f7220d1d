import { Injectable, Logger } from '@nestjs/common';
import type * as OpenId from 'openid-client' with { 'resolution-mode': 'import' };
import { Clock } from '../../platform/clock';
import { Config } from '../../platform/config/config';
import type { OpenIdProvider } from '../../platform/config/identity-providers';
import { ProviderFailed, ProviderUnavailable } from './identity-providers.api';
import { providerFetch } from './provider-fetch';

/** How long what a provider says of itself is believed; its keys are fetched more often. */
const DESCRIPTION_MS = 3_600_000;

/** How long to wait before asking an unreachable provider again. */
const PAUSE_MS = 10_000;

const TIMEOUT_SECONDS = 5;

/** By how much the clocks of a provider and this server may differ; the library allows as much. */
const CLOCK_SECONDS = 30;

/** Secrets of one attempt, shared by the provider and this server. */
export interface AttemptSecrets {
  readonly state: string;
  /** Like the next one, empty with SAML. */
  readonly nonce: string;
  /** Proves that the attempt ends where it began (PKCE). */
  readonly verifier: string;
}

/** What a provider says of the person who signed in there. */
export type Claims = OpenId.IDToken & Partial<OpenId.UserInfoResponse>;

interface Description {
  readonly endsAtMs: number;
  readonly configuration: Promise<OpenId.Configuration>;
}

/** Speaks OpenID Connect with the providers: authorization code flow with PKCE, `state` and `nonce`; every ID token is checked against the keys of its provider. */
@Injectable()
export class OpenIdClient {
  private readonly logger = new Logger(OpenIdClient.name);
  private readonly descriptions = new Map<string, Description>();

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /**
   * Begins an attempt.
   * @param isAgain whether the provider is to ask who the person is although it knows
   * @returns the secrets to keep, and the address at the provider to go to
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
   * @param query of the address to which it sent them, as it came
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
        // Not the address that the request names: a `Host` header would choose where the code counts.
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

  /** Asks a provider for its description and keys, and says what is wrong with them; null where all is well. */
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

  /** Where the provider publishes its keys. @throws ProviderUnavailable, also where it publishes none */
  async keysAddress(provider: OpenIdProvider): Promise<string> {
    const { jwks_uri: address } = (await this.configurationOf(provider)).serverMetadata();
    if (address === undefined) throw new ProviderUnavailable(provider.label);
    return address;
  }

  /**
   * Where a person signs out of the provider.
   * @param idToken shows whose session it is, so that the provider need not ask
   * @returns null where the provider has no such address, or cannot be reached
   */
  async exitAddress(provider: OpenIdProvider, idToken: string): Promise<string | null> {
    const configuration = await this.configurationOf(provider).catch(() => null);
    const address = configuration?.serverMetadata().end_session_endpoint ?? '';
    if (configuration === null || !/^https?:/i.test(address)) return null;
    const post_logout_redirect_uri = `${this.config.externalUrl}/login/`;
    const parameters = { id_token_hint: idToken, post_logout_redirect_uri };
    return openId().buildEndSessionUrl(configuration, parameters).href;
  }

  /** Where a provider sends people back; an address for each, so that no answer is taken for that of another provider. */
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
      // Further requests within the pause fail alike, so that callers cannot make the server retry all the time.
      const failed = { ...known, endsAtMs: Math.min(known.endsAtMs, now + PAUSE_MS) };
      if (this.descriptions.get(provider.name) === known) this.descriptions.set(provider.name, failed);
      this.logger.warn(`Cannot read what ${provider.issuer} says of itself: ${reasonOf(error)}`);
      throw new ProviderUnavailable(provider.label);
    }
  }
}

/**
 * The ID token is signed, so it decides where both say something. Whether an address is verified is said of the address
 * beside it: a token that names one must not borrow the word for another.
 */
function merged(claims: OpenId.IDToken, more: OpenId.UserInfoResponse): Claims {
  const { email_verified: isVerified, ...others } = more;
  return { ...(claims.email === undefined ? { ...others, email_verified: isVerified } : others), ...claims };
}

/** The library checks when a token ends, not whether it was made already; by the system's time, as all that the library checks. */
function requireMade({ iat }: OpenId.IDToken): void {
  if (iat > Date.now() / 1000 + CLOCK_SECONDS) throw new Error('The ID token is made ahead of the clock.');
}

/** Loaded at the first sign-in with a provider. */
function openId(): typeof OpenId {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it at the start
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

/** For the log: errors of the library hold whole responses, and so tokens. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  const { code, cause } = error as { code?: string; cause?: unknown };
  const inner = cause instanceof Error ? ` (${cause.message})` : '';
  return `${code ?? error.name}: ${error.message}${inner}`;
}
