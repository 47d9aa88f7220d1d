import { randomBytes } from 'node:crypto';
import { LoginSessionService } from '../../src/features/users/users.module';
import { Role } from '../../src/platform/actor';
import { changeAccount } from '../support/account-setup';
import { AuditReader } from '../support/audit-setup';
import { BrowserClient, browserOf } from '../support/browser-client';
import { addAccount } from '../support/cast';
import { ELECTRON, takeOver, tokenIn } from '../support/desktop-app';
import { makeGroup } from '../support/group-setup';
import { type SamlRequest, type SamlResponse, TestSamlProvider } from '../support/saml-provider';
import { StoppedClock } from '../support/test-clocks';
import { TestApp } from '../support/test-app';

const OBJECT_ID = 'http://schemas.microsoft.com/identity/claims/objectidentifier';

const clock = new StoppedClock();
const provider = new TestSamlProvider(() => clock.now);
let app: TestApp;

beforeAll(async () => {
  const trusted = { domains: ['example.com'], trusts_email: true };
  const file = provider.fileOf([
    {
      name: 'corp',
      label: 'Example & Sons',
      ...trusted,
      creates_accounts: true,
      links_by_email: true,
      role_claim: 'teams',
      roles: { helpers: 'moderator' },
      groups_claim: 'teams',
      groups: { helpers: 'helpdesk', porters: 'frontdesk' },
    },
    {
      name: 'entra',
      ...trusted,
      id_attribute: OBJECT_ID,
      email_attribute: 'mail',
      creates_accounts: true,
    },
    { name: 'strict', allows_unsolicited: true },
  ]);
  app = await TestApp.start({ clock, env: { IDENTITY_PROVIDERS: file } });
});

afterAll(async () => {
  await app.stop();
  provider.stop();
});

const stranger = () => new BrowserClient(app.nest);

/** From the button to the provider. */
async function asked(browser: BrowserClient, name = 'corp', query = ''): Promise<SamlRequest> {
  const { status, headers } = await browser.send({ url: `/accounts/login/social/saml/${name}${query}` });
  expect(status).toBe(302);
  return provider.asked(headers.location);
}

/** What a browser does with the form of the provider: it posts it from another site, without cookies that are lax. */
function post(RelayState: string, xml: string, url = '/complete/saml/corp/') {
  return new BrowserClient(app.nest).send({
    method: 'POST',
    url,
    form: { SAMLResponse: Buffer.from(xml).toString('base64'), RelayState },
    headers: { origin: 'https://idp.example.com', 'sec-fetch-site': 'cross-site' },
  });
}

/** The whole way of somebody. */
async function signIn(more: Partial<SamlResponse> = {}, name = 'corp', query = '', browser = stranger()) {
  const request = await asked(browser, name, query);
  const response = provider.signedAssertion({ ...provider.right(request), ...more });
  const posted = await post(request.relayState, response, `/complete/saml/${name}/`);
  expect(posted.status).toBe(303);
  const url = String(posted.headers.location);
  return { browser, url, answer: await browser.send({ url }) };
}

const person = (id: string, more: Readonly<Record<string, string | readonly string[]>> = {}) => ({
  nameId: id,
  attributes: { email: `${id}@example.com`, name: `The ${id}`, ...more },
});

/** Text of a page, as somebody reads it. */
const words = (body: unknown) =>
  String(body)
    .replaceAll(/<style>.*?<\/style>|<[^>]+>/gs, ' ')
    .replaceAll(/\s+/g, ' ');

