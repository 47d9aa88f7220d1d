import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as Oidc from 'oidc-provider' with { 'resolution-mode': 'import' };

/** External URL of the test server. */
const SITE = 'http://chat.example.com';

/** The provider's data about the next person who signs in. */
export interface Person {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: unknown;
  readonly name?: string;
  readonly [claim: string]: unknown;
}

/**
 * A real OpenID Connect provider on this machine, at which the person of {@link person} signs in without interaction.
 */
export class TestIdentityProvider {
  person: Person = { sub: 'nobody' };

  private constructor(
    readonly issuer: string,
    private readonly server: ReturnType<typeof createServer>,
    private readonly folder: string,
  ) {}

  /** @param names of the provider on the test server, each with a separate client */
  static async start(...names: readonly string[]): Promise<TestIdentityProvider> {
    const { default: OidcProvider } = openIdProvider();
    let handle: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
    const server = createServer((request, response) => handle(request, response));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const folder = mkdtempSync(join(tmpdir(), 'parley-oidc-'));
    const self = new TestIdentityProvider(issuer, server, folder);
    const provider = new OidcProvider(issuer, {
      clients: names.map((name) => ({
        client_id: `client-${name}`,
        client_secret: 'a secret of the client',
        redirect_uris: [`${SITE}/complete/oidc/${name}/`],
        post_logout_redirect_uris: [`${SITE}/login/`],
      })),
      cookies: { keys: ['a key for cookies'] },
      claims: {
        openid: ['sub'],
        email: ['email', 'email_verified'],
        profile: ['name', 'given_name', 'family_name', 'teams'],
      },
      ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
      jwks: { keys: [signingKey()] },
      conformIdTokenClaims: false,
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
      findAccount: (_context: Oidc.KoaContextWithOIDC, sub: string) => ({
        accountId: sub,
        claims: () => ({ ...self.person }),
      }),
    });
    const serve = provider.callback() as (
      request: IncomingMessage,
      response: ServerResponse,
    ) => Promise<void>;
    handle = (request, response) => {
      const isInteraction = request.url?.startsWith('/interaction/') === true;
      void (isInteraction ? self.agree(provider, request, response) : serve(request, response));
    };
    return self;
  }

  /** A configuration file for the test server. @param changes to the block of the provider with this name */
  fileOf(blocks: readonly Readonly<Record<string, unknown>>[]): string {
    writeFileSync(join(this.folder, 'secret'), 'a secret of the client\n');
    const path = join(this.folder, 'providers.json');
    const whole = blocks.map((block) => ({
      label: `The ${String(block.name)} account`,
      issuer: this.issuer,
      client_id: `client-${String(block.name)}`,
      client_secret_file: 'secret',
      ...block,
    }));
    writeFileSync(path, JSON.stringify(whole));
    return path;
  }

  /** Follows redirects from the server's redirect until the provider returns. */
  async visit(url: string): Promise<string> {
    const cookies = new Map<string, string>();
    let next = url;
    for (let step = 0; step < 10; step++) {
      if (next.startsWith(SITE)) return next.slice(SITE.length);
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(next, { redirect: 'manual', headers: { cookie } });
      for (const each of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
        cookies.set(name, value);
      }
      const location = response.headers.get('location');
      if (location === null)
        throw new Error(`The provider answers ${response.status}: ${await response.text()}`);
      next = new URL(location, next).href;
    }
    throw new Error(`The provider leads in circles: ${next}`);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
    rmSync(this.folder, { recursive: true });
  }

  /** Signs the person in and grants all consents. */
  private async agree(
    provider: Oidc.Provider,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { params, grantId, session } = await provider.interactionDetails(request, response);
    const accountId = session?.accountId ?? this.person.sub;
    const clientId = String(params.client_id);
    const grant =
      (grantId && (await provider.Grant.find(grantId))) || new provider.Grant({ accountId, clientId });
    grant.addOIDCScope(String(params.scope));
    const consent = { grantId: await grant.save() };
    await provider.interactionFinished(request, response, { login: { accountId }, consent });
  }
}

/** A private key as a JSON Web Key. */
function signingKey(): object {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'RS256', use: 'sig' };
}

/** An ES module, which the compiler does not allow as a static import here. */
function openIdProvider(): typeof Oidc {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- see above
  return require('oidc-provider') as typeof Oidc;
}
