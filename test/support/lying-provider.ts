import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The parts of an ID token that a provider may get wrong, intentionally or not. */
export interface Token {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly key: KeyObject;
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A manually encoded JSON Web Token, signed with RS256 unless the header says otherwise. */
function written({ header, claims, key }: Token): string {
  const text = `${encode(header)}.${encode(claims)}`;
  if (header.alg === 'none') return `${text}.`;
  const bytes =
    header.alg === 'HS256'
      ? createHmac('sha256', createPublicKey(key).export({ type: 'spki', format: 'pem' }))
          .update(text)
          .digest()
      : sign('sha256', Buffer.from(text), key);
  return `${text}.${bytes.toString('base64url')}`;
}

/** An OpenID Connect provider whose token endpoint returns whatever a test requires. */
export class LyingProvider {
  /** Modifies the correct token. */
  lie: (token: Token) => Token = (token) => token;
  /** Overrides its metadata. */
  description: Readonly<Record<string, unknown>> = {};
  /** Redirects, by path. */
  leadsTo: Readonly<Record<string, string>> = {};
  /** The response of its userinfo endpoint, if it has one. */
  userInfo: Readonly<Record<string, unknown>> = {};
  /** Number of requests to its token endpoint. */
  redeemed = 0;
  /** Its newest ID token. */
  issued = '';
  /** Number of requests for its keys. */
  keysRead = 0;
  /** Nonce of the current sign-in, which a provider reads from its URL. */
  nonce = '';
  private key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  private kid = 'one';
  private readonly server = createServer((request, response) => {
    const location = this.leadsTo[request.url ?? ''];
    if (location !== undefined) return void response.writeHead(307, { location }).end();
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(this.answer(request.url ?? '')));
  });

  private constructor() {}

  static async start(): Promise<LyingProvider> {
    const provider = new LyingProvider();
    await new Promise<void>((done) => provider.server.listen(0, '127.0.0.1', done));
    return provider;
  }

  /** Replaces its key, and publishes only the new one. */
  rotate(): void {
    this.key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    this.kid = 'another';
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** A key that the provider does not publish. */
  static strangersKey(): KeyObject {
    return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  }

  /** A token signed with the provider's key, or as the header says. */
  signed(claims: Token['claims'], header: Token['header'] = {}, key = this.key): string {
    return written({ header: { alg: 'RS256', kid: this.kid, ...header }, claims, key });
  }

  /** Lets the process exit while it runs. */
  unref(): void {
    this.server.unref();
  }

  stop(): Promise<unknown> {
    this.server.closeAllConnections();
    return new Promise((done) => this.server.close(done));
  }

  private answer(url: string): object {
    const { issuer } = this;
    if (url.startsWith('/.well-known')) {
      return {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ['code'],
        id_token_signing_alg_values_supported: ['RS256'],
        ...this.description,
      };
    }
    if (url === '/keys') {
      this.keysRead++;
      const published = createPublicKey(this.key).export({ format: 'jwk' });
      return { keys: [{ ...published, kid: this.kid, use: 'sig', alg: 'RS256' }] };
    }
    if (url === '/userinfo') return this.userInfo;
    this.redeemed++;
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: issuer,
      aud: 'client-liar',
      sub: 'somebody',
      email: 'somebody@example.com',
      email_verified: true,
      name: 'Some Body',
      nonce: this.nonce,
      iat: now,
      exp: now + 300,
    };
    const header = { alg: 'RS256', kid: this.kid, typ: 'JWT' };
    const token = this.lie({ header, claims, key: this.key });
    this.issued = written(token);
    return {
      access_token: 'access of the liar',
      token_type: 'Bearer',
      expires_in: 300,
      id_token: this.issued,
    };
  }
}
