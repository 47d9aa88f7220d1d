import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OrganizationDirectory } from '../../src/features/organization-settings/organization-settings.module';
import { Role } from '../../src/platform/actor';
import { AuditReader } from '../support/audit-setup';
import { BrowserClient } from '../support/browser-client';
import { addAccount } from '../support/cast';
import { expectSuccess } from '../support/expect-answer';
import { LyingProvider, type Token } from '../support/lying-provider';
import { OffsetClock } from '../support/test-clocks';
import { TestApp } from '../support/test-app';

let provider: LyingProvider;
let impostor: LyingProvider;
let announcer: LyingProvider;
let insider: LyingProvider;
let folder: string;
let app: TestApp;
const lines: string[] = [];
const clock = new OffsetClock();

beforeAll(async () => {
  provider = await LyingProvider.start();
  provider.description = { userinfo_endpoint: `${provider.issuer}/userinfo` };
  insider = await LyingProvider.start();
  [impostor, announcer] = [await LyingProvider.start(), await LyingProvider.start()];
  impostor.description = { issuer: provider.issuer };
  announcer.description = { authorization_response_iss_parameter_supported: true };
  folder = mkdtempSync(join(tmpdir(), 'parley-liar-'));
  writeFileSync(join(folder, 'secret'), 'a secret');
  const block = {
    name: 'liar',
    label: 'Liar',
    issuer: provider.issuer,
    client_id: 'client-liar',
    client_secret_file: 'secret',
    creates_accounts: true,
    links_by_email: true,
  };
  const away = { ...block, name: 'away', label: 'Away', issuer: 'http://127.0.0.1:9' };
  const path = join(folder, 'providers.json');
  const others = Object.entries({ impostor, announcer }).map(([name, { issuer }]) => ({
    ...block,
    name,
    issuer,
  }));
  const insiders = ['insider', 'insider-keys'].map((name) => ({ ...block, name, issuer: insider.issuer }));
  const allowed = { ...insiders[0], name: 'allowed', private_networks: ['127.0.0.0/8'] };
  writeFileSync(path, JSON.stringify([block, away, ...others, ...insiders, allowed]));
  const log = { write: (line: string) => void lines.push(line) };
  app = await TestApp.start({ log, clock, env: { IDENTITY_PROVIDERS: path, LOG_LEVEL: 'trace' } });
});

afterAll(async () => {
  await app.stop();
  for (const each of [provider, impostor, announcer, insider]) await each.stop();
  rmSync(folder, { recursive: true });
});

/** Somebody is at the provider, which sends them back to an address of the server. */
async function hasAnswer(lie: (token: Token) => Token, more: Record<string, string> = {}, begin = '') {
  provider.lie = lie;
  const browser = new BrowserClient(app.nest);
  const { headers } = await browser.send({ url: `/accounts/login/social/oidc/liar${begin}` });
  const { searchParams } = new URL(String(headers.location));
  provider.nonce = searchParams.get('nonce') ?? '';
  const query = new URLSearchParams({ code: 'a code', state: searchParams.get('state') ?? '', ...more });
  return { browser, sent: searchParams, answer: `/complete/oidc/liar/?${query.toString()}` };
}

/** Somebody comes back from the provider. @returns the status of the answer, and whom the server takes the browser for */
async function comesBack(lie: (token: Token) => Token = (token) => token, more: Record<string, string> = {}) {
  const { browser, sent, answer } = await hasAnswer(lie, more);
  const { status, headers: got, body } = await browser.send({ url: answer });
  return { status, who: await browser.whoAmI(), sent, got: JSON.stringify([got, body]) };
}

const withClaims = (claims: Readonly<Record<string, unknown>>) => (token: Token) => ({
  ...token,
  claims: { ...token.claims, ...claims },
});
const withHeader = (header: Readonly<Record<string, unknown>>) => (token: Token) => ({
  ...token,
  header: { ...token.header, ...header },
});
const seconds = () => Math.floor(Date.now() / 1000);

