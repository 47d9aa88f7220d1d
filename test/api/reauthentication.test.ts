import { Role } from '../../src/platform/actor';
import { Passwords } from '../../src/platform/secrets/passwords';
import { codeAt } from '../../src/features/users/factors/one-time-codes';
import { changeAccount } from '../support/account-setup';
import type { Answer, Method } from '../support/api-client';
import { AuditReader } from '../support/audit-setup';
import { type BrowserClient, browserOf, FROM_OWN_PAGE } from '../support/browser-client';
import { addAccount, type Member, PASSWORD } from '../support/cast';
import { expectSuccess } from '../support/expect-answer';
import { StoppedClock } from '../support/test-clocks';
import { TestApp } from '../support/test-app';

const clock = new StoppedClock();
let app: TestApp;
let passwordHash: string;
let counter = 0;

beforeAll(async () => {
  app = await TestApp.start({ clock });
  passwordHash = await app.get(Passwords).hash(PASSWORD);
});

afterAll(() => app.stop());

const newcomer = (role: Role = Role.owner, hash: string | null = passwordHash): Promise<Member> =>
  addAccount(app.nest, {
    deliveryEmail: `again${++counter}@example.com`,
    fullName: `Again ${counter}`,
    role,
    passwordHash: hash,
  });

const PATH = '/json/companion/auth/me/reauthentication';

/** As the console calls the companion interface. */
async function companion(
  browser: BrowserClient,
  method: Method,
  path: string,
  body: object,
): Promise<Answer> {
  return browser.send({
    method,
    url: `/json/companion/${path}`,
    headers: {
      ...FROM_OWN_PAGE,
      'x-csrftoken': await browser.csrfToken(),
      'content-type': 'application/json',
    },
    form: JSON.stringify(body),
  });
}

const confirm = (browser: BrowserClient, body: object) =>
  companion(browser, 'POST', 'auth/me/reauthentication', body);

/** A browser in which somebody signed in eleven minutes ago. */
async function oldBrowser(who: Member): Promise<BrowserClient> {
  const browser = await browserOf(app, who);
  clock.now += 660_000;
  return browser;
}

const REQUIRED = { status: 403, body: { code: 'REAUTHENTICATION_REQUIRED' } };

