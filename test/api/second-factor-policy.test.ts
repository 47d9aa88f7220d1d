import { Role } from '../../src/platform/actor';
import { TransactionService } from '../../src/platform/database/transaction.service';
import { Passwords } from '../../src/platform/secrets/passwords';
import { codeAt } from '../../src/features/users/factors/one-time-codes';
import { SecondFactor } from '../../src/features/users/factors/second-factor.entity';
import { SecondFactors } from '../../src/features/users/factors/second-factors.service';
import { AuditReader } from '../support/audit-setup';
import { BrowserClient, browserOf, FROM_OWN_PAGE } from '../support/browser-client';
import { addAccount, type Member, PASSWORD } from '../support/cast';
import type { CompanionClient } from '../support/companion-client';
import { expectSuccess } from '../support/expect-answer';
import { TestIdentityProvider } from '../support/identity-provider';
import { StoppedClock } from '../support/test-clocks';
import { TestApp } from '../support/test-app';

const clock = new StoppedClock();
let provider: TestIdentityProvider;
let app: TestApp;
let passwordHash: string;
let counter = 0;
let audit: AuditReader;
/** The session of the owner, who has a second factor. */
let owner: CompanionClient;

beforeAll(async () => {
  provider = await TestIdentityProvider.start('plain', 'strong');
  const file = provider.fileOf([
    { name: 'plain', creates_accounts: true, links_by_email: true },
    { name: 'strong', creates_accounts: true, vouches_for_second_factor: true },
  ]);
  app = await TestApp.start({ clock, env: { IDENTITY_PROVIDERS: file } });
  passwordHash = await app.get(Passwords).hash(PASSWORD);
  owner = await app.companionAs(app.cast.olivia);
  await enrolIn(owner);
  audit = AuditReader.with(app, owner);
});

afterEach(async () => {
  expect((await policy({ required_of: 'nobody' })).status).toBe(200);
});

afterAll(async () => {
  await app.stop();
  await provider.stop();
});

const codeNow = (seed: string) => codeAt(seed, Math.floor(clock.nowSeconds() / 30));

const newcomer = (role: Role = Role.member): Promise<Member> =>
  addAccount(app.nest, {
    deliveryEmail: `policy${++counter}@example.com`,
    fullName: `Policy ${counter}`,
    role,
    passwordHash,
  });

async function enrolIn(client: CompanionClient): Promise<string> {
  const { body } = await client.post('/auth/me/second-factor', { password: PASSWORD });
  const seed = body.secret as string;
  const confirmed = await client.post('/auth/me/second-factor/confirm', { code: codeNow(seed) });
  expect(confirmed.status).toBe(200);
  clock.now += 60_000;
  return seed;
}

/** Sets up a second factor; the step of time is over afterwards. */
async function enrol(who: Pick<Member, 'email'>) {
  const client = await app.companionAs(who);
  return { client, seed: await enrolIn(client) };
}

const policy = (body: Readonly<Record<string, unknown>>) => owner.patch('/auth/second-factor-policy', body);

const requireOf = async (of: string, from?: number) => {
  const { status } = await policy({ required_of: of, ...(from !== undefined && { from }) });
  expect(status).toBe(200);
};

const fetchKey = ({ email }: Member, password = PASSWORD) =>
  app.client().post('/fetch_api_key', { username: email, password });

const MISSING = { status: 403, body: { code: 'SECOND_FACTOR_REQUIRED' } };

/** Sends a form of the sign-in page with the token that the page has. */
async function submit(browser: BrowserClient, page: unknown, url: string, form: Record<string, string> = {}) {
  const csrfmiddlewaretoken = csrfOf(page);
  return browser.send({
    method: 'POST',
    url,
    headers: FROM_OWN_PAGE,
    form: { csrfmiddlewaretoken, ...form },
  });
}

const csrfOf = (page: unknown) => /name="csrfmiddlewaretoken" value="([^"]+)"/.exec(String(page))?.[1] ?? '';

/** Signs in with a provider; `last` is the answer when it has sent the browser back. */
async function throughProvider({ email }: { readonly email: string }, name: string, query = '') {
  provider.person = { sub: `${name} ${email}`, email, email_verified: true, name: 'Some One' };
  const browser = new BrowserClient(app.nest);
  const { headers } = await browser.send({ url: `/accounts/login/social/oidc/${name}${query}` });
  const last = await browser.send({ url: await provider.visit(String(headers.location)) });
  return Object.assign(browser, { last });
}

const seedOn = (page: unknown) =>
  (/<code>([A-Z2-7 ]+)<\/code>/.exec(String(page))?.[1] ?? '').replaceAll(' ', '');

