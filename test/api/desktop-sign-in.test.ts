import { randomBytes } from 'node:crypto';
import { LoginSessionService } from '../../src/features/users/users.module';
import { changeAccount } from '../support/account-setup';
import { AuditReader } from '../support/audit-setup';
import { BrowserClient } from '../support/browser-client';
import { ELECTRON, follow, takeOver, tokenIn } from '../support/desktop-app';
import { expectSuccess } from '../support/expect-answer';
import { TestIdentityProvider } from '../support/identity-provider';
import { StoppedClock } from '../support/test-clocks';
import { TestApp } from '../support/test-app';

const START = '/accounts/login/social/oidc/staff';

const clock = new StoppedClock();
let provider: TestIdentityProvider;
let app: TestApp;

beforeAll(async () => {
  provider = await TestIdentityProvider.start('staff');
  const file = provider.fileOf([{ name: 'staff', creates_accounts: true, links_by_email: true }]);
  app = await TestApp.start({ clock, env: { IDENTITY_PROVIDERS: file } });
});

afterAll(async () => {
  await app.stop();
  await provider.stop();
});

const client = () => new BrowserClient(app.nest);

const person = (name: string) => ({
  sub: name,
  email: `${name}@example.com`,
  email_verified: true,
  name: `Desk ${name}`,
});

/** Signs somebody in with a browser, for a key of the app. @returns the token that the app gets */
async function tokenFor(name: string, query = ''): Promise<string> {
  provider.person = person(name);
  const key = randomBytes(32);
  const browser = client();
  const begun = await browser.send({ url: `${START}?desktop_flow_otp=${key.toString('hex')}${query}` });
  expect(begun.status).toBe(302);
  const { status, body } = await browser.send({ url: await provider.visit(String(begun.headers.location)) });
  expect(status).toBe(200);
  expect(String(body)).toContain('Copy this login token and return to your Zulip app to finish logging in:');
  expect(await browser.whoAmI()).toBeNull();
  const token = tokenIn(body, key);
  expect(token).toMatch(/^[A-Za-z0-9]{32}$/);
  return token;
}

async function pending(): Promise<number> {
  const [row] = await app.writeRows((tx) =>
    tx.query<{ count: number }>('SELECT COUNT(*) AS count FROM desktop_sign_in'),
  );
  return Number(row?.count);
}

const OVER = {
  status: 400,
  body: expect.stringMatching(
    /Invalid or expired login session\..*<a href="\/login\/">Log in<\/a>/s,
  ) as string,
};