describe('A recent sign-in', () => {
  it('is asked for by what is dangerous, in browsers', async () => {
    const [owner, other] = [await newcomer(), await newcomer(Role.member)];
    const browser = await oldBrowser(owner);
    const main: [Method, string, Record<string, string>][] = [
      ['PATCH', `/json/users/${other.id}`, { role: '300' }],
      ['PATCH', `/json/users/${other.email}`, { role: '300' }],
      ['POST', '/json/export/realm', {}],
      ['POST', '/json/users/me/api_key/regenerate', {}],
      ['POST', `/json/bots/${app.cast.robo.id}/api_key/regenerate`, {}],
      ['PATCH', '/json/settings', { email: 'another@example.com' }],
      ['PATCH', '/json/settings/display', { email: 'another@example.com' }],
      ['PATCH', '/json/realm', { authentication_methods: '{"Email": true}' }],
      ['POST', '/json/realm/deactivate', {}],
    ];
    for (const [method, url, form] of main) {
      expect([url, await browser.call(method, url, form)]).toMatchObject([url, REQUIRED]);
    }
    const others: [Method, string, object][] = [
      ['PATCH', `auth/users/${other.id}`, { role: 'moderator' }],
      ['PATCH', `auth/users/${other.id}`, { password: 'seven green umbrellas' }],
      ['DELETE', `auth/users/${other.id}`, {}],
      ['POST', `auth/users/${other.id}/password-link`, {}],
      ['DELETE', `auth/users/${other.id}/second-factor`, {}],
      ['DELETE', `auth/users/${other.id}/sessions`, {}],
      ['PATCH', 'auth/second-factor-policy', { required_of: 'everyone' }],
      ['DELETE', 'auth/sessions', {}],
      ['POST', 'directories/keys', { directory: 'okta' }],
    ];
    for (const [method, path, body] of others) {
      expect([path, await companion(browser, method, path, body)]).toMatchObject([path, REQUIRED]);
    }
    expectSuccess(await browser.call('PATCH', `/json/users/${other.id}`, { full_name: 'Renamed' }));
    expectSuccess(await browser.call('PATCH', '/json/settings', { enter_sends: 'true' }));
    expectSuccess(await app.as(owner).patch(`/users/${other.id}`, { role: '300' }));
  });

  it('of an owner without a password is enough for the key of a directory', async () => {
    const owner = await newcomer();
    const browser = await browserOf(app, owner);
    await changeAccount(app, owner, { passwordHash: null });
    const make = () => companion(browser, 'POST', 'directories/keys', { directory: 'okta' });
    const { status, body } = await make();
    expect(status).toBe(201);
    const authorization = `Bearer ${body.key as string}`;
    expect(
      (await app.client().send({ method: 'GET', url: '/scim/v2/Users', headers: { authorization } })).status,
    ).toBe(200);
    clock.now += 660_000;
    expect(await make()).toMatchObject(REQUIRED);
  });

  it('is given by the password, once for ten minutes, in this session alone', async () => {
    const [owner, other] = [await newcomer(), await newcomer(Role.member)];
    const [browser, elsewhere] = [await browserOf(app, owner), await oldBrowser(owner)];
    const audit = await AuditReader.of(app);
    const promote = (from: BrowserClient, role: string) =>
      from.call('PATCH', `/json/users/${other.id}`, { role });
    expect((await browser.send({ url: PATH })).body).toEqual({ by: 'password', has_passkey: false });
    expect((await confirm(browser, { password: 'guess' })).status).toBe(400);
    expect((await confirm(browser, { code: '000000' })).status).toBe(400);
    expect(await promote(browser, '300')).toMatchObject(REQUIRED);
    expect((await confirm(browser, { password: PASSWORD })).status).toBe(204);
    expectSuccess(await promote(browser, '300'));
    expect(await promote(elsewhere, '400')).toMatchObject(REQUIRED);
    clock.now += 600_000;
    expect(await promote(browser, '400')).toMatchObject(REQUIRED);
    const actions = (await audit.news()).map(({ action }) => action);
    expect(actions).toEqual([
      'user.sign_in_failed',
      'user.sign_in_failed',
      'user.reauthenticated',
      'user.role_changed',
    ]);
  });

  it('is given by the code of people who have a second factor, and not by their password', async () => {
    const owner = await newcomer();
    const client = await app.companionAs(owner);
    const { body } = await client.post('/auth/me/second-factor', { password: PASSWORD });
    const codeNow = () => codeAt(body.secret as string, Math.floor(clock.nowSeconds() / 30));
    expect((await client.post('/auth/me/second-factor/confirm', { code: codeNow() })).status).toBe(200);
    clock.now += 60_000;
    expect((await client.get('/auth/me/reauthentication')).body).toEqual({ by: 'code', has_passkey: false });
    expect((await client.post('/auth/me/reauthentication', { password: PASSWORD })).status).toBe(400);
    const code = codeNow();
    expect((await client.post('/auth/me/reauthentication', { code })).status).toBe(204);
    expect((await client.post('/auth/me/reauthentication', { code })).status).toBe(400);
  });

  it('ends guessing, and says so to people who have neither', async () => {
    const owner = await newcomer();
    const browser = await oldBrowser(owner);
    const statuses: number[] = [];
    for (let guess = 0; guess < 12; guess++)
      statuses.push((await confirm(browser, { password: 'guess' })).status);
    expect([statuses[0], statuses.at(-1)]).toEqual([400, 429]);
    const provided = await newcomer();
    const client = await app.companionAs(provided);
    await changeAccount(app, provided, { passwordHash: null });
    expect((await client.get('/auth/me/reauthentication')).body).toEqual({
      by: 'sign_in',
      has_passkey: false,
    });
    expect((await client.post('/auth/me/reauthentication', {})).status).toBe(409);
  });
});