describe('The policy for second factors', () => {
  it('is changed by owners who have one themselves, and recorded', async () => {
    await audit.news();
    expect((await owner.get('/auth/second-factor-policy')).body).toEqual({
      required_of: 'nobody',
      from: null,
    });
    const admin = await app.companionAs(app.cast.adam);
    expect((await admin.patch('/auth/second-factor-policy', { required_of: 'everyone' })).status).toBe(403);
    for (const body of [{ required_of: 'guests' }, {}, { required_of: 'everyone', from: -1 }]) {
      expect((await policy(body)).status).toBe(422);
    }
    const client = await app.companionAs(await newcomer(Role.owner));
    const refused = await client.patch('/auth/second-factor-policy', { required_of: 'everyone' });
    expect([refused.status, refused.body.detail]).toEqual([409, 'Set up your own second factor first.']);
    const from = clock.nowSeconds() + 86_400;
    expect((await policy({ required_of: 'administrators', from })).body).toEqual({
      required_of: 'administrators',
      from,
    });
    expect((await admin.get('/auth/second-factor-policy')).body).toEqual({
      required_of: 'administrators',
      from,
    });
    const changes = (await audit.news()).filter(({ action }) => action === 'organization.changed');
    expect(changes.map(({ details }) => details)).toEqual([
      {
        second_factor_required: { from: 'nobody', to: 'administrators' },
        second_factor_from: { from: 0, to: from },
      },
    ]);
  });

  it('begins when it says, for whom it says', async () => {
    const [member, admin] = [await newcomer(), await newcomer(Role.administrator)];
    const [ofMember, ofAdmin] = [await app.companionAs(member), await app.companionAs(admin)];
    await requireOf('administrators', clock.nowSeconds() + 60);
    expect((await ofAdmin.get('/auth/sessions')).status).toBe(200);
    clock.now += 60_000;
    expect(await ofAdmin.get('/auth/sessions')).toMatchObject(MISSING);
    expect((await ofMember.get('/auth/sessions')).status).toBe(200);
    expect((await fetchKey(member)).status).toBe(200);
    expect((await fetchKey(admin)).status).toBe(401);
    await requireOf('everyone');
    expect(await ofMember.get('/auth/sessions')).toMatchObject(MISSING);
  });

  it('refuses programs with a password, clearly, and lets keys and bots go on', async () => {
    const who = await newcomer();
    const key = app.as(who);
    await requireOf('everyone');
    const { status, body } = await fetchKey(who);
    expect([status, body]).toEqual([
      401,
      {
        result: 'error',
        code: 'SECOND_FACTOR_REQUIRED',
        msg: 'Your organization requires a second factor. Sign in with the browser to set it up.',
      },
    ]);
    expect((await fetchKey(who, 'guess')).body.code).toBe('AUTHENTICATION_FAILED');
    expectSuccess(await key.get('/users/me'));
    expectSuccess(await key.post('/register'));
    expectSuccess(await app.as(app.cast.robo).get('/users/me'));
  });

  it('lets tokens of the companion interface do nothing but set one up', async () => {
    const who = await newcomer();
    await requireOf('everyone');
    const client = await app.companionAs(who);
    expect((await client.get('/auth/me')).status).toBe(200);
    for (const path of ['/auth/sessions', '/auth/keys']) {
      expect(await client.get(path)).toMatchObject(MISSING);
    }
    const change = { current_password: PASSWORD, new_password: 'seven green umbrellas' };
    expect(await client.patch('/auth/me/password', change)).toMatchObject(MISSING);
    const seed = await enrolIn(client);
    expect((await client.get('/auth/sessions')).status).toBe(200);
    const changed = await client.patch('/auth/me/password', change);
    expect(changed.status).toBe(200);
    const next = app.companion().withToken(changed.body.access_token as string);
    expect((await next.get('/auth/sessions')).status).toBe(200);
    expect((await next.post('/auth/me/second-factor/remove', { code: codeNow(seed) })).status).toBe(204);
    expect(await next.get('/auth/sessions')).toMatchObject(MISSING);
    expect((await next.post('/auth/logout')).status).toBe(204);
  });

  it('leads browsers to the sign-in page, where the app is set up', async () => {
    const who = await newcomer();
    const elsewhere = await browserOf(app, who);
    await requireOf('everyone');
    const browser = new BrowserClient(app.nest);
    expect((await browser.signIn(who.email)).status).toBe(302);
    expect(await browser.send({ url: '/json/users/me' })).toMatchObject(MISSING);
    const led = await browser.send({ url: '/console/inbox' });
    expect([led.status, led.headers.location]).toEqual([302, '/login/?next=%2Fconsole%2Finbox']);
    const intro = await browser.send({ url: '/login/?next=%2Fconsole%2Finbox' });
    expect(String(intro.body)).toContain('Your organization requires a second factor');
    const forged = await browser.send({
      method: 'POST',
      url: '/login/second-factor',
      headers: FROM_OWN_PAGE,
      form: {},
    });
    expect(forged.status).toBe(403);
    const shown = await submit(browser, intro.body, '/login/second-factor', { next: '/console/inbox' });
    const seed = seedOn(shown.body);
    expect(seed).toMatch(/^[A-Z2-7]{32}$/);
    expect(String(shown.body)).toContain(`otpauth://totp/`);
    const wrong = await submit(browser, shown.body, '/login/second-factor/confirm', { code: '000000' });
    expect([wrong.status, seedOn(wrong.body)]).toEqual([401, seed]);
    const done = await submit(browser, wrong.body, '/login/second-factor/confirm', {
      code: codeNow(seed),
      next: '/console/inbox',
    });
    expect(done.status).toBe(200);
    expect(String(done.body).match(/<li>/g)).toHaveLength(10);
    expect(String(done.body)).toContain('href="/console/inbox"');
    expect(await browser.whoAmI()).toBe(who.id);
    expect(await elsewhere.whoAmI()).toBeNull();
    for (const path of ['', '/confirm', '/code']) {
      const again = await submit(browser, done.body, `/login/second-factor${path}`, {
        csrfmiddlewaretoken: csrfOf(wrong.body),
        code: '000000',
      });
      expect(again.status).toBe(302);
    }
  });

  it('asks for the password again before an old session sets one up', async () => {
    const who = await newcomer();
    const browser = await browserOf(app, who);
    await requireOf('everyone');
    const intro = await browser.send({ url: '/login/' });
    clock.now += 600_000;
    const old = await browser.send({ url: '/login/' });
    expect(String(old.body)).toContain('Please sign in again to set it up.');
    const begun = await submit(browser, intro.body, '/login/second-factor');
    expect([begun.status, begun.headers.location]).toEqual([302, '/login/']);
    expect((await browser.signIn(who.email)).status).toBe(302);
    expect(String((await browser.send({ url: '/login/' })).body)).toContain('Set up an authenticator app');
  });

  it('asks people for the code whom a provider signed in without one', async () => {
    const who = await newcomer();
    const { seed } = await enrol(who);
    await requireOf('everyone');
    const browser = await throughProvider(who, 'plain');
    expect(await browser.whoAmI()).toBeNull();
    const asked = await browser.send({ url: '/login/' });
    expect(String(asked.body)).toContain('one-time-code');
    expect((await submit(browser, asked.body, '/login/second-factor')).status).not.toBe(200);
    const wrong = await submit(browser, asked.body, '/login/second-factor/code', { code: '000000' });
    expect(wrong.status).toBe(401);
    const right = await submit(browser, wrong.body, '/login/second-factor/code', {
      code: codeNow(seed),
      next: '/console',
    });
    expect([right.status, right.headers.location]).toEqual([302, '/console']);
    const entries = (await audit.news()).filter(({ action }) => action.startsWith('user.sign'));
    expect(entries.slice(-2).map(({ action, details }) => [action, details])).toEqual([
      ['user.sign_in_failed', expect.objectContaining({ reason: 'wrong_code' })],
      ['user.signed_in', { by_code: true }],
    ]);
    expect(await browser.whoAmI()).toBe(who.id);
  });

  it('believes providers that vouch for it or name the method, in browsers and in the app', async () => {
    await requireOf('everyone');
    const strong = await throughProvider({ email: 'strong@example.com' }, 'strong');
    expect(await strong.whoAmI()).not.toBeNull();
    const otp = 'ab'.repeat(32);
    const inApp = (name: string) =>
      throughProvider({ email: `${name}@example.com` }, name, `?mobile_flow_otp=${otp}`);
    expect((await inApp('strong')).last).toMatchObject({ status: 200 });
    const refused = (await inApp('plain')).last;
    expect(refused?.status).toBe(403);
    expect(String(refused?.body)).not.toContain('zulip://');
  });

  it('does not end with a link for a new password', async () => {
    const who = await newcomer();
    await requireOf('everyone');
    const admin = await owner.post(`/auth/users/${who.id}/password-link`);
    expect(admin.status).toBeLessThan(300);
    const browser = new BrowserClient(app.nest);
    const url = new URL(admin.body.url as string);
    const set = await browser.send({
      method: 'POST',
      url: url.pathname,
      headers: FROM_OWN_PAGE,
      form: { password: 'seven green umbrellas' },
    });
    expect(set.status).toBe(302);
    expect(await browser.whoAmI()).toBeNull();
    expect(String((await browser.send({ url: '/login/' })).body)).toContain('Set up an authenticator app');
  });
});

describe('A second factor that is confirmed while somebody signs in', () => {
  it('is looked for in the transaction that begins the session', async () => {
    const who = await newcomer();
    const client = await app.companionAs(who);
    const { body } = await client.post('/auth/me/second-factor', { password: PASSWORD });
    expect(body.secret).toBeDefined();
    const login = await app.get(TransactionService).runExclusive(async (tx) => {
      const answer = app.companion().post('/auth/login', { email: who.email, password: PASSWORD });
      await tx.repository(SecondFactor).update({ userId: who.id }, { isConfirmed: true });
      return { answer };
    });
    expect(await login.answer).toMatchObject({ status: 401, body: { code: 'SECOND_FACTOR_REQUIRED' } });
    expect((await app.get(SecondFactors).of(who.id)).isOn).toBe(true);
  });
});