describe('The token of an identity provider', () => {
  it('signs in where everything about it is right, with PKCE, state and nonce', async () => {
    const { status, who, sent } = await comesBack();
    expect([status, who]).toEqual([302, expect.any(Number)]);
    expect(sent.get('code_challenge_method')).toBe('S256');
    expect(sent.get('scope')).toBe('openid email profile');
    expect(sent.get('redirect_uri')).toBe('http://chat.example.com/complete/oidc/liar/');
    for (const name of ['code_challenge', 'state', 'nonce'])
      expect(sent.get(name)?.length).toBeGreaterThan(40);
  });

  it('stays on the server, as does the one for access', async () => {
    const { status, got } = await comesBack();
    expect(status).toBe(302);
    for (const token of [provider.issued, 'access of the liar']) {
      expect(token.length).toBeGreaterThan(10);
      expect(got).not.toContain(token);
    }
  });

  it('is in the audit log where it is refused, as is an answer to nobody', async () => {
    const audit = await AuditReader.of(app);
    expect((await comesBack(withHeader({ alg: 'none' }))).status).toBe(400);
    const url = '/complete/oidc/liar/?code=a&state=b';
    expect((await new BrowserClient(app.nest).send({ url })).status).toBe(400);
    const entries = await audit.news();
    expect(entries.map(({ action, details }) => [action, details])).toEqual([
      ['user.sign_in_failed', { reason: 'provider', failures: 1 }],
      ['user.sign_in_failed', { reason: 'provider', failures: 2 }],
    ]);
  });

  it.each<[string, (token: Token) => Token]>([
    ['has no signature', withHeader({ alg: 'none' })],
    ['is signed with the public key as if it were a password', withHeader({ alg: 'HS256' })],
    ['is signed with the key of a stranger', (token) => ({ ...token, key: LyingProvider.strangersKey() })],
    ['names a key that there is not', withHeader({ kid: 'two' })],
    ['is for another client', withClaims({ aud: 'another' })],
    ['is for several clients and another one of them', withClaims({ aud: ['client-liar', 'x'], azp: 'x' })],
    ['is for several clients and says for which of them', withClaims({ aud: ['client-liar', 'x'] })],
    ['is of another provider', withClaims({ iss: 'https://elsewhere.example' })],
    ['is of an earlier attempt', withClaims({ nonce: 'earlier' })],
    ['has no nonce', withClaims({ nonce: undefined })],
    ['has ended', (token) => withClaims({ exp: seconds() - 120, iat: seconds() - 400 })(token)],
    ['ended before clocks may differ', (token) => withClaims({ exp: seconds() - 31 })(token)],
    ['is made ahead of the clock', (token) => withClaims({ iat: seconds() + 45 })(token)],
    ['counts only later', (token) => withClaims({ nbf: seconds() + 45 })(token)],
    ['has no subject', withClaims({ sub: undefined })],
    ['has an empty subject', withClaims({ sub: '' })],
    ['has a subject without end', withClaims({ sub: 'x'.repeat(256) })],
  ])('does not where it %s', async (_what, lie) => {
    const { status, who } = await comesBack(lie);
    expect([status, who]).toEqual([400, null]);
  });

  it('may be as far from the clock as clocks differ', async () => {
    for (const claims of [{ iat: seconds() + 20, nbf: seconds() + 20 }, { exp: seconds() - 20 }])
      expect(await comesBack(withClaims(claims))).toMatchObject({ status: 302, who: expect.any(Number) });
  });

  it('is not even asked for where the answer belongs to no attempt of this browser', async () => {
    const [victim, attacker] = [new BrowserClient(app.nest), new BrowserClient(app.nest)];
    const stateOf = async (browser: BrowserClient) => {
      const { headers } = await browser.send({ url: '/accounts/login/social/oidc/liar' });
      return new URL(String(headers.location)).searchParams.get('state') ?? '';
    };
    const [own, foreign] = [await stateOf(victim), await stateOf(attacker)];
    const before = provider.redeemed + announcer.redeemed;
    const wrong = [
      '',
      'state=',
      'state=x',
      `state=${foreign}`,
      `state=${own}x`,
      `state=${own}&state=${foreign}`,
    ];
    for (const state of wrong) {
      const { status } = await victim.send({ url: `/complete/oidc/liar/?code=a&${state}` });
      expect([state, status, await victim.whoAmI()]).toEqual([state, 400, null]);
    }
    for (const name of ['announcer', 'impostor']) {
      const browser = new BrowserClient(app.nest);
      const query = new URLSearchParams({ code: 'a', state: await stateOf(browser), iss: provider.issuer });
      const { status } = await browser.send({ url: `/complete/oidc/${name}/?${query.toString()}` });
      expect([name, status, await browser.whoAmI()]).toEqual([name, 400, null]);
    }
    expect(provider.redeemed + announcer.redeemed).toBe(before);
  });

  it('is not even asked for where the answer names another provider', async () => {
    const before = provider.redeemed;
    const { status, who } = await comesBack(undefined, { iss: 'https://elsewhere.example' });
    expect([status, who, provider.redeemed]).toEqual([400, null, before]);
  });

  it('is of nobody where it names an address that is verified nowhere', async () => {
    provider.userInfo = { sub: 'two-faced', email: 'own@example.com', email_verified: true, name: 'Two' };
    const nameless = { sub: 'two-faced', name: undefined };
    const foreign = { ...nameless, email: 'boss@example.com', email_verified: undefined };
    expect((await comesBack(withClaims(foreign))).status).toBe(403);
    const silent = { ...nameless, email: undefined, email_verified: undefined };
    expect(await comesBack(withClaims(silent))).toMatchObject({ status: 302, who: expect.any(Number) });
  });

  it('cannot name an address whose letters pass for others', async () => {
    const role = Role.member;
    await addAccount(app.nest, { deliveryEmail: 'mike@example.com', fullName: 'Mike', role });
    const email = 'mi\u212ae@example.com';
    expect(email.toLowerCase()).toBe('mike@example.com');
    expect((await comesBack(withClaims({ sub: 'kelvin', email }))).status).toBe(403);
  });

  it('is not read to its end where it has none', async () => {
    provider.userInfo = {
      sub: 'endless',
      email: 'endless@example.com',
      email_verified: true,
      more: 'x'.repeat(2_000_000),
    };
    const { status, who } = await comesBack(
      withClaims({ sub: 'endless', email: undefined, name: undefined }),
    );
    expect([status, who]).toEqual([400, null]);
  });

  it('is of nobody where the provider says something of another subject', async () => {
    provider.userInfo = { sub: 'another', email: 'another@example.com', email_verified: true, name: 'An' };
    const { status, who } = await comesBack(withClaims({ sub: 'one', email: undefined, name: undefined }));
    expect([status, who]).toEqual([400, null]);
  });

  it('is of nobody where the provider sent no address', async () => {
    provider.userInfo = { sub: 'mute' };
    const { status } = await comesBack(withClaims({ sub: 'mute', email: undefined }));
    expect(status).toBe(403);
  });

  it('takes over no bot, and no account in an organization that was deactivated meanwhile', async () => {
    const bot = { sub: 'bot', email: app.cast.robo.email };
    expect(await comesBack(withClaims(bot))).toMatchObject({ status: 403, who: null });
    await comesBack(withClaims({ sub: 'inside', email: 'inside@example.com' }));
    const people = () => app.writeRows((tx) => tx.query('SELECT id FROM account'));
    const before = await people();
    for (const sub of ['inside', 'outside']) {
      const { browser, answer } = await hasAnswer(withClaims({ sub, email: `${sub}@example.com` }));
      expectSuccess(await app.as(app.cast.olivia).post('/realm/deactivate'));
      expect((await browser.send({ url: answer })).status).toBe(401);
      await app.writeRows((tx) => app.get(OrganizationDirectory).store(tx, 'deactivated_at', null));
      expect([sub, await browser.whoAmI()]).toEqual([sub, null]);
    }
    expect(await people()).toEqual(before);
  });

  it('leads to no other site, however the address is written', async () => {
    for (const next of ['\t//evil.example', '/\t/evil.example', '/\n\\evil.example', ' //evil.example']) {
      const begin = `?${new URLSearchParams({ next }).toString()}`;
      const { browser, answer } = await hasAnswer((token) => token, {}, begin);
      const { headers } = await browser.send({ url: answer });
      expect([next, headers.location]).toEqual([next, '/']);
    }
  });

  it('is in no line of the log, nor are the code and the pad of the phone app', async () => {
    lines.length = 0;
    const otp = '4d'.repeat(32);
    const { browser, sent, answer } = await hasAnswer(
      (token) => token,
      { code: 'a secret code' },
      `?mobile_flow_otp=${otp}`,
    );
    const { status, body } = await browser.send({ url: answer });
    expect(status).toBe(200);
    const hidden = /otp_encrypted_api_key=([0-9a-f]{64})/.exec(String(body))?.[1] ?? '';
    const key = Buffer.from(Buffer.from(hidden, 'hex').map((byte) => byte ^ 0x4d)).toString('ascii');
    expect(key).toMatch(/^[A-Za-z0-9]{32}$/);
    await comesBack(withHeader({ alg: 'none' }));
    const log = lines.join('');
    expect(log).toContain('/complete/oidc/liar/');
    const state = sent.get('state');
    const secrets = [
      otp,
      hidden,
      key,
      'secret',
      state,
      provider.nonce,
      provider.issued,
      'access of the liar',
    ];
    expect(secrets.filter((secret) => log.includes(String(secret)))).toEqual([]);
  });

  it('cannot put markup or a name that is none into an account', async () => {
    const marked = await comesBack(withClaims({ sub: 'm', email: 'm@example.com', name: '<b>Mark</b>' }));
    expect(marked.status).toBe(403);
    const placeholder = await comesBack(withClaims({ sub: 'p', email: '"x"@localhost', name: 'P' }));
    expect(placeholder.status).toBe(403);
  });
});