describe('What clients and providers are told of SAML', () => {
  it('lists a button for each provider', async () => {
    const { body } = await app.client().get('/server_settings');
    expect(body.authentication_methods).toMatchObject({
      password: true,
      saml: true,
      'openid connect': false,
    });
    const url = 'http://chat.example.com/accounts/login/social/saml/corp';
    expect((body.external_authentication_methods as unknown[])[0]).toEqual({
      name: 'saml:corp',
      display_name: 'Example & Sons',
      display_icon: null,
      login_url: url,
      signup_url: url,
    });
    const { body: state } = await app.as(app.cast.mia).post('/register');
    expect(state.realm_authentication_methods).toMatchObject({ SAML: { enabled: true, available: true } });
    expect(state.realm_authentication_methods).not.toHaveProperty(['OpenID Connect']);
    const page = await stranger().send({ url: '/login/?next=/%23inbox' });
    expect(page.body).toContain(
      '<a class="button" href="/accounts/login/social/saml/strict?next=%2F%23inbox">',
    );
    expect(words(page.body)).toContain('Continue with Example &amp; Sons');
  });

  it('describes the server', async () => {
    const { status, headers, body } = await stranger().send({ url: '/saml/metadata.xml' });
    expect([status, headers['content-type']]).toEqual([200, 'application/samlmetadata+xml']);
    expect(body).toContain('entityID="http://chat.example.com"');
    expect(body).toContain('WantAssertionsSigned="true"');
    expect(body).toContain('Location="http://chat.example.com/complete/saml/entra/" index="1"');
  });

  it('asks for a persistent name ID, unless an attribute takes its place', async () => {
    const { xml, recipient } = await asked(stranger());
    expect(recipient).toBe('http://chat.example.com/complete/saml/corp/');
    expect(xml).toContain('<saml:Issuer>http://chat.example.com</saml:Issuer>');
    expect(xml).toContain('Destination="https://idp.example.com/sso?tenant=1"');
    expect(xml).toContain('nameid-format:persistent');
    expect((await asked(stranger(), 'entra')).xml).not.toContain('NameIDPolicy');
  });
});

