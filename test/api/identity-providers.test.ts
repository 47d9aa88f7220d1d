import { changeAccount } from '../support/account-setup';
import { AuditReader } from '../support/audit-setup';
import { BrowserClient, browserOf } from '../support/browser-client';
import { makeGroup } from '../support/group-setup';
import { TestIdentityProvider } from '../support/identity-provider';
import { StoppedClock } from '../support/test-clocks';
import { TestApp } from '../support/test-app';

const clock = new StoppedClock();
let provider: TestIdentityProvider;
let app: TestApp;

beforeAll(async () => {
  provider = await TestIdentityProvider.start('staff', 'strict', 'trusted');
  const file = provider.fileOf([
    {
      name: 'staff',
      label: 'Staff & friends',
      signs_out: true,
      creates_accounts: true,
      links_by_email: true,
      role_claim: 'teams',
      roles: { helpers: 'moderator', visitors: 'guest' },
      groups_claim: 'teams',
      groups: { helpers: 'helpdesk', cooks: 'kitchen', gone: 'no such group' },
    },
    { name: 'strict', domains: ['example.com'] },
    { name: 'trusted', domains: ['trusted.example'], trusts_email: true, creates_accounts: true },
  ]);
  app = await TestApp.start({ clock, env: { IDENTITY_PROVIDERS: file } });
});

afterAll(async () => {
  await app.stop();
  await provider.stop();
});

const stranger = () => new BrowserClient(app.nest);

/** From the button to where the provider sends people back. */
async function returned(browser: BrowserClient, name = 'staff', query = ''): Promise<string> {
  const { status, headers } = await browser.send({ url: `/accounts/login/social/oidc/${name}${query}` });
  expect(status).toBe(302);
  return provider.visit(String(headers.location));
}

/** The whole way of somebody. */
async function signIn(person: typeof provider.person, name = 'staff', query = '') {
  provider.person = person;
  const browser = stranger();
  const answer = await browser.send({ url: await returned(browser, name, query) });
  return { browser, answer };
}

/** Text of a page, as somebody reads it. */
const words = (body: unknown) =>
  String(body)
    .replaceAll(/<style>.*?<\/style>|<[^>]+>/gs, ' ')
    .replaceAll(/\s+/g, ' ');

describe('What clients are told of identity providers', () => {
  it('lists a button for each, at an address without a query, as the phone app replaces it', async () => {
    const { body } = await app.client().get('/server_settings');
    expect(body.authentication_methods).toMatchObject({ password: true, 'openid connect': true });
    const url = 'http://chat.example.com/accounts/login/social/oidc/staff';
    expect((body.external_authentication_methods as unknown[])[0]).toEqual({
      name: 'oidc:staff',
      display_name: 'Staff & friends',
      display_icon: null,
      login_url: url,
      signup_url: url,
    });
    const { body: state } = await app.as(app.cast.mia).post('/register');
    expect(state.realm_authentication_methods).toHaveProperty(['OpenID Connect'], {
      enabled: true,
      available: true,
    });
  });

  it('shows links on the sign-in page, which keep the page to go to', async () => {
    const { body } = await stranger().send({ url: '/login/?next=/%23inbox' });
    expect(body).toContain('<a class="button" href="/accounts/login/social/oidc/strict?next=%2F%23inbox">');
    expect(words(body)).toContain('Continue with Staff &amp; friends');
  });
});

