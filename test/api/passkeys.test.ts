import { Role } from '../../src/platform/actor';
import { LoginSessionService } from '../../src/features/users/users.module';
import { codeAt } from '../../src/features/users/factors/one-time-codes';
import { Database } from '../../src/platform/database/database.service';
import { OperatorCommands } from '../../src/platform/operator/operator-commands';
import type { Parameters } from '../support/api-client';
import { AuditReader } from '../support/audit-setup';
import { Authenticator, type Flaws, type KeyKind } from '../support/authenticator';
import { FROM_OWN_PAGE } from '../support/browser-client';
import { PASSWORD } from '../support/cast';
import { challengeFor, PASSKEY_SITE, PasskeyRun, sendPasskey, signInWith } from '../support/passkey-setup';

let run: PasskeyRun;

beforeAll(async () => {
  run = await PasskeyRun.start();
});

afterAll(() => run.app.stop());

const login = (who: { readonly email: string }) =>
  run.app.companion().post('/auth/login', { email: who.email, password: PASSWORD });

const OPERATOR = { site: '', signal: new AbortController().signal, report: () => undefined };

const second = (challenge: unknown, code: string) =>
  run.app.companion().post('/auth/login/second-factor', { challenge, code });

describe('A passkey', () => {
  it('is made for this site alone, by an authenticator that knows its owner', async () => {
    const who = await run.newcomer();
    const client = await run.app.companionAs(who);
    const { status, body } = await client.post('/auth/me/passkeys/challenge');
    expect(status).toBe(200);
    expect(body.options).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      rp: { id: 'chat.localhost', name: expect.any(String) },
      user: { id: expect.stringMatching(/^[\w-]{32}$/), name: who.email, displayName: who.fullName },
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
      timeout: 300_000,
    });
    const key = new Authenticator(PASSKEY_SITE);
    expect((await run.send(client, key)).status).toBe(201);
    const { body: again } = await client.post('/auth/me/passkeys/challenge');
    expect(again.options.excludeCredentials).toEqual([
      { type: 'public-key', id: key.id.toString('base64url') },
    ]);
    expect(again.options.user).toEqual(body.options.user);
  });

  it('is the second factor from then on, gives recovery codes, and ends other sessions', async () => {
    const who = await run.newcomer();
    const [client, elsewhere] = [await run.app.companionAs(who), await run.app.companionAs(who)];
    const { body } = await run.send(client, new Authenticator(PASSKEY_SITE), {}, 'My laptop');
    expect(body.passkey).toEqual({
      id: expect.any(Number),
      name: 'My laptop',
      created_at: run.clock.nowSeconds(),
      last_used_at: null,
      site: 'chat.localhost',
    });
    expect(new Set(body.recovery_codes).size).toBe(10);
    expect((await elsewhere.get('/auth/me')).status).toBe(401);
    expect((await client.get('/auth/me/second-factor')).body).toEqual({
      is_on: true,
      has_app: false,
      recovery_codes_left: 10,
    });
    const fetched = await run.app
      .client()
      .post('/fetch_api_key', { username: who.email, password: PASSWORD });
    expect(fetched).toMatchObject({
      status: 401,
      body: {
        code: 'SECOND_FACTOR_REQUIRED',
        msg: 'This account has a second factor. Sign in with the browser, or use an API key from your settings.',
      },
    });
    const { status, body: refused } = await login(who);
    expect([status, refused.code]).toEqual([401, 'SECOND_FACTOR_REQUIRED']);
    expect((await second(refused.challenge, '123456')).status).toBe(401);
    const [code = ''] = body.recovery_codes as string[];
    expect((await second(refused.challenge, code)).status).toBe(200);
    expect((await second(refused.challenge, code)).status).toBe(401);
    const more = await run.send(client, new Authenticator(PASSKEY_SITE));
    expect([more.status, more.body.recovery_codes]).toEqual([201, null]);
  });

  it.each<KeyKind>(['ES256', 'RS256', 'EdDSA'])('signs people in alone, with %s', async (kind) => {
    const { who, client, key, id } = await run.enrol(Role.member, kind);
    const audit = await AuditReader.of(run.app);
    const browser = run.browser();
    const page = await browser.send({ url: '/login/' });
    expect(String(page.body)).toContain('Sign in with a passkey');
    expect(page.headers['content-security-policy']).toMatch(/script-src 'sha256-[^']+'; connect-src 'self'/);
    const options = await browser.send({
      method: 'POST',
      url: '/login/passkey/challenge',
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    expect(options.body).toMatchObject({ rpId: 'chat.localhost', userVerification: 'required' });
    expect(options.body).not.toHaveProperty('state');
    key.signCount = 1;
    const answer = await sendPasskey(browser, {
      ...key.use(options.body.challenge as string),
      next: '/console/inbox',
    });
    expect([answer.status, answer.headers.location]).toEqual([302, '/console/inbox']);
    expect(await browser.whoAmI()).toBe(who.id);
    const { body } = await client.get('/auth/me/passkeys');
    expect(body.items).toEqual([expect.objectContaining({ id, last_used_at: run.clock.nowSeconds() })]);
    const entries = (await audit.news()).filter(({ target_user_id: of }) => of === who.id);
    expect(entries.map(({ action, details }) => [action, details])).toEqual([
      ['user.signed_in', { by_passkey: true, passkey: id }],
    ]);
  });

  it('that is on several devices counts no signatures', async () => {
    const { key } = await run.enrol();
    for (let time = 0; time < 2; time++) {
      expect((await signInWith(run.browser(), key)).status).toBe(302);
    }
  });

  it('stands for the code after a password, in the same browser', async () => {
    const { who, key } = await run.enrol();
    const audit = await AuditReader.of(run.app);
    const browser = run.browser();
    const asked = await browser.signIn(who.email);
    expect([asked.status, String(asked.body)]).toEqual([200, expect.stringContaining('Use a passkey')]);
    const other = await run.enrol();
    const wrong = await sendPasskey(browser, other.key.use(await challengeFor(browser)), '/login/code');
    expect([wrong.status, String(wrong.body)]).toEqual([
      401,
      expect.stringContaining('This passkey was not accepted.'),
    ]);
    const right = await sendPasskey(browser, key.use(await challengeFor(browser)), '/login/code');
    expect(right.status).toBe(302);
    expect(await browser.whoAmI()).toBe(who.id);
    const entries = (await audit.news()).filter(({ target_user_id: of }) => of === who.id);
    expect(entries.map(({ action, details }) => [action, details['reason'] ?? details])).toEqual([
      ['user.sign_in_failed', 'second_factor_required'],
      ['user.sign_in_failed', 'wrong_passkey'],
      ['user.signed_in', { by_passkey: true }],
    ]);
  });

  it('is named, renamed and removed by its owner', async () => {
    const { who, client, key, id } = await run.enrol();
    const audit = await AuditReader.of(run.app);
    const stranger = await run.app.companionAs(await run.newcomer());
    const path = `/auth/me/passkeys/${id}`;
    expect((await stranger.patch(path, { name: 'Mine' })).status).toBe(404);
    expect((await stranger.delete(path)).status).toBe(404);
    for (const name of ['', 'x'.repeat(61), 'a\u202eb', 3]) {
      expect((await client.patch(path, { name })).status).toBe(422);
    }
    expect((await client.patch(path, { name: 'Blue key' })).body).toMatchObject({ id, name: 'Blue key' });
    expect((await client.delete(path)).status).toBe(204);
    expect((await client.delete(path)).status).toBe(404);
    expect((await client.get('/auth/me/second-factor')).body).toEqual({
      is_on: false,
      has_app: false,
      recovery_codes_left: 0,
    });
    expect((await signInWith(run.browser(), key)).status).toBe(401);
    expect((await login(who)).status).toBe(200);
    const actions = (await audit.news()).filter(({ target_user_id: of }) => of === who.id);
    expect(actions.map(({ action, details }) => [action, details])).toEqual([
      ['user.passkey_renamed', { passkey: id }],
      ['user.passkey_removed', { passkey: id }],
      ['user.signed_in', {}],
    ]);
  });

  it('stands for the code where a program signs in, once', async () => {
    const { who, key } = await run.enrol();
    const { key: stranger } = await run.enrol();
    const asked = async () => {
      const { status, body } = await login(who);
      expect([status, body]).toMatchObject([
        401,
        { code: 'SECOND_FACTOR_REQUIRED', passkey: { options: {} } },
      ]);
      return body;
    };
    const answer = async (by: Authenticator, flaws: Flaws = {}) => {
      const { challenge, passkey } = await asked();
      const proof = by.use(passkey.options.challenge as string, flaws);
      return { challenge, state: passkey.state, ...proof } as Parameters;
    };
    const send = (body: Parameters) => run.app.companion().post('/auth/login/second-factor', body);
    for (const wrong of [await answer(stranger), await answer(key, { origin: 'https://evil.example' })])
      expect((await send(wrong)).status).toBe(401);
    expect((await send({ challenge: (await asked()).challenge as string })).status).toBe(401);
    const right = await answer(key);
    const audit = await AuditReader.of(run.app);
    const answers = await Promise.all([send(right), send(right)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    const signedIn = (await audit.news()).filter(({ action }) => action === 'user.signed_in');
    expect(signedIn.map(({ details }) => details)).toEqual([{ by_passkey: true }]);
    const late = await answer(key);
    run.clock.now += 300_000;
    expect((await send(late)).status).toBe(401);
  });

  it('is beside an app, either of which may go first', async () => {
    const { who, client, key, recoveryCodes } = await run.enrol();
    const { body } = await client.post('/auth/me/second-factor', { password: PASSWORD });
    const codeNow = () => codeAt(body.secret as string, Math.floor(run.clock.nowSeconds() / 30));
    const before = await login(who);
    expect((await second(before.body.challenge, codeNow())).status).toBe(401);
    expect((await second(before.body.challenge, recoveryCodes[0] ?? '')).status).toBe(200);
    const confirmed = await client.post('/auth/me/second-factor/confirm', { code: codeNow() });
    expect(confirmed.status).toBe(200);
    run.clock.now += 60_000;
    const { body: asked } = await login(who);
    expect((await second(asked.challenge, recoveryCodes[1] ?? '')).status).toBe(401);
    expect((await second(asked.challenge, codeNow())).status).toBe(200);
    run.clock.now += 60_000;
    expect((await client.post('/auth/me/second-factor/remove', { code: codeNow() })).status).toBe(204);
    expect((await client.get('/auth/me/second-factor')).body).toEqual({
      is_on: true,
      has_app: false,
      recovery_codes_left: 10,
    });
    const [code] = confirmed.body.recovery_codes as string[];
    expect((await client.post('/auth/me/second-factor/remove', { code })).status).toBe(409);
    expect((await signInWith(run.browser(), key)).status).toBe(302);
  });

  it('goes by an administrator or the operator, with all other factors', async () => {
    const [one, two] = [await run.enrol(), await run.enrol()];
    const admin = await run.app.companionAs(run.app.cast.adam);
    expect((await admin.delete(`/auth/users/${one.who.id}/second-factor`)).status).toBe(204);
    await run.app.get(OperatorCommands).run('user factor reset', { user: two.who.email }, OPERATOR);
    for (const { who, client, key } of [one, two]) {
      expect((await client.get('/auth/me')).status).toBe(401);
      expect((await signInWith(run.browser(), key)).status).toBe(401);
      expect((await login(who)).status).toBe(200);
    }
  });

  it('meets the requirement of a second factor', async () => {
    const { client: owner } = await run.enrol(Role.owner);
    const who = await run.newcomer();
    const client = await run.app.companionAs(who);
    expect((await owner.patch('/auth/second-factor-policy', { required_of: 'everyone' })).status).toBe(200);
    expect((await client.get('/auth/sessions')).status).toBe(403);
    const key = new Authenticator(PASSKEY_SITE);
    expect((await run.send(client, key)).status).toBe(201);
    expect((await client.get('/auth/sessions')).status).toBe(200);
    const browser = run.browser();
    expect((await signInWith(browser, key)).status).toBe(302);
    expect(await browser.whoAmI()).toBe(who.id);
    expect((await owner.patch('/auth/second-factor-policy', { required_of: 'nobody' })).status).toBe(200);
  });

  it('is set up where a second factor is required, on the sign-in page', async () => {
    const { client: owner } = await run.enrol(Role.owner);
    const who = await run.newcomer();
    expect((await owner.patch('/auth/second-factor-policy', { required_of: 'everyone' })).status).toBe(200);
    const browser = run.browser();
    expect((await browser.signIn(who.email)).status).toBe(302);
    const { body } = await browser.send({ url: '/login/?next=%2Fconsole%2Finbox' });
    expect(String(body)).toContain('Set up a passkey');
    const token = /name="csrfmiddlewaretoken" value="([^"]+)"/.exec(String(body))?.[1] ?? '';
    const post = (url: string, form: Record<string, string>) =>
      browser.send({ method: 'POST', url, headers: { ...FROM_OWN_PAGE, 'x-csrftoken': token }, form });
    const key = new Authenticator(PASSKEY_SITE);
    const path = '/login/second-factor/passkey';
    const { body: options } = await post(`${path}/challenge`, {});
    const wrong = await post(path, key.make('another challenge'));
    expect([wrong.status, String(wrong.body)]).toEqual([
      400,
      expect.stringContaining('This passkey was not accepted.'),
    ]);
    const made = { ...key.make(options.challenge as string), next: '/console/inbox' };
    const done = await post(path, made);
    expect(done.status).toBe(200);
    expect(String(done.body).match(/<li>/g)).toHaveLength(10);
    expect(String(done.body)).toContain('href="/console/inbox"');
    expect(await browser.whoAmI()).toBe(who.id);
    expect((await post(path, made)).status).toBe(302);
    expect((await post(`${path}/challenge`, {})).status).toBe(403);
    const again = run.browser();
    expect((await signInWith(again, key)).status).toBe(302);
    const [passkey] = (await again.call('GET', '/json/companion/auth/me/passkeys')).body.items;
    expect(passkey).toMatchObject({ name: 'Passkey' });
    expect((await owner.patch('/auth/second-factor-policy', { required_of: 'nobody' })).status).toBe(200);
  });

  it('proves again who somebody is', async () => {
    const { client, key, id } = await run.enrol();
    expect((await client.get('/auth/me/reauthentication')).body).toEqual({ by: 'code', has_passkey: true });
    run.clock.now += 600_000;
    expect((await client.post('/auth/me/passkeys/challenge')).body.code).toBe('REAUTHENTICATION_REQUIRED');
    const renaming = await client.patch(`/auth/me/passkeys/${id}`, { name: 'Mine' });
    expect([renaming.status, renaming.body.code]).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
    const { body } = await client.post('/auth/me/reauthentication/challenge');
    const answer = { state: body.state, ...key.use(body.options.challenge as string) };
    const forged = { ...answer, signature: Buffer.from('guess').toString('base64url') };
    expect((await client.post('/auth/me/reauthentication', forged)).status).toBe(400);
    expect((await client.post('/auth/me/reauthentication', answer)).status).toBe(204);
    expect((await client.post('/auth/me/reauthentication', answer)).status).toBe(400);
    expect((await client.post('/auth/me/passkeys/challenge')).status).toBe(200);
  });

  it('is for people who may sign in', async () => {
    const { who, key } = await run.enrol();
    const admin = run.app.as(run.app.cast.olivia);
    expect((await admin.delete(`/users/${who.id}`)).status).toBe(200);
    const refused = await signInWith(run.browser(), key);
    expect([refused.status, String(refused.body)]).toEqual([403, expect.stringContaining('deactivated')]);
  });

  it('leaves no challenge behind once that is too old', async () => {
    const { key } = await run.enrol();
    expect((await signInWith(run.browser(), key)).status).toBe(302);
    const rows = () => run.app.get(Database).read.query('SELECT id FROM used_challenge');
    expect((await rows()).length).toBeGreaterThan(0);
    run.clock.now += 300_000;
    await run.app.get(LoginSessionService).deleteExpired();
    expect(await rows()).toEqual([]);
  });
});
