import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Everything about an ID token that a provider may get wrong, on purpose or not. */
export interface Token {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly key: KeyObject;
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A JSON Web Token as one writes it by hand: RS256, or what the header says instead. */
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

/** An OpenID Connect provider whose token endpoint answers with whatever a test wants. */
export class LyingProvider {
  /** Changes the token that would be right. */
  lie: (token: Token) => Token = (token) => token;
  /** Changes what it says of itself. */
  description: Readonly<Record<string, unknown>> = {};
  /** Where it leads on to, by path. */
  leadsTo: Readonly<Record<string, string>> = {};
  /** What its userinfo endpoint answers, if it has one. */
  userInfo: Readonly<Record<string, unknown>> = {};
  /** Requests at its token endpoint. */
  redeemed = 0;
  /** Its newest ID token. */
  issued = '';
  /** Requests for its keys. */
  keysRead = 0;
  /** Nonce of the attempt that is under way, which a provider reads from the address it is called with. */
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

  /** Has another key from now on, and publishes no other. */
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

  /** A token signed with the provider's key, or with what the header says instead. */
  signed(claims: Token['claims'], header: Token['header'] = {}, key = this.key): string {
    return written({ header: { alg: 'RS256', kid: this.kid, ...header }, claims, key });
  }

  /** Lets the process end while it runs. */
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
