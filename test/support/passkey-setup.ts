import { Role } from '../../src/platform/actor';
import { Passwords } from '../../src/platform/secrets/passwords';
import type { Answer, Parameters } from './api-client';
import { Authenticator, type Flaws, type KeyKind } from './authenticator';
import { BrowserClient, FROM_OWN_PAGE } from './browser-client';
import { addAccount, type Member, PASSWORD } from './cast';
import type { CompanionClient } from './companion-client';
import { StoppedClock } from './test-clocks';
import { TestApp, type TestAppOptions } from './test-app';

/** The site of passkeys; the forms of test browsers come from another host name of the server. */
export const PASSKEY_SITE = 'http://chat.localhost';

/** A server with passkeys and a controllable clock. */
export class PasskeyRun {
  private constructor(
    readonly app: TestApp,
    readonly clock: StoppedClock,
    private readonly passwordHash: string,
  ) {}

  private counter = 0;

  static async start(options: TestAppOptions = {}): Promise<PasskeyRun> {
    const clock = new StoppedClock();
    const names = { EXTERNAL_URL: PASSKEY_SITE, ALLOWED_HOSTS: 'chat.example.com' };
    const app = await TestApp.start({ clock, ...options, env: { ...names, ...options.env } });
    return new PasskeyRun(app, clock, await app.get(Passwords).hash(PASSWORD));
  }

  newcomer(role: Role = Role.member): Promise<Member> {
    const number = ++this.counter;
    return addAccount(this.app.nest, {
      deliveryEmail: `passkey${number}@example.com`,
      fullName: `Passkey ${number}`,
      role,
      passwordHash: this.passwordHash,
    });
  }

  /** Creates a passkey for a session, and sends it. */
  async send(
    client: CompanionClient,
    key: Authenticator,
    flaws: Flaws = {},
    name = 'Laptop',
  ): Promise<Answer> {
    const { status, body } = await client.post('/auth/me/passkeys/challenge');
    expect(status).toBe(200);
    const made = key.make(body.options.challenge as string, flaws);
    return client.post('/auth/me/passkeys', { name, state: body.state, ...made });
  }

  /** A person with a passkey, and the session in which it was added. */
  async enrol(role: Role = Role.member, kind?: KeyKind) {
    const who = await this.newcomer(role);
    const client = await this.app.companionAs(who);
    const key = new Authenticator(PASSKEY_SITE, kind);
    const { status, body } = await this.send(client, key);
    expect(status).toBe(201);
    return {
      who,
      client,
      key,
      id: body.passkey.id as number,
      recoveryCodes: body.recovery_codes as string[],
    };
  }

  browser(): BrowserClient {
    return new BrowserClient(this.app.nest);
  }
}

/** Requests a challenge like the script of the sign-in page. */
export async function challengeFor(browser: BrowserClient): Promise<string> {
  const asked = await browser.send({
    method: 'POST',
    url: '/login/passkey/challenge',
    headers: FROM_OWN_PAGE,
  });
  expect(asked.status).toBe(200);
  return asked.body.challenge as string;
}

/** Submits a form with the response of a passkey. */
export function sendPasskey(
  browser: BrowserClient,
  form: Parameters,
  url = '/login/passkey',
): Promise<Answer> {
  return browser.send({ method: 'POST', url, headers: FROM_OWN_PAGE, form });
}

/** Signs in with only a passkey. */
export async function signInWith(
  browser: BrowserClient,
  key: Authenticator,
  flaws: Flaws = {},
): Promise<Answer> {
  return sendPasskey(browser, { ...key.use(await challengeFor(browser), flaws) });
}