describe('Signing in with an identity provider', () => {
  it('makes an account for an unknown person, once, and knows it again by the subject', async () => {
    const person = {
      sub: 'ada',
      email: 'ada@example.com',
      email_verified: true,
      name: 'Ada Lovelace',
      teams: ['helpers'],
    };
    const { browser, answer } = await signIn(person, 'staff', '?next=/console');
    expect([answer.status, answer.headers.location]).toEqual([302, '/console']);
    const id = await browser.whoAmI();
    const { body } = await app.as(app.cast.olivia).get(`/users/${id}`);
    expect(body.user).toMatchObject({
      full_name: 'Ada Lovelace',
      delivery_email: 'ada@example.com',
      role: 300,
    });
    const again = await signIn({
      sub: 'ada',
      email: 'owner@elsewhere.example',
      email_verified: true,
      name: 'Eve',
    });
    expect(await again.browser.whoAmI()).toBe(id);
    const { body: after } = await app.as(app.cast.olivia).get(`/users/${id}`);
    expect(after.user).toMatchObject({ full_name: 'Ada Lovelace', delivery_email: 'ada@example.com' });
  });

  it('makes one account of two first sign-ins at the same time', async () => {
    provider.person = { sub: 'twin', email: 'twin@example.com', email_verified: true };
    const [one, other] = [stranger(), stranger()];
    const urls = [await returned(one), await returned(other)];
    await Promise.all([one.send({ url: urls[0] ?? '' }), other.send({ url: urls[1] ?? '' })]);
    expect(await one.whoAmI()).toEqual(expect.any(Number));
    expect(await other.whoAmI()).toBe(await one.whoAmI());
  });

  it('links the account of a verified address, and says so in the audit log', async () => {
    const { mia } = app.cast;
    const audit = await AuditReader.of(app);
    const { browser } = await signIn({ sub: 'mia', email: 'MIA@example.com', email_verified: true });
    expect(await browser.whoAmI()).toBe(mia.id);
    const entries = await audit.news();
    expect(entries.map(({ action, details }) => [action, details])).toEqual([
      ['user.identity_linked', { provider: 'staff' }],
      ['user.signed_in', { provider: 'staff' }],
    ]);
  });

  it('ends the session that the browser had before', async () => {
    const browser = await browserOf(app, app.cast.max);
    const former = new Map(browser.cookies);
    provider.person = { sub: 'max', email: app.cast.max.email, email_verified: true };
    await browser.send({ url: await returned(browser) });
    expect(await browser.whoAmI()).toBe(app.cast.max.id);
    const old = stranger();
    for (const [name, value] of former) old.cookies.set(name, value);
    expect(await old.whoAmI()).toBeNull();
  });

  it('gives the phone app the key under its pad, after a click', async () => {
    const otp = 'a5'.repeat(32);
    const { answer, browser } = await signIn(
      { sub: 'ada' },
      'staff',
      `?mobile_flow_otp=${otp.toUpperCase()}`,
    );
    expect(answer.status).toBe(200);
    const [, link = ''] = /href="(zulip:[^"]+)"/.exec(String(answer.body)) ?? [];
    const query = new URL(link.replaceAll('&amp;', '&')).searchParams;
    expect([query.get('email'), query.get('realm')]).toEqual(['ada@example.com', 'http://chat.example.com']);
    const hidden = String(query.get('otp_encrypted_api_key'));
    expect(hidden).toMatch(/^[0-9a-f]{64}$/);
    const key = Buffer.from(Buffer.from(hidden, 'hex').map((byte) => byte ^ 0xa5)).toString('ascii');
    const { body } = await app.client({ email: 'ada@example.com', apiKey: key }).get('/users/me');
    expect(String(body.user_id)).toBe(query.get('user_id'));
    expect(await browser.whoAmI()).toBeNull();
  });
});

describe('Signing out', () => {
  it('leads on to the provider, which asks whether to end its session, where the operator wants it', async () => {
    const leaver = { sub: 'leaver', email: 'leaver@example.com', email_verified: true, name: 'Leaver' };
    const { browser } = await signIn(leaver);
    const { status, headers, body } = await browser.call('POST', '/accounts/logout/');
    // A header as long as some ID tokens would not fit into the buffers of proxies.
    expect(headers).not.toHaveProperty('refresh');
    expect([status, words(body)]).toEqual([200, expect.stringContaining('Sign out of Staff &amp; friends')]);
    expect(await browser.whoAmI()).toBeNull();
    const [, escaped = ''] = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(String(body)) ?? [];
    const url = escaped.replaceAll('&amp;', '&');
    expect(url.startsWith(`${provider.issuer}/`)).toBe(true);
    const { searchParams } = new URL(url);
    expect(searchParams.get('post_logout_redirect_uri')).toBe('http://chat.example.com/login/');
    // The provider knows the token, and the address to lead back to.
    expect((await fetch(url)).status).toBe(200);
  });

  it('ends there where the operator does not', async () => {
    const { browser } = await signIn(
      { sub: 'stays', email: 'stays@trusted.example', name: 'Stays' },
      'trusted',
    );
    const { status, headers } = await browser.call('POST', '/accounts/logout/');
    expect([status, headers.location]).toEqual([302, '/login/']);
  });
});

