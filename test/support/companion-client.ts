import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { expectSecurityHeaders, type Answer, type Method } from './api-client';
import { BrowserClient } from './browser-client';
import { descriptionCheck } from './description/running-check';
import { currentCode, throughProvider, WAY_IN } from './way-in';

type Headers = Readonly<Record<string, string>>;

/** Calls the companion interface as one caller: JSON in both directions, with a bearer token if there is one. */
export class CompanionClient {
  constructor(
    private readonly app: NestFastifyApplication,
    /** The token that it sends. */
    readonly token: string | null = null,
    /** Awaited before everything that may write. */
    private readonly beforeWriting: () => Promise<void> = () => Promise.resolve(),
    /** A browser session used instead, if people sign in with an identity provider, which programs cannot. */
    private readonly browser: BrowserClient | null = null,
  ) {}

  /** Signs in, and returns that person's client. */
  async signIn(email: string, password: string): Promise<CompanionClient> {
    if (WAY_IN === 'provider') {
      const browser = new BrowserClient(this.app);
      const answer = await throughProvider(this.app, { email }, (url) => browser.send({ url }));
      if (answer?.status === 302) return new CompanionClient(this.app, null, this.beforeWriting, browser);
    }
    const code = WAY_IN === 'factor' ? await currentCode(this.app, email) : null;
    const first = await this.post('/auth/login', { email, password });
    const { challenge } = first.body;
    const isAsked = code !== null && challenge !== undefined;
    const last = isAsked ? await this.post('/auth/login/second-factor', { challenge, code }) : first;
    const { status, body } = last;
    if (status !== 200) throw new Error(`${email} cannot sign in: ${JSON.stringify(body)}`);
    return this.withToken(body.access_token);
  }

  /** A client that sends this token. */
  withToken(token: string): CompanionClient {
    return new CompanionClient(this.app, token, this.beforeWriting);
  }

  get(path: string, headers: Headers = {}): Promise<Answer> {
    return this.call('GET', path, undefined, headers);
  }

  post(path: string, body?: unknown, headers: Headers = {}): Promise<Answer> {
    return this.call('POST', path, body, headers);
  }

  patch(path: string, body?: unknown, headers: Headers = {}): Promise<Answer> {
    return this.call('PATCH', path, body, headers);
  }

  delete(path: string, body?: unknown, headers: Headers = {}): Promise<Answer> {
    return this.call('DELETE', path, body, headers);
  }

  /** @param body is sent as JSON; a text is sent unchanged, declared as JSON */
  async call(
    method: Method | 'OPTIONS',
    path: string,
    body?: unknown,
    headers: Headers = {},
  ): Promise<Answer> {
    if (method !== 'GET') await this.beforeWriting();
    const payload = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const response = await this.app.inject({
      method,
      url: this.browser ? `/json/companion${path}` : `/api${path}`,
      headers: {
        ...(this.browser && (await this.browser.credentials())),
        ...(this.token === null ? {} : { authorization: `Bearer ${this.token}` }),
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      payload,
    });
    const isJson = String(response.headers['content-type']).startsWith('application/json');
    expectSecurityHeaders(response.headers);
    const answer: Answer = {
      status: response.statusCode,
      headers: response.headers,
      body: isJson ? response.json() : response.payload,
    };
    descriptionCheck.checkAnswer(method, `/api${path}`, answer);
    return answer;
  }
}