describe('How recent a sign-in is', () => {
  /** What the server says to a step that needs a recent one. */
  const dangerous = async (browser: BrowserClient) =>
    (await browser.call('POST', '/json/users/me/api_key/regenerate')).body.code as string | undefined;

  it('is what the provider says, at most the sign-in here', async () => {
    const person = { sub: 'recent', email: 'recent@example.com' };
    const codes = [];
    for (const ago of [700, 30, -700, undefined]) {
      const auth_time = ago === undefined ? undefined : seconds() - ago;
      const { browser, answer } = await hasAnswer(withClaims({ ...person, auth_time }));
      await browser.send({ url: answer });
      expect(await browser.whoAmI()).toEqual(expect.any(Number));
      codes.push(await dangerous(browser));
      clock.aheadMs += 601_000;
      codes.push(await dangerous(browser));
      clock.aheadMs -= 601_000;
    }
    const old = 'REAUTHENTICATION_REQUIRED';
    expect(codes).toEqual([old, old, undefined, old, undefined, old, undefined, old]);
  });

  it('is asked of the provider for people who are signed in, and of nobody else', async () => {
    const { browser, sent, answer } = await hasAnswer((token) => token);
    expect([sent.get('prompt'), sent.get('max_age')]).toEqual([null, null]);
    await browser.send({ url: answer });
    const parametersOf = async (query = '') => {
      const { headers } = await browser.send({ url: `/accounts/login/social/oidc/liar${query}` });
      const { searchParams } = new URL(String(headers.location));
      return [searchParams.get('prompt'), searchParams.get('max_age')];
    };
    expect(await parametersOf()).toEqual(['login', '0']);
    expect(await parametersOf(`?mobile_flow_otp=${'a'.repeat(64)}`)).toEqual([null, null]);
  });
});