describe('Signing in with a SAML provider', () => {
  it('makes an account for an unknown person, once, and knows it again by the name ID', async () => {
    const { browser, answer } = await signIn({}, 'corp', '?next=/console');
    expect([answer.status, answer.headers.location]).toEqual([302, '/console']);
    const id = await browser.whoAmI();
    const { body } = await app.as(app.cast.olivia).get(`/users/${id}`);
    expect(body.user).toMatchObject({
      full_name: 'Ada Lovelace',
      delivery_email: 'ada@example.com',
      role: 400,
    });
    const again = await signIn({ attributes: { email: 'olivia@example.com', name: 'Eve' } });
    expect(await again.browser.whoAmI()).toBe(id);
  });

  it('takes a response that is signed as a whole', async () => {
    const browser = stranger();
    const request = await asked(browser);
    const response = provider.signedResponse({ ...provider.right(request), ...person('whole') });
    const { headers } = await post(request.relayState, response);
    expect((await browser.send({ url: String(headers.location) })).status).toBe(302);
    expect(await browser.whoAmI()).toEqual(expect.any(Number));
  });

  it('takes it at the address that Zulip has, too', async () => {
    const browser = stranger();
    const request = { ...(await asked(browser)), recipient: 'http://chat.example.com/complete/saml/' };
    const response = provider.signedAssertion({ ...provider.right(request), ...person('zulip') });
    const { status, headers } = await post(request.relayState, response, '/complete/saml/');
    expect(status).toBe(303);
    await browser.send({ url: String(headers.location) });
    expect(await browser.whoAmI()).toEqual(expect.any(Number));
  });

  it('reads subject and address from the attributes that the operator names', async () => {
    const attributes = { [OBJECT_ID]: 'id-7', mail: 'seven@example.com', name: 'Seven' };
    const { browser, answer } = await signIn({ attributes, nameId: 'x', format: 'none' }, 'entra');
    expect(answer.status).toBe(302);
    const id = await browser.whoAmI();
    const again = await signIn({ attributes, nameId: 'y', format: 'none' }, 'entra');
    expect(await again.browser.whoAmI()).toBe(id);
  });

  it('takes nobody for a person whose name ID is the value of an attribute', async () => {
    const { browser } = await signIn(person('1001'));
    const attributes = { [OBJECT_ID]: '1001', mail: 'partner@example.com', name: 'Partner' };
    const partner = await signIn({ attributes }, 'entra');
    expect(await browser.whoAmI()).toEqual(expect.any(Number));
    expect(await partner.browser.whoAmI()).not.toBe(await browser.whoAmI());
  });

  it('links the account of an address that the operator trusts, and says so in the audit log', async () => {
    const audit = await AuditReader.of(app);
    const { browser } = await signIn(person('mia'));
    expect(await browser.whoAmI()).toBe(app.cast.mia.id);
    const entries = await audit.news();
    expect(entries.map(({ action, details }) => [action, details])).toEqual([
      ['user.identity_linked', { provider: 'corp' }],
      ['user.signed_in', { provider: 'corp' }],
    ]);
  });

  it('gives roles and groups by the values of an attribute', async () => {
    const helpdesk = await makeGroup(app, app.cast.olivia, 'helpdesk');
    const { browser } = await signIn(person('helper', { teams: ['cooks', 'helpers'] }));
    const id = await browser.whoAmI();
    const { body } = await app.as(app.cast.olivia).get(`/users/${id}`);
    expect(body.user).toMatchObject({ role: Role.moderator });
    const { user_groups } = (await app.as(app.cast.olivia).get('/user_groups')).body;
    const group = (user_groups as { id: number; members: number[] }[]).find((each) => each.id === helpdesk);
    expect(group?.members).toContain(id);
  });

  it('takes groups where the attribute is missing, unless it says that there are too many of them', async () => {
    const desk = await makeGroup(app, app.cast.olivia, 'frontdesk');
    const members = async () => {
      const { user_groups } = (await app.as(app.cast.olivia).get('/user_groups')).body;
      return (user_groups as { id: number; members: number[] }[]).find(({ id }) => id === desk)?.members;
    };
    const { browser } = await signIn(person('porter', { teams: 'porters' }));
    const id = await browser.whoAmI();
    expect(await members()).toContain(id);
    const link = 'http://schemas.microsoft.com/claims/groups.link';
    await signIn(person('porter', { [link]: 'https://graph.example.com/groups' }));
    expect(await members()).toContain(id);
    await signIn(person('porter'));
    expect(await members()).not.toContain(id);
  });

  it('gives the phone app the key under its pad, after a click', async () => {
    const otp = 'a5'.repeat(32);
    const { answer, browser } = await signIn({}, 'corp', `?mobile_flow_otp=${otp}`);
    expect(answer.status).toBe(200);
    const [, link = ''] = /href="(zulip:\/\/login[^"]+)"/.exec(String(answer.body)) ?? [];
    const query = new URL(link.replaceAll('&amp;', '&')).searchParams;
    expect([query.get('email'), query.get('realm')]).toEqual(['ada@example.com', 'http://chat.example.com']);
    const hidden = Buffer.from(String(query.get('otp_encrypted_api_key')), 'hex');
    const apiKey = Buffer.from(hidden.map((byte) => byte ^ 0xa5)).toString('ascii');
    const { body } = await app.client({ email: 'ada@example.com', apiKey }).get('/users/me');
    expect(String(body.user_id)).toBe(query.get('user_id'));
    expect(await browser.whoAmI()).toBeNull();
  });

  it('gives the desktop app a token for a session, once, and a key of 64 digits alone', async () => {
    const key = randomBytes(32);
    const query = `?desktop_flow_otp=${key.toString('hex')}&next=/%23inbox`;
    const { answer, browser } = await signIn({}, 'corp', query);
    const text = 'Copy this login token and return to your Zulip app to finish logging in:';
    expect([answer.status, words(answer.body)]).toEqual([200, expect.stringContaining(text)]);
    expect(await browser.whoAmI()).toBeNull();
    const [desktop, other] = [stranger(), stranger()];
    const token = tokenIn(answer.body, key);
    const { status, headers } = await takeOver(desktop, token);
    expect([status, headers.location]).toEqual([302, '/#inbox']);
    const { body } = await desktop.send({ url: '/json/users/me' });
    expect(body.delivery_email).toBe('ada@example.com');
    expect((await takeOver(other, token)).status).toBe(400);
    expect(await other.whoAmI()).toBeNull();
    const short = await stranger().send({ url: '/accounts/login/social/saml/corp?desktop_flow_otp=ab' });
    expect([short.status, words(short.body)]).toEqual([400, expect.stringContaining('Invalid OTP')]);
    const app = await stranger().send({ url: '/accounts/login/social/saml/corp', headers: ELECTRON });
    expect([app.status, words(app.body)]).toEqual([200, expect.stringContaining('Finish desktop login')]);
  });

  it('shows an owner what the provider says, without signing in', async () => {
    const owner = await browserOf(app, app.cast.olivia);
    const more = { ...person('eve', { teams: 'cooks' }), context: 'https://refeds.org/profile/mfa' };
    const { answer } = await signIn(more, 'corp', '?show_claims=1', owner);
    expect(words(answer.body)).toContain('Claims from Example &amp; Sons');
    expect(words(answer.body)).toContain('Email address counts as verified: yes');
    expect(words(answer.body)).toContain('Second factor shown: yes');
    expect(await owner.whoAmI()).toBe(app.cast.olivia.id);
    const { status } = await stranger().send({ url: '/accounts/login/social/saml/corp?show_claims=1' });
    expect(status).toBe(403);
  });
});

