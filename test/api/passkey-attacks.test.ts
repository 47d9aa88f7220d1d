import { AuditReader } from '../support/audit-setup';
import { Authenticator, cbor, type Flaws } from '../support/authenticator';
import { FROM_OWN_PAGE } from '../support/browser-client';
import { PASSWORD } from '../support/cast';
import { challengeFor, PASSKEY_SITE, PasskeyRun, sendPasskey, signInWith } from '../support/passkey-setup';

let run: PasskeyRun;

beforeAll(async () => {
  run = await PasskeyRun.start();
});

afterAll(() => run.app.stop());

/** Present, but not verified; and verified without being present. */
const [UNVERIFIED, ABSENT, HAS_KEY, EXTENSIONS, SYNCED] = [0x01, 0x04, 0x40, 0x80, 0x10];

/** What neither making nor using a passkey survives. */
const FLAWS: readonly [string, Flaws][] = [
  ['another origin', { origin: 'http://evil.localhost' }],
  ['another port of the host', { origin: 'http://chat.localhost:8080' }],
  ['another site', { site: 'evil.localhost' }],
  ['another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
  ['another ceremony', { type: 'payment.get' }],
  ['a page within a page', { more: { crossOrigin: true } }],
  ['a page within another', { more: { topOrigin: 'http://evil.localhost' } }],
  ['no list of what was done', { more: { type: ['webauthn.get'] } }],
  ['data that are cut off', { alter: (data) => data.subarray(0, 36) }],
  ['data with more behind them', { alter: (data) => Buffer.concat([data, Buffer.alloc(1)]) }],
];

describe('A passkey is not used', () => {
  it.each<[string, Flaws]>([
    ...FLAWS,
    ['an owner who is not verified', { flags: UNVERIFIED }],
    ['an owner who is not present', { flags: ABSENT }],
    ['flags that contradict each other', { flags: 0x05 + SYNCED }],
    ['extensions that are missing', { flags: 0x05 + EXTENSIONS }],
    [
      'another counter than was signed',
      { alter: (data) => Buffer.concat([data.subarray(0, 36), Buffer.of(9)]) },
    ],
  ])('with %s', async (_what, flaws) => {
    const { key } = await run.enrol();
    const browser = run.browser();
    expect((await signInWith(browser, key, flaws)).status).toBe(401);
    expect(await browser.whoAmI()).toBeNull();
    expect((await signInWith(browser, key)).status).toBe(302);
  });

  it('twice with one challenge, even at once', async () => {
    const { key } = await run.enrol();
    const browser = run.browser();
    const form = key.use(await challengeFor(browser));
    const cookies = new Map(browser.cookies);
    const answers = await Promise.all([sendPasskey(browser, form), sendPasskey(browser, form)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([302, 401]);
    const again = run.browser();
    for (const [name, value] of cookies) again.cookies.set(name, value);
    expect((await sendPasskey(again, form)).status).toBe(401);
    const other = await run.enrol();
    const [challenge] = [JSON.parse(Buffer.from(form.client_data, 'base64url').toString()).challenge];
    expect((await sendPasskey(again, other.key.use(challenge as string))).status).toBe(401);
  });

  it('in another browser than the one that asked, or five minutes later', async () => {
    const { key } = await run.enrol();
    const [browser, other] = [run.browser(), run.browser()];
    const form = key.use(await challengeFor(browser));
    await challengeFor(other);
    expect((await sendPasskey(other, form)).status).toBe(401);
    expect((await sendPasskey(run.browser(), form)).status).toBe(401);
    run.clock.now += 300_000;
    expect((await sendPasskey(browser, form)).status).toBe(401);
  });

  it('for somebody else’s password or session', async () => {
    const [one, other] = [await run.enrol(), await run.enrol()];
    const browser = run.browser();
    await browser.signIn(one.who.email);
    const form = other.key.use(await challengeFor(browser));
    expect((await sendPasskey(browser, form, '/login/code')).status).toBe(401);
    const { body } = await one.client.post('/auth/me/reauthentication/challenge');
    const challenge = body.options.challenge as string;
    const confirm = (key: Authenticator, client = one.client) =>
      client.post('/auth/me/reauthentication', { state: body.state, ...key.use(challenge) });
    expect((await confirm(other.key)).status).toBe(400);
    expect((await confirm(other.key, other.client)).status).toBe(400);
    expect((await confirm(one.key, await run.app.companionAs(run.app.cast.olivia))).status).toBe(400);
    expect((await confirm(one.key)).status).toBe(204);
  });

  it('that a copy has overtaken, of which its owner is told', async () => {
    const { who, key, id } = await run.enrol();
    const audit = await AuditReader.of(run.app);
    key.signCount = 7;
    expect((await signInWith(run.browser(), key)).status).toBe(302);
    for (const signCount of [7, 6, 0]) {
      expect((await signInWith(run.browser(), key, { signCount })).status).toBe(401);
    }
    const failures = (await audit.news()).filter(({ action }) => action === 'user.sign_in_failed');
    expect(failures.map(({ target_user_id: of, details }) => [of, details['reason']])).toEqual(
      Array.from({ length: 3 }, () => [who.id, 'passkey_copied']),
    );
    expect(id).toBeGreaterThan(0);
    expect((await signInWith(run.browser(), key, { signCount: 8 })).status).toBe(302);
  });

  it('that is unknown, empty or huge, and strangers leave nothing but bounded entries', async () => {
    const key = new Authenticator(PASSKEY_SITE);
    const browser = run.browser();
    expect((await signInWith(browser, key)).status).toBe(401);
    expect((await sendPasskey(browser, {})).status).toBe(401);
    expect(
      (await sendPasskey(browser, { signature: '!', client_data: '!', authenticator_data: '!' })).status,
    ).toBe(401);
    const form = key.use(await challengeFor(browser));
    const huge = { ...form, client_data: 'A'.repeat(10_000) };
    expect((await sendPasskey(browser, huge)).status).toBe(400);
    const foreign = await browser.send({
      method: 'POST',
      url: '/login/passkey',
      headers: { ...FROM_OWN_PAGE, origin: 'http://evil.example' },
      form,
    });
    expect(foreign.status).toBe(403);
  });

  it('once it was removed', async () => {
    const { client, key, id } = await run.enrol();
    const browser = run.browser();
    const form = key.use(await challengeFor(browser));
    expect((await client.delete(`/auth/me/passkeys/${id}`)).status).toBe(204);
    expect((await sendPasskey(browser, form)).status).toBe(401);
  });

  it('where passwords are switched off', async () => {
    const other = await PasskeyRun.start({ env: { SERVER_MODE: 'development' } });
    const { key } = await other.enrol();
    const owner = other.app.as(other.app.cast.olivia);
    const methods = (Email: boolean) =>
      owner.patch('/realm', { authentication_methods: { Email, Dev: !Email } });
    expect((await methods(false)).status).toBe(200);
    const refused = await signInWith(other.browser(), key);
    await other.app.stop();
    expect(refused.status).toBe(403);
  });
});

describe('A passkey is not added', () => {
  const state = async () => {
    const client = await run.app.companionAs(await run.newcomer());
    return { client, asked: (await client.post('/auth/me/passkeys/challenge')).body };
  };

  it.each<[string, Flaws]>([
    ...FLAWS,
    ['an owner who is not verified', { flags: UNVERIFIED + HAS_KEY }],
    ['no key', { flags: 0x05 }],
    ['an ID that is too long', { alter: (data) => data.fill(0xff, 53, 55) }],
    ['a key that is no map', { alter: (data) => Buffer.concat([data.subarray(0, 87), cbor(1)]) }],
    ['a point on no curve', { alter: (data) => data.fill(0, data.length - 32) }],
    [
      'a huge length in its key',
      { alter: (data) => Buffer.concat([data.subarray(0, 87), Buffer.from('a101baffffffff', 'hex')]) },
    ],
  ])('with %s', async (_what, flaws) => {
    const { client } = await state();
    expect((await run.send(client, new Authenticator(PASSKEY_SITE), flaws)).status).toBe(400);
    expect((await client.get('/auth/me/passkeys')).body.items).toEqual([]);
  });

  it('with an algorithm that is not offered', async () => {
    const { client } = await state();
    expect((await run.send(client, new Authenticator(PASSKEY_SITE, 'ES384'))).status).toBe(400);
  });

  it.each([
    ['nothing', ''],
    ['no CBOR', Buffer.from('{}').toString('base64url')],
    ['lists in lists', Buffer.alloc(10_000, 0x81).toString('base64url')],
    ['a map without data', cbor(new Map([['fmt', 'none']])).toString('base64url')],
    ['data that are a text', cbor(new Map([['authData', 'x']])).toString('base64url')],
    [
      'a length of four gigabytes',
      Buffer.from('a16861757468446174615affffffff', 'hex').toString('base64url'),
    ],
  ])('with %s in its place', async (_what, attestation_object) => {
    const { client, asked } = await state();
    const made = new Authenticator(PASSKEY_SITE).make(asked.options.challenge as string);
    const body = { name: 'Laptop', state: asked.state, ...made, attestation_object };
    expect((await client.post('/auth/me/passkeys', body)).status).toBe(400);
  });

  it('with more than it could need', async () => {
    const { client, asked } = await state();
    const made = new Authenticator(PASSKEY_SITE).make(asked.options.challenge as string);
    const body = { name: 'Laptop', state: asked.state, ...made, attestation_object: 'A'.repeat(20_001) };
    expect((await client.post('/auth/me/passkeys', body)).status).toBe(422);
  });

  it('twice, by whomever, in another session, or five minutes later', async () => {
    const { client, asked } = await state();
    const key = new Authenticator(PASSKEY_SITE);
    const body = { name: 'Laptop', state: asked.state, ...key.make(asked.options.challenge as string) };
    const other = await state();
    expect((await other.client.post('/auth/me/passkeys', body)).status).toBe(400);
    const { body: mine } = await client.post('/auth/me/passkeys', body);
    expect((await client.post('/auth/me/passkeys', body)).status).toBe(400);
    expect((await run.send(client, key)).status).toBe(409);
    expect((await run.send(other.client, key)).status).toBe(409);
    expect((await client.delete(`/auth/me/passkeys/${mine.passkey.id}`)).status).toBe(204);
    expect((await client.post('/auth/me/passkeys', body)).status).toBe(400);
    const late = { ...body, state: (await client.post('/auth/me/passkeys/challenge')).body.state };
    run.clock.now += 300_000;
    expect((await client.post('/auth/me/passkeys', late)).status).toBe(400);
  });

  it('with a challenge for signing in, nor is one used with that for adding', async () => {
    const { client, key } = await run.enrol();
    const { body: use } = await client.post('/auth/me/reauthentication/challenge');
    const made = new Authenticator(PASSKEY_SITE).make(use.options.challenge as string);
    const wrong = { name: 'Laptop', state: use.state, ...made };
    expect((await client.post('/auth/me/passkeys', wrong)).status).toBe(400);
    const { body: add } = await client.post('/auth/me/passkeys/challenge');
    const answer = { state: add.state, ...key.use(add.options.challenge as string) };
    expect((await client.post('/auth/me/reauthentication', answer)).status).toBe(400);
  });

  it('in a session that is old, or has not shown the factor that there is', async () => {
    const { client } = await state();
    run.clock.now += 600_000;
    const challenge = await client.post('/auth/me/passkeys/challenge');
    expect([challenge.status, challenge.body.code]).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
    expect((await client.post('/auth/me/reauthentication', { password: PASSWORD })).status).toBe(204);
    expect((await client.post('/auth/me/passkeys/challenge')).status).toBe(200);
    const other = await run.enrol();
    const forget = 'UPDATE login_session SET has_factor = false WHERE user_id = ?';
    await run.app.writeRows((tx) => tx.query(forget, [other.who.id]));
    const refused = await run.send(other.client, new Authenticator(PASSKEY_SITE));
    expect([refused.status, refused.body.code]).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
    const removed = await other.client.delete(`/auth/me/passkeys/${other.id}`);
    expect([removed.status, removed.body.code]).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
  });

  it('beside twenty others', async () => {
    const { client } = await run.enrol();
    for (let passkeys = 1; passkeys < 20; passkeys++) {
      expect((await run.send(client, new Authenticator(PASSKEY_SITE))).status).toBe(201);
    }
    const refused = await run.send(client, new Authenticator(PASSKEY_SITE));
    expect([refused.status, refused.body.detail]).toEqual([
      409,
      'You can have 20 passkeys. Remove one first.',
    ]);
  });
});

describe('A server without a host name over TLS', () => {
  it.each(['http://chat.example.com', 'https://127.0.0.1', 'https://[::1]:9991'])(
    'has no passkeys: %s',
    async (url) => {
      const other = await PasskeyRun.start({ env: { EXTERNAL_URL: url } });
      const client = await other.app.companionAs(await other.newcomer());
      expect((await client.post('/auth/me/passkeys/challenge')).status).toBe(409);
      const page = await other.browser().send({ url: '/login/' });
      expect(String(page.body)).not.toContain('Sign in with a passkey');
      await other.app.stop();
    },
  );
});