describe('The keys of an identity provider', () => {
  /** The library measures by the real time of day. */
  const later = (ms: number) => {
    const now = Date.now();
    jest.spyOn(Date, 'now').mockReturnValue(now + ms);
  };

  afterEach(() => jest.restoreAllMocks());

  it('are read once a minute at most, whatever keys tokens name', async () => {
    await comesBack();
    later(61_000);
    const before = provider.keysRead;
    for (const kid of ['a', 'b', 'c']) expect((await comesBack(withHeader({ kid }))).status).toBe(400);
    expect(provider.keysRead).toBe(before + 1);
  });

  it('are not fetched from where the provider leads on to', async () => {
    const before = announcer.keysRead;
    later(400_000);
    provider.leadsTo = { '/keys': `${announcer.issuer}/keys`, '/token': `${announcer.issuer}/token` };
    expect((await comesBack()).status).toBe(400);
    provider.leadsTo = { '/keys': `${announcer.issuer}/keys` };
    expect((await comesBack()).status).toBe(400);
    provider.leadsTo = {};
    expect([announcer.keysRead - before, announcer.redeemed]).toEqual([0, 0]);
  });

  it('may change', async () => {
    later(200_000);
    await comesBack();
    provider.rotate();
    later(61_000);
    expect(await comesBack()).toMatchObject({ status: 302, who: expect.any(Number) });
  });
});