describe('What a SAML provider cannot do', () => {
  it('speak for addresses of other domains, or for any where the operator does not trust it', async () => {
    for (const [name, email] of [
      ['corp', 'evil@elsewhere.example'],
      ['strict', 'mona@example.com'],
    ] as const) {
      const attributes = { email, name: 'Evil', email_verified: 'true' };
      const { answer } = await signIn({ nameId: `evil-${name}`, attributes }, name);
      expect([answer.status, words(answer.body)]).toEqual([403, expect.stringContaining('did not confirm')]);
    }
  });

  it('take over administrators', async () => {
    const attributes = { email: app.cast.adam.email, name: 'Adam' };
    const { answer } = await signIn({ nameId: 'evil', attributes });
    expect([answer.status, words(answer.body)]).toEqual([403, expect.stringContaining('isn’t linked')]);
  });

  it('bring back the deactivated', async () => {
    const { browser } = await signIn(person('leaver'));
    await changeAccount(app, { id: Number(await browser.whoAmI()) }, { isActive: false });
    const { answer } = await signIn(person('leaver'));
    expect([answer.status, words(answer.body)]).toEqual([
      403,
      expect.stringContaining('Your account leaver@example.com has been deactivated.'),
    ]);
  });

  it('take the account of an address where it may not link', async () => {
    const email = 'taken@example.com';
    await addAccount(app.nest, { deliveryEmail: email, fullName: 'Taken', role: Role.member });
    const { answer } = await signIn(
      { nameId: 'other', attributes: { mail: email, [OBJECT_ID]: 'o' } },
      'entra',
    );
    expect([answer.status, words(answer.body)]).toEqual([403, expect.stringContaining('isn’t linked')]);
  });
});