describe('The groups of an identity provider', () => {
  it('are those of the person here, as far as they are mapped and the provider speaks of them', async () => {
    const { olivia, mia } = app.cast;
    const [helpdesk, kitchen, other] = [
      await makeGroup(app, olivia, 'helpdesk', { members: [mia.id] }),
      await makeGroup(app, olivia, 'kitchen'),
      await makeGroup(app, olivia, 'other', { members: [mia.id] }),
    ];
    const groupsOf = async (teams: unknown) => {
      const { browser, answer } = await signIn({
        sub: 'grace',
        email: 'grace@example.com',
        email_verified: true,
        teams,
      });
      expect(answer.status).toBe(302);
      const id = await browser.whoAmI();
      const { user_groups } = (await app.as(olivia).get('/user_groups')).body;
      const all = user_groups as { id: number; members: number[] }[];
      return [helpdesk, kitchen, other].filter((group) =>
        all.find((each) => each.id === group)!.members.includes(id!),
      );
    };
    expect(await groupsOf(['helpers', 'unknown'])).toEqual([helpdesk]);
    expect(await groupsOf('cooks')).toEqual([kitchen]);
    expect(await groupsOf(undefined)).toEqual([kitchen]);
    expect(await groupsOf([])).toEqual([]);
    const { user_groups } = (await app.as(olivia).get('/user_groups')).body;
    const all = user_groups as { id: number; members: number[] }[];
    expect(all.find(({ id }) => id === helpdesk)?.members).toEqual([mia.id]);
  });
});

describe('What a provider says of a person', () => {
  const query = '?show_claims=1';

  it('is shown to an owner, who stays signed in as themselves', async () => {
    const owner = await browserOf(app, app.cast.olivia);
    provider.person = {
      sub: 'eve',
      email: 'eve@example.com',
      email_verified: 'true',
      teams: ['cooks', '<b>'],
    };
    const { status, body } = await owner.send({ url: await returned(owner, 'staff', query) });
    expect(status).toBe(200);
    expect(words(body)).toContain('Claims from Staff &amp; friends');
    expect(words(body)).toContain('Email address counts as verified: no');
    expect(words(body)).toContain('User groups: kitchen');
    expect(body).not.toContain('<b>');
    expect(await owner.whoAmI()).toBe(app.cast.olivia.id);
    const german = await browserOf(app, app.cast.olivia, { 'accept-language': 'de' });
    const translated = words((await german.send({ url: await returned(german, 'staff', query) })).body);
    expect(translated).toContain('Angaben von Staff &amp; friends');
    expect(translated).toContain('E-Mail-Adresse gilt als bestätigt: nein');
    expect(JSON.stringify((await app.as(app.cast.olivia).get('/users')).body)).not.toContain(
      'eve@example.com',
    );
  });

  it('is shown to nobody else', async () => {
    for (const browser of [stranger(), await browserOf(app, app.cast.adam)]) {
      const { status } = await browser.send({ url: `/accounts/login/social/oidc/staff${query}` });
      expect(status).toBe(403);
    }
  });
});

describe('What an identity provider cannot do', () => {
  it('vouch for an address that it has not verified', async () => {
    for (const email_verified of [false, undefined, 'true', 1]) {
      const { answer } = await signIn({
        sub: `x-${String(email_verified)}`,
        email: 'mona@example.com',
        email_verified,
      });
      expect([answer.status, words(answer.body)]).toEqual([403, expect.stringContaining('did not confirm')]);
    }
  });

  it('speak for addresses outside its domains, however much it is trusted', async () => {
    const trusted = await signIn({ sub: 't1', email: 'tess@trusted.example', name: 'Tess' }, 'trusted');
    expect(await trusted.browser.whoAmI()).toEqual(expect.any(Number));
    for (const email_verified of [true, undefined]) {
      const { answer } = await signIn({ sub: 't2', email: 'mona@example.com', email_verified }, 'trusted');
      expect(answer.status).toBe(403);
    }
  });

  it('take over administrators, bots, or accounts where it may not link', async () => {
    const { adam, olivia, mona } = app.cast;
    for (const { email } of [adam, olivia]) {
      const { answer } = await signIn({ sub: `evil-${email}`, email, email_verified: true });
      expect([answer.status, words(answer.body)]).toEqual([403, expect.stringContaining('isn’t linked')]);
    }
    const { answer } = await signIn({ sub: 'mona', email: mona.email, email_verified: true }, 'strict');
    expect([answer.status, words(answer.body)]).toEqual([403, expect.stringContaining('isn’t linked')]);
  });

  it('give the address of somebody to another subject', async () => {
    const { answer } = await signIn({ sub: 'new mia', email: 'mia@example.com', email_verified: true });
    expect(answer.status).toBe(403);
  });

  it('bring in people where it makes no accounts', async () => {
    const { answer } = await signIn({ sub: 'new', email: 'new@example.com', email_verified: true }, 'strict');
    expect([answer.status, words(answer.body)]).toEqual([
      403,
      expect.stringContaining('No account found for new@example.com.'),
    ]);
  });

  it('bring back the deactivated', async () => {
    const { browser } = await signIn({ sub: 'ada' });
    await changeAccount(app, { id: Number(await browser.whoAmI()) }, { isActive: false });
    const { answer } = await signIn({ sub: 'ada' });
    expect([answer.status, words(answer.body)]).toEqual([
      403,
      expect.stringContaining('Your account ada@example.com has been deactivated.'),
    ]);
  });
});