describe('A provider that is not what it says', () => {
  const begin = async (name: string) => {
    const browser = new BrowserClient(app.nest);
    return { browser, ...(await browser.send({ url: `/accounts/login/social/oidc/${name}` })) };
  };

  it('is unusable where it describes another one', async () => {
    expect((await begin('impostor')).status).toBe(503);
  });

  it('gets no code where it announces that it names itself in its answers, and does not', async () => {
    const { browser, headers } = await begin('announcer');
    const state = new URL(String(headers.location)).searchParams.get('state') ?? '';
    const query = new URLSearchParams({ code: 'a code', state });
    const { status } = await browser.send({ url: `/complete/oidc/announcer/?${query.toString()}` });
    expect([status, announcer.redeemed]).toEqual([400, 0]);
  });
});

describe('A provider that names addresses in the network of the server', () => {
  /** The same server, under a name that is not that of the issuer. */
  const inside = (path: string) => announcer.issuer.replace('127.0.0.1', 'localhost') + path;
  const tokens = { token_endpoint: '/token', jwks_uri: '/keys' };
  const signIn = async (name: string) => {
    const browser = new BrowserClient(app.nest);
    const { headers } = await browser.send({ url: `/accounts/login/social/oidc/${name}` });
    const { searchParams } = new URL(String(headers.location));
    insider.nonce = searchParams.get('nonce') ?? '';
    const query = new URLSearchParams({ code: 'a code', state: searchParams.get('state') ?? '' });
    return (await browser.send({ url: `/complete/oidc/${name}/?${query.toString()}` })).status;
  };

  it.each([
    ['token_endpoint', 'insider'],
    ['jwks_uri', 'insider-keys'],
  ] as const)('gets no request for its %s there', async (endpoint, name) => {
    insider.description = { [endpoint]: inside(tokens[endpoint]) };
    const before = [announcer.keysRead, announcer.redeemed];
    insider.lie = withClaims({ aud: 'client-liar', sub: endpoint });
    expect(await signIn(name)).toBe(400);
    expect([announcer.keysRead, announcer.redeemed]).toEqual(before);
    expect(lines.join('')).toContain('name the network in \\"private_networks\\"');
  });

  it('gets it where the operator names the network', async () => {
    insider.description = Object.fromEntries(
      Object.entries(tokens).map(([endpoint, path]) => [
        endpoint,
        insider.issuer.replace('127.0.0.1', 'localhost') + path,
      ]),
    );
    insider.lie = withClaims({ sub: 'inside', email: 'inside@example.com' });
    expect(await signIn('allowed')).toBe(302);
  });
});

