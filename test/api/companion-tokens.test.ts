import { createHmac, generateKeyPairSync } from 'node:crypto';
import { decode, sign, type Algorithm, type JwtPayload } from 'jsonwebtoken';
import { DerivedKeys, type ServerSecret } from '../../src/platform/secrets/server-secret';
import type { Role } from '../../src/platform/actor';
import { apiKeyOf, changeAccount } from '../support/account-setup';
import { StoppedClock } from '../support/test-clocks';
import { TestApp } from '../support/test-app';

const SECRET = 'the secret that is in use now, long enough';
const PREVIOUS = 'the secret before the last rotation, as long';
const ENDED = { status: 401, body: { detail: 'Invalid or expired token' } };

/** The key that tokens are signed with under a secret. */
const keyUnder = (current: string) =>
  new DerivedKeys({ current, previous: null } as ServerSecret).current('access-tokens');

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

describe('A token of the companion interface', () => {
  const clock = new StoppedClock();
  let app: TestApp;
  /** A token that works, and what it says. */
  let token: string;
  let claims: JwtPayload;

  beforeAll(async () => {
    app = await TestApp.start({
      clock,
      env: { SECRET_KEY: SECRET, SECRET_KEY_PREVIOUS: PREVIOUS },
      withoutLaw: 'one account gets a role that there is not',
    });
  });

  beforeEach(async () => {
    token = (await app.companionAs(app.cast.mia)).token as string;
    claims = decode(token) as JwtPayload;
  });

  afterAll(() => app.stop());

  const me = (authorization: string) => app.companion().get('/auth/me', { authorization });

  const signed = (changed: object, key = keyUnder(SECRET), algorithm: Algorithm = 'HS256') =>
    `Bearer ${sign({ ...claims, ...changed }, key, { algorithm })}`;

  it('says whose it is, which session and role, and until when [COMP-token]', async () => {
    expect(decode(token, { complete: true })).toMatchObject({
      header: { alg: 'HS256', typ: 'JWT' },
      payload: {
        sub: String(app.cast.mia.id),
        jti: expect.stringMatching(/^[0-9a-f]{32}$/),
        role: 'member',
        iat: clock.nowSeconds(),
        exp: clock.nowSeconds() + 8 * 3600,
      },
    });
    expect((await me(`Bearer ${token}`)).status).toBe(200);
    expect((await me(`bearer ${token}`)).status).toBe(200);
  });

  it('is accepted under the previous secret while that is configured, and under no other', async () => {
    expect((await me(signed({}))).status).toBe(200);
    expect((await me(signed({}, keyUnder(PREVIOUS)))).status).toBe(200);
    expect(await me(signed({}, keyUnder('some other secret of the same length')))).toMatchObject(ENDED);
    expect(await me(signed({}, Buffer.from(SECRET)))).toMatchObject(ENDED);
    expect(await me(signed({}, Buffer.alloc(32)))).toMatchObject(ENDED);
  });

  it('is refused with another algorithm', async () => {
    const [header, payload, signature] = token.split('.');
    const none = encode({ alg: 'none', typ: 'JWT' });
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    for (const forged of [
      `Bearer ${none}.${payload}.`,
      `Bearer ${none}.${payload}.${signature}`,
      `Bearer ${encode({ alg: 'None', typ: 'JWT' })}.${payload}.`,
      `Bearer ${encode({ alg: 'RS256', typ: 'JWT' })}.${payload}.${signature}`,
      `Bearer ${sign(claims, privateKey, { algorithm: 'RS256' })}`,
      signed({}, keyUnder(SECRET), 'HS384'),
      signed({}, keyUnder(SECRET), 'HS512'),
      `Bearer ${header}.${payload}.`,
      `Bearer ${header}.${payload}`,
    ]) {
      expect({ forged, ...(await me(forged)) }).toMatchObject({ forged, ...ENDED });
    }
  });

  it('is refused once a letter of it was changed', async () => {
    const [header, payload, signature = ''] = token.split('.');
    const promoted = encode({ ...claims, sub: String(app.cast.olivia.id), role: 'owner' });
    expect(await me(`Bearer ${header}.${promoted}.${signature}`)).toMatchObject(ENDED);
    const other = signature.startsWith('A') ? 'B' : 'A';
    expect(await me(`Bearer ${header}.${payload}.${other}${signature.slice(1)}`)).toMatchObject(ENDED);
  });

  it('is refused when it names roles that are none, or not that of the account [AUTH-10d]', async () => {
    for (const role of ['king', 'Member', 'owner', '', 400, null, ['member'], undefined]) {
      expect({ role, ...(await me(signed({ role }))) }).toMatchObject({ role, ...ENDED });
    }
    await changeAccount(app, app.cast.mia, { role: 500 as Role });
    expect(await me(`Bearer ${token}`)).toMatchObject(ENDED);
    await changeAccount(app, app.cast.mia, { role: app.cast.mia.role });
    expect((await me(`Bearer ${token}`)).status).toBe(200);
  });

  it('is refused for another session or account', async () => {
    const other = decode((await app.companionAs(app.cast.max)).token as string) as JwtPayload;
    for (const changed of [
      { jti: 'f'.repeat(32) },
      { jti: other.jti },
      { jti: undefined },
      { jti: { $ne: '' } },
      { jti: "' OR 1 = 1 --" },
      { sub: other.sub },
      { sub: '999999' },
      { sub: '99999999999' },
      { sub: `${claims.sub}.0` },
      { sub: undefined },
      { sub: app.cast.robo.id.toString() },
    ]) {
      // The library would not sign all of these; the server must not mind who did.
      const forged = forge({ ...claims, ...changed });
      expect({ changed, ...(await me(forged)) }).toMatchObject({ changed, ...ENDED });
    }
  });

  it('is refused after its time, or without one', async () => {
    const now = clock.nowSeconds();
    expect(await me(signed({ exp: now }))).toMatchObject(ENDED);
    expect(await me(signed({ exp: now - 1 }))).toMatchObject(ENDED);
    expect(await me(forge({ ...claims, exp: undefined }))).toMatchObject(ENDED);
    expect(await me(forge({ ...claims, exp: 'never' }))).toMatchObject(ENDED);
    expect(await me(signed({ nbf: now + 10 }))).toMatchObject(ENDED);
    // A longer life than the session's is of no use.
    const longer = signed({ exp: now + 1_000_000 });
    expect((await me(longer)).status).toBe(200);
    clock.now += 8 * 3600 * 1000;
    expect(await me(longer)).toMatchObject(ENDED);
  });

  it.each([
    ['no token', 'Bearer '],
    ['one word', 'Bearer'],
    ['three words', 'Bearer a b'],
    ['another scheme', 'Token abc'],
    ['nothing', ''],
    ['nonsense', 'Bearer nonsense'],
    ['dots', 'Bearer ..'],
    ['too much', `Bearer ${'a'.repeat(10_000)}`],
    ['no JSON', `Bearer ${Buffer.from('{').toString('base64url')}.e30.e30`],
  ])('is refused when the header holds %s', async (_, header) => {
    const answer = await me(header);
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
    expect(Object.keys(answer.body)).toEqual(['detail']);
  });

  it('opens nothing in the main interface, and API keys open nothing here [COMP-separate]', async () => {
    const { mia } = app.cast;
    const main = (authorization: string) =>
      app.client().send({ method: 'GET', url: '/api/v1/users/me', headers: { authorization } });
    const basic = (user: string, key: string) => `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}`;
    expect(await main(`Bearer ${token}`)).toMatchObject({
      status: 400,
      body: { msg: 'This endpoint requires HTTP basic authentication.' },
    });
    expect((await main(basic(mia.email, token))).status).toBe(401);
    const withKey = basic(mia.email, apiKeyOf(app, mia));
    expect((await main(withKey)).status).toBe(200);
    expect(await me(withKey)).toMatchObject({
      status: 401,
      body: { detail: expect.stringContaining('Bearer token required') },
    });
    expect(await me(`Bearer ${apiKeyOf(app, mia)}`)).toMatchObject(ENDED);
  });

  it('is taken from the header alone', async () => {
    expect((await app.companion().get(`/auth/me?access_token=${token}`)).status).toBe(401);
    expect((await app.companion().get('/auth/me', { cookie: `access_token=${token}` })).status).toBe(401);
  });

  /** A token with a right signature, whatever it says. */
  function forge(payload: object): string {
    const text = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(payload)}`;
    const signature = createHmac('sha256', keyUnder(SECRET)).update(text).digest('base64url');
    return `Bearer ${text}.${signature}`;
  }
});