describe('An attempt to sign in with an identity provider', () => {
  beforeEach(() => {
    provider.person = { sub: 'twin' };
  });

  it('counts only in the browser that began it', async () => {
    const url = await returned(stranger());
    const { status, body } = await stranger().send({ url });
    expect([status, words(body)]).toEqual([400, expect.stringContaining('did not work. Please try again.')]);
  });

  it('counts once', async () => {
    const browser = stranger();
    const url = await returned(browser);
    const cookies = new Map(browser.cookies);
    expect((await browser.send({ url })).status).toBe(302);
    const again = stranger();
    for (const [name, value] of cookies) again.cookies.set(name, value);
    expect((await again.send({ url })).status).toBe(400);
    expect(await again.whoAmI()).toBeNull();
  });

  it('counts for ten minutes, and only with its own state, code and provider', async () => {
    const browser = stranger();
    const url = await returned(browser);
    const other = url.replace('/staff/', '/strict/');
    expect((await new BrowserClient(app.nest).send({ url: other })).status).toBe(400);
    expect((await browser.send({ url: url.replace(/state=[^&]+/, 'state=another') })).status).toBe(400);
    clock.now += 601_000;
    expect((await browser.send({ url })).status).toBe(400);
    clock.now -= 601_000;
  });

  it('is told by its cookie alone, which others can neither read nor change', async () => {
    const browser = stranger();
    const url = await returned(browser);
    const [[name = '', value = ''] = []] = browser.cookies;
    expect(value).not.toContain('verifier');
    expect(Buffer.from(value, 'base64url').toString('latin1')).not.toContain('staff');
    browser.cookies.set(name, `${value.startsWith('A') ? 'B' : 'A'}${value.slice(1)}`);
    expect((await browser.send({ url })).status).toBe(400);
  });

  it('is one of five', async () => {
    const browser = stranger();
    for (let attempt = 0; attempt < 6; attempt++) await returned(browser);
    expect(browser.cookies.size).toBe(1);
  });

  it('leads to this server only', async () => {
    for (const next of [
      '//evil.example',
      '/\\evil.example',
      'https:evil.example',
      'zulip://x',
      `/${'x'.repeat(3000)}`,
    ]) {
      const { answer } = await signIn({ sub: 'twin' }, 'staff', `?next=${encodeURIComponent(next)}`);
      expect(answer.headers.location).toBe('/');
    }
  });

  it('is refused where the person says no at the provider', async () => {
    const browser = stranger();
    const { headers } = await browser.send({ url: '/accounts/login/social/oidc/staff' });
    const { searchParams } = new URL(String(headers.location));
    const query = new URLSearchParams({
      error: 'access_denied',
      state: searchParams.get('state') ?? '',
      iss: provider.issuer,
    });
    expect((await browser.send({ url: `/complete/oidc/staff/?${query.toString()}` })).status).toBe(400);
  });

  it('needs a provider that there is, and a pad of 64 digits', async () => {
    expect((await stranger().send({ url: '/accounts/login/social/oidc/none' })).status).toBe(404);
    for (const otp of ['', 'a'.repeat(63), 'a'.repeat(65), 'g'.repeat(64)]) {
      const { status, body } = await stranger().send({
        url: `/accounts/login/social/oidc/staff?mobile_flow_otp=${otp}`,
      });
      expect([status, words(body)]).toEqual([400, expect.stringContaining('Invalid OTP')]);
    }
  });
});

describe('An organization that switches ways of signing in off', () => {
  it('can leave identity providers alone, or have none', async () => {
    const { olivia } = app.cast;
    const only = { authentication_methods: { Email: false, 'OpenID Connect': true } };
    expect((await app.as(olivia).patch('/realm', only)).status).toBe(200);
    const { body } = await stranger().send({ url: '/login/' });
    expect(body).not.toContain('type="password"');
    const refused = await app.client().post('/fetch_api_key', {
      username: 'mia@example.com',
      password: 'x',
    });
    expect(refused.status).toBe(401);
    const none = { authentication_methods: { Email: true, 'OpenID Connect': false } };
    expect((await app.as(olivia).patch('/realm', none)).status).toBe(200);
    expect((await stranger().send({ url: '/accounts/login/social/oidc/staff' })).status).toBe(404);
    const { body: settings } = await app.client().get('/server_settings');
    expect(settings.external_authentication_methods).toEqual([]);
  });
});