describe('A provider that does not answer', () => {
  it('is a page that says so', async () => {
    const { status, body } = await new BrowserClient(app.nest).send({
      url: '/accounts/login/social/oidc/away',
    });
    expect(status).toBe(503);
    expect(body).toContain('Away can’t be reached at the moment.');
  });
});

describe('A provider that signs somebody out', () => {
  const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const claims = () => ({
    iss: provider.issuer,
    aud: 'client-liar',
    iat: seconds(),
    exp: seconds() + 120,
    jti: randomUUID(),
    events: EVENTS,
  });
  const TYPE = { typ: 'logout+jwt' };

  const send = (token: string, name = 'liar') =>
    app.nest.inject({
      method: 'POST',
      url: `/complete/oidc/${name}/backchannel-logout`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ logout_token: token }).toString(),
    });

  /** Signs the person in, in this session at the provider. */
  async function signInFrom(browser: BrowserClient, sid: string, query = ''): Promise<void> {
    provider.lie = withClaims({ sub: 'leaver', email: 'leaver@example.com', sid });
    const { headers } = await browser.send({ url: `/accounts/login/social/oidc/liar${query}` });
    const { searchParams } = new URL(String(headers.location));
    provider.nonce = searchParams.get('nonce') ?? '';
    const answer = new URLSearchParams({ code: 'a code', state: searchParams.get('state') ?? '' });
    await browser.send({ url: `/complete/oidc/liar/?${answer.toString()}` });
  }

  /** Browsers of a person at the provider, one for each of the sessions there. */
  async function browsers(...sids: string[]): Promise<BrowserClient[]> {
    const all: BrowserClient[] = [];
    for (const sid of sids) {
      const browser = new BrowserClient(app.nest);
      await signInFrom(browser, sid);
      expect(await browser.whoAmI()).toEqual(expect.any(Number));
      all.push(browser);
    }
    return all;
  }

  it('ends the session that it names, or all of the person', async () => {
    const [one, two, three] = (await browsers('s1', 's2', 's3')) as [
      BrowserClient,
      BrowserClient,
      BrowserClient,
    ];
    const log = await AuditReader.of(app);
    const first = await send(provider.signed({ ...claims(), sid: 's1' }, TYPE));
    expect(await log.only()).toMatchObject({
      action: 'user.sessions_ended',
      way: 'directory',
      client: 'liar',
      address: '127.0.0.1',
      actor_id: null,
    });
    expect([first.statusCode, first.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(await one.whoAmI()).toBeNull();
    expect((await send(provider.signed({ ...claims(), sub: 'leaver', sid: 's2' }, TYPE))).statusCode).toBe(
      200,
    );
    expect(await two.whoAmI()).toBeNull();
    expect(await three.whoAmI()).toEqual(expect.any(Number));
    expect((await send(provider.signed({ ...claims(), sub: 'leaver' }, TYPE))).statusCode).toBe(200);
    expect(await three.whoAmI()).toBeNull();
    expect((await send(provider.signed({ ...claims(), sub: 'nobody here' }, TYPE))).statusCode).toBe(200);
  });

  it('takes back what waits for the desktop app', async () => {
    const pending = async () => {
      const rows = await app.writeRows((tx) => tx.query('SELECT id FROM desktop_sign_in'));
      return rows.length;
    };
    for (const named of [{ sid: 'd1' }, { sub: 'leaver', sid: 'd1' }, { sub: 'leaver' }]) {
      const browser = new BrowserClient(app.nest);
      await signInFrom(browser, 'd1', `?desktop_flow_otp=${'7'.repeat(64)}`);
      expect(await pending()).toBe(1);
      await send(provider.signed({ ...claims(), sub: 'nobody here', sid: 'd1' }, TYPE));
      await send(provider.signed({ ...claims(), sid: 'd2' }, TYPE));
      expect(await pending()).toBe(1);
      expect((await send(provider.signed({ ...claims(), ...named }, TYPE))).statusCode).toBe(200);
      expect(await pending()).toBe(0);
    }
  });

  it('ends the session that it names though its clock is behind', async () => {
    const [browser] = await browsers('s6');
    const behind = { ...claims(), iat: seconds() - 20, sub: 'leaver', sid: 's6' };
    expect((await send(provider.signed(behind, TYPE))).statusCode).toBe(200);
    expect(await browser?.whoAmI()).toBeNull();
  });

  it('cannot end what began after its token was made', async () => {
    const [browser] = await browsers('s4');
    const old = { ...claims(), iat: seconds() - 60, sub: 'leaver' };
    expect((await send(provider.signed(old, TYPE))).statusCode).toBe(200);
    expect(await browser?.whoAmI()).toEqual(expect.any(Number));
  });

  it.each<[string, () => string]>([
    ['a token for signing in', () => provider.signed({ ...claims(), sub: 'leaver', nonce: 'n' }, TYPE)],
    ['one without the event', () => provider.signed({ ...claims(), sub: 'leaver', events: {} }, TYPE)],
    ['one without an ID', () => provider.signed({ ...claims(), sub: 'leaver', jti: 1 }, TYPE)],
    ['one of nobody', () => provider.signed(claims(), TYPE)],
    ['one for another client', () => provider.signed({ ...claims(), sub: 'leaver', aud: 'other' }, TYPE)],
    [
      'one of another provider',
      () => provider.signed({ ...claims(), sub: 'leaver', iss: 'https://x.example' }, TYPE),
    ],
    ['one of the future', () => provider.signed({ ...claims(), sub: 'leaver', iat: seconds() + 60 }, TYPE)],
    ['the token of a sign-in', () => provider.issued],
    ['an old one', () => provider.signed({ ...claims(), sub: 'leaver', iat: seconds() - 400 }, TYPE)],
    ['one of another type', () => provider.signed({ ...claims(), sub: 'leaver' }, { typ: 'at+jwt' })],
    [
      'one without a signature',
      () => provider.signed({ ...claims(), sub: 'leaver' }, { ...TYPE, alg: 'none' }),
    ],
    [
      'one with the public key',
      () => provider.signed({ ...claims(), sub: 'leaver' }, { ...TYPE, alg: 'HS256' }),
    ],
    [
      'one of a stranger',
      () => provider.signed({ ...claims(), sub: 'leaver' }, TYPE, LyingProvider.strangersKey()),
    ],
    ['no token', () => ''],
    ['a long text', () => 'x'.repeat(9_999)],
  ])('is refused with %s', async (_what, token) => {
    const [browser] = await browsers('s5');
    const { statusCode, body } = await send(token());
    expect([statusCode, body]).toEqual([400, '{"error":"invalid_request"}']);
    expect(await browser?.whoAmI()).toEqual(expect.any(Number));
  });

  it('cannot be done by a link, nor a second time with the same token', async () => {
    const [first] = await browsers('s7');
    const token = provider.signed({ ...claims(), sub: 'leaver' }, TYPE);
    const same = provider.signed({ ...claims(), sub: 'nobody here' }, TYPE);
    const url = `/complete/oidc/liar/backchannel-logout?logout_token=${token}`;
    expect((await app.nest.inject({ method: 'GET', url })).statusCode).toBe(405);
    expect(await first?.whoAmI()).toEqual(expect.any(Number));
    expect((await send(token)).statusCode).toBe(200);
    expect(await first?.whoAmI()).toBeNull();
    clock.aheadMs += 2_000;
    const [second] = await browsers('s8');
    const { statusCode, body } = await send(token);
    expect([statusCode, body]).toEqual([400, '{"error":"invalid_request"}']);
    const both = await Promise.all(['', ''].map(() => send(same)));
    expect(both.map(({ statusCode: status }) => status).sort()).toEqual([200, 400]);
    expect(await second?.whoAmI()).toEqual(expect.any(Number));
  });

  it('is unknown under another name', async () => {
    expect((await send('x', 'none')).statusCode).toBe(404);
  });
});