describe('The desktop app', () => {
  it('gets a page that sends the person to their browser, instead of the provider', async () => {
    const { status, body, headers } = await client().send({
      url: `${START}?next=/%23inbox`,
      headers: ELECTRON,
    });
    expect(status).toBe(200);
    for (const text of [
      'Finish desktop login',
      'Use your web browser to finish logging in, then come back here to paste in your login token.',
      'Incorrect token.',
      'id="token"',
    ]) {
      expect(body).toContain(text);
    }
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['content-security-policy']).toMatch(/script-src 'sha256-[^']+'/);
    expect(headers['set-cookie']).toBeUndefined();
  });

  it('takes the session over that began in the browser, with the page to go to', async () => {
    const audit = await AuditReader.of(app);
    const token = await tokenFor('ada', '&next=/%23inbox');
    expect((await audit.news()).map(({ action }) => action)).not.toContain('user.signed_in');
    const desktop = client();
    const { status, headers } = await takeOver(desktop, token);
    expect([status, headers.location]).toEqual([302, '/#inbox']);
    const { body } = await desktop.send({ url: '/json/users/me' });
    expect(body.delivery_email).toBe('ada@example.com');
    const entries = await audit.news();
    expect(entries.map(({ action, details }) => [action, details])).toEqual([
      ['user.signed_in', { provider: 'staff' }],
    ]);
  });

  it('takes it over once, within a minute', async () => {
    const token = await tokenFor('ada');
    expect((await takeOver(client(), token)).status).toBe(302);
    expect(await takeOver(client(), token)).toMatchObject(OVER);
    const slow = await tokenFor('ada');
    clock.now += 59_000;
    const atOnce = await Promise.all([takeOver(client(), slow), takeOver(client(), slow)]);
    expect(atOnce.map(({ status }) => status).sort()).toEqual([302, 400]);
    const late = await tokenFor('ada');
    clock.now += 61_000;
    expect(await takeOver(client(), late)).toMatchObject(OVER);
    await tokenFor('ada');
    clock.now += 59_000;
    await app.get(LoginSessionService).deleteExpired();
    expect(await pending()).toBe(1);
    clock.now += 1_000;
    await app.get(LoginSessionService).deleteExpired();
    expect(await pending()).toBe(0);
  });

  it('takes nothing over with what is no token, nor by a link alone', async () => {
    for (const token of ['x', 'x'.repeat(31), 'x'.repeat(33), `${'x'.repeat(31)}-`, '%00'.repeat(32)]) {
      const { status, body } = await takeOver(client(), token);
      expect([token, status, body]).toEqual([token, 400, '']);
    }
    expect(await takeOver(client(), 'x'.repeat(32))).toMatchObject(OVER);
    const token = await tokenFor('ada');
    const desktop = client();
    expect(await follow(desktop, token)).toMatchObject(OVER);
    desktop.cookies.set('parley_desktop', 'x'.repeat(32));
    expect(await follow(desktop, token)).toMatchObject(OVER);
    expect(await desktop.whoAmI()).toBeNull();
    expect((await takeOver(desktop, token)).status).toBe(302);
    expect(desktop.cookies.has('parley_desktop')).toBe(false);
  });

  it('learns that the account was deactivated in between', async () => {
    const name = 'leaving';
    const first = client();
    await takeOver(first, await tokenFor(name));
    const id = (await first.whoAmI()) as number;
    const token = await tokenFor(name);
    const account = { id, email: `${name}@example.com` };
    const audit = await AuditReader.of(app);
    await changeAccount(app, account, { isActive: false });
    const desktop = client();
    expect(await takeOver(desktop, token)).toMatchObject(OVER);
    expect(await desktop.whoAmI()).toBeNull();
    await changeAccount(app, account, { isActive: true });
    expect(await takeOver(desktop, token)).toMatchObject(OVER);
    expect((await audit.news()).map(({ action }) => action)).not.toContain('user.signed_in');
  });

  it('takes nothing over once the sessions were ended, or the provider was switched off', async () => {
    const first = client();
    await takeOver(first, await tokenFor('hedy'));
    const id = (await first.whoAmI()) as number;
    const ended = await tokenFor('hedy');
    const kept = await tokenFor('grace');
    await app.writeRows((tx) => app.get(LoginSessionService).endAll(tx, id));
    expect(await takeOver(client(), ended)).toMatchObject(OVER);
    expect((await takeOver(client(), kept)).status).toBe(302);
    await tokenFor('hedy');
    await app.writeRows((tx) => app.get(LoginSessionService).endAllSessions(tx));
    expect(await pending()).toBe(0);
    const token = await tokenFor('hedy');
    const methods = (isOn: boolean) => ({ authentication_methods: { Email: true, 'OpenID Connect': isOn } });
    expectSuccess(await app.as(app.cast.olivia).patch('/realm', methods(false)));
    expect(await takeOver(client(), token)).toMatchObject(OVER);
    expectSuccess(await app.as(app.cast.olivia).patch('/realm', methods(true)));
  });

  it('ends the session that it had before', async () => {
    const desktop = client();
    await takeOver(desktop, await tokenFor('ada'));
    const old = client();
    for (const [name, value] of desktop.cookies) old.cookies.set(name, value);
    await takeOver(desktop, await tokenFor('grace'));
    expect(await old.whoAmI()).toBeNull();
    expect(await desktop.whoAmI()).toEqual(expect.any(Number));
  });

  it.each([
    [`?desktop_flow_otp=${'a'.repeat(63)}`, 'Invalid OTP'],
    [`?desktop_flow_otp=${'g'.repeat(64)}`, 'Invalid OTP'],
    ['?desktop_flow_otp=', 'Invalid OTP'],
    [
      `?desktop_flow_otp=${'a'.repeat(64)}&mobile_flow_otp=${'b'.repeat(64)}`,
      'Can&#39;t use both mobile_flow_otp and desktop_flow_otp together.',
    ],
  ])('is refused %s', async (query, text) => {
    const { status, body } = await client().send({ url: START + query });
    expect(status).toBe(400);
    expect(String(body).replaceAll('&#39;', "'")).toContain(text.replaceAll('&#39;', "'"));
  });
});