describe('An attempt to sign in with a SAML provider', () => {
  it('counts only in the browser that began it', async () => {
    const { url } = await signIn();
    expect((await stranger().send({ url })).status).toBe(400);
    const request = await asked(stranger());
    const { headers } = await post(request.relayState, provider.signedAssertion(provider.right(request)));
    const victim = stranger();
    await asked(victim);
    expect((await victim.send({ url: String(headers.location) })).status).toBe(400);
    expect(await victim.whoAmI()).toBeNull();
  });

  it('counts once', async () => {
    const browser = stranger();
    const request = await asked(browser);
    const response = provider.signedAssertion(provider.right(request));
    const { headers } = await post(request.relayState, response);
    expect((await post(request.relayState, response)).status).toBe(400);
    const cookies = new Map(browser.cookies);
    expect((await browser.send({ url: String(headers.location) })).status).toBe(302);
    const again = stranger();
    for (const [name, value] of cookies) again.cookies.set(name, value);
    expect((await again.send({ url: String(headers.location) })).status).toBe(400);
    expect((await post(request.relayState, response)).status).toBe(400);
    expect(await again.whoAmI()).toBeNull();
  });

  it('is completed once by two requests at the same time', async () => {
    const browser = stranger();
    const request = await asked(browser);
    const { headers } = await post(request.relayState, provider.signedAssertion(provider.right(request)));
    const twin = stranger();
    for (const [name, value] of browser.cookies) twin.cookies.set(name, value);
    const url = String(headers.location);
    const statuses = (await Promise.all([browser.send({ url }), twin.send({ url })])).map(
      ({ status }) => status,
    );
    expect(statuses.sort((one, other) => one - other)).toEqual([302, 400]);
  });

  it('counts for ten minutes, and its response for one', async () => {
    const [late, slow] = [stranger(), stranger()];
    const request = await asked(late);
    clock.now += 599_000;
    const response = () => provider.signedAssertion(provider.right(request));
    clock.now += 2_000;
    expect((await post(request.relayState, response())).status).toBe(400);
    const other = await asked(slow);
    const { headers } = await post(other.relayState, provider.signedAssertion(provider.right(other)));
    clock.now += 61_000;
    expect((await slow.send({ url: String(headers.location) })).status).toBe(400);
    const next = await signIn();
    expect(await next.browser.whoAmI()).toEqual(expect.any(Number));
  });

  it('leaves no row once its ten minutes are over', async () => {
    const browser = stranger();
    const request = await asked(browser);
    const rows = () =>
      app.writeRows((tx) => tx.query('SELECT id FROM saml_answer WHERE request_id = ?', [request.id]));
    const response = () => provider.signedAssertion(provider.right(request));
    const { headers } = await post(request.relayState, response());
    expect((await browser.send({ url: String(headers.location) })).status).toBe(302);
    clock.now += 599_000;
    await app.get(LoginSessionService).deleteExpired();
    expect(await rows()).toHaveLength(1);
    expect((await post(request.relayState, response())).status).toBe(400);
    clock.now += 1_000;
    await app.get(LoginSessionService).deleteExpired();
    expect(await rows()).toEqual([]);
  });

  it('is for one provider', async () => {
    const request = await asked(stranger(), 'entra');
    const response = provider.signedAssertion(provider.right(request));
    expect((await post(request.relayState, response, '/complete/saml/corp/')).status).toBe(400);
  });

  it('needs a provider that there is, and a pad of 64 digits', async () => {
    for (const url of ['/accounts/login/social/saml/none', '/complete/saml/none/finish?state=x'])
      expect((await stranger().send({ url })).status).toBe(404);
    expect((await post('x', 'x', '/complete/saml/none/')).status).toBe(404);
    expect((await post('x', 'x', '/complete/saml/')).status).toBe(404);
    const otp = await stranger().send({ url: '/accounts/login/social/saml/corp?mobile_flow_otp=g' });
    expect([otp.status, words(otp.body)]).toEqual([400, expect.stringContaining('Invalid OTP')]);
    expect((await stranger().send({ url: '/accounts/login/social/oidc/corp' })).status).toBe(404);
  });

  it('starts anew with a response that nobody asked for, where the operator allows it, and is never one', async () => {
    const unasked = {
      id: '_x',
      recipient: 'http://chat.example.com/complete/saml/strict/',
      relayState: '//evil',
    };
    const response = provider.signedAssertion(provider.right(unasked));
    const { status, headers, body } = await post('//evil.example', response, '/complete/saml/strict/');
    const start = '/accounts/login/social/saml/strict?unsolicited=1';
    expect([status, headers.location, body]).toEqual([303, start, '']);
    expect(headers).not.toHaveProperty('set-cookie');
    expect((await post('//evil.example', response)).status).toBe(400);
    const browser = stranger();
    await asked(browser);
    expect((await browser.send({ url: start })).status).toBe(302);
    // A provider that returns no state would send the browser round for ever.
    expect((await browser.send({ url: start })).status).toBe(400);
    await asked(browser, 'strict');
    clock.now += 31_000;
    expect((await browser.send({ url: start })).status).toBe(302);
  });

  it('is in the audit log where it is refused', async () => {
    clock.now += 3_600_000;
    const audit = await AuditReader.of(app);
    const browser = stranger();
    const request = await asked(browser);
    const forged = provider.signedAssertion(provider.right(request)).replace('>ada-1<', '>ada-2<');
    const posts = [
      await post(request.relayState, forged),
      await post('x', forged),
      await post((await asked(browser, 'entra')).relayState, forged, '/complete/saml/'),
      await browser.send({ url: `/complete/saml/corp/finish?state=${request.relayState}` }),
      await stranger().send({ url: `/complete/saml/corp/finish?state=${request.relayState}` }),
    ];
    expect(posts.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
    expect(await audit.news()).toEqual(
      [1, 2, 3, 4, 5].map((failures) =>
        expect.objectContaining({
          action: 'user.sign_in_failed',
          details: expect.objectContaining({ reason: 'provider', failures }),
        }),
      ),
    );
  });
});

describe('An organization that switches SAML off', () => {
  it('has no buttons for it, and takes no responses', async () => {
    const request = await asked(stranger());
    const none = { authentication_methods: { Email: true, SAML: false } };
    expect((await app.as(app.cast.olivia).patch('/realm', none)).status).toBe(200);
    expect((await stranger().send({ url: '/accounts/login/social/saml/corp' })).status).toBe(404);
    const response = provider.signedAssertion(provider.right(request));
    expect((await post(request.relayState, response)).status).toBe(404);
    const { body } = await app.client().get('/server_settings');
    expect(body).toMatchObject({
      external_authentication_methods: [],
      authentication_methods: { saml: false },
    });
    expect((await stranger().send({ url: '/login/' })).body).not.toContain('social/saml');
  });
});
