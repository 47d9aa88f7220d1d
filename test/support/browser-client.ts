import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Answer, Method, Parameters } from './api-client';
import { expectSecurityHeaders } from './api-client';
import { PASSWORD } from './cast';
import type { TestApp } from './test-app';
import { currentCode, throughProvider, WAY_IN } from './way-in';

type Headers = Readonly<Record<string, string>>;

/** Headers that a browser sends with requests of a page of the server. */
export const FROM_OWN_PAGE: Headers = { origin: 'http://chat.example.com', 'sec-fetch-site': 'same-origin' };

/** A request as a test describes it. */
export interface BrowserRequest {
  readonly method?: Method | 'HEAD';
  readonly url: string;
  readonly headers?: Headers;
  /** Sent as a form; a text is sent unchanged. */
  readonly form?: Parameters | string;
}

/** A browser: keeps the cookies of a single server, and follows no redirects. */
export class BrowserClient {
  /** By name. */
  readonly cookies = new Map<string, string>();

  constructor(
    private readonly nest: NestFastifyApplication,
    /** Headers with the program and the host. */
    private readonly headers: Headers = { host: 'chat.example.com' },
  ) {}

  async send({ method = 'GET', url, headers = {}, form }: BrowserRequest): Promise<Answer> {
    const cookie = this.cookieHeader();
    const response = await this.nest.inject({
      method,
      url,
      headers: {
        ...this.headers,
        ...(cookie === '' ? {} : { cookie }),
        ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      payload: form === undefined || typeof form === 'string' ? form : encoded(form),
    });
    expectSecurityHeaders(response.headers);
    for (const { name, value, maxAge } of response.cookies as SetCookie[]) {
      if (maxAge === 0) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const isJson =
      method !== 'HEAD' && String(response.headers['content-type']).startsWith('application/json');
    return {
      status: response.statusCode,
      headers: response.headers,
      body: isJson ? response.json() : response.payload,
    };
  }

  /** Sends a request like a page of the server, with the session's token. */
  async call(method: Method, url: string, form: Parameters = {}): Promise<Answer> {
    if (method === 'GET') {
      const query = encoded(form);
      return this.send({ url: query === '' ? url : `${url}?${query}` });
    }
    const headers = { ...FROM_OWN_PAGE, 'x-csrftoken': await this.csrfToken() };
    return this.send({ method, url, headers, form });
  }

  /** The token that the console shows to signed-in users; empty for others. */
  async csrfToken(): Promise<string> {
    const { body } = await this.send({ url: '/console' });
    return /name="csrf-token" content="([^"]+)"/.exec(String(body))?.[1] ?? '';
  }

  /** The headers of a page's JSON request. */
  async credentials(): Promise<Headers> {
    return {
      ...this.headers,
      ...FROM_OWN_PAGE,
      cookie: this.cookieHeader(),
      'x-csrftoken': await this.csrfToken(),
    };
  }

  /** Submits the form of the sign-in page, or signs in as {@link WAY_IN} requires. */
  async signIn(email: string, password = PASSWORD, more: Parameters = {}): Promise<Answer> {
    if (WAY_IN === 'provider' && password === PASSWORD) {
      const { next } = more as { readonly next?: string };
      const signedIn = await throughProvider(this.nest, { email, next }, (url) => this.send({ url }));
      if (signedIn) return signedIn;
    }
    const code = WAY_IN === 'factor' ? await currentCode(this.nest, email) : null;
    const form = { username: email, password, ...more };
    const first = await this.send({ method: 'POST', url: '/login/', headers: FROM_OWN_PAGE, form });
    if (code === null || first.status !== 200) return first;
    return this.send({ method: 'POST', url: '/login/code', headers: FROM_OWN_PAGE, form: { ...more, code } });
  }

  private cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** ID of the session's user, as reported by the server; null if there is none. */
  async whoAmI(): Promise<number | null> {
    const { status, body } = await this.send({ url: '/json/users/me' });
    return status === 200 ? (body.user_id as number) : null;
  }
}

interface SetCookie {
  readonly name: string;
  readonly value: string;
  readonly maxAge?: number;
}

/** A browser in which this person has signed in. */
export async function browserOf(
  app: TestApp,
  who: { readonly email: string },
  headers?: Headers,
): Promise<BrowserClient> {
  const browser = new BrowserClient(app.nest, { host: 'chat.example.com', ...headers });
  const { status } = await browser.signIn(who.email);
  if (status !== 302) throw new Error(`${who.email} cannot sign in: ${status}`);
  return browser;
}

function encoded(form: Parameters): string {
  const texts = Object.entries(form).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return new URLSearchParams(texts).toString();
}
