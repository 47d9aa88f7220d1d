import { Role } from '../../src/platform/actor';
import { Database } from '../../src/platform/database/database.service';
import { LoginSessionService } from '../../src/features/users/users.module';
import { Passwords } from '../../src/platform/secrets/passwords';
import { codeAt } from '../../src/features/users/factors/one-time-codes';
import { AuditReader } from '../support/audit-setup';
import { BrowserClient, FROM_OWN_PAGE } from '../support/browser-client';
import { addAccount, type Member, PASSWORD } from '../support/cast';
import type { CompanionClient } from '../support/companion-client';
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

const codeNow = (seed: string, later = 0) => codeAt(seed, Math.floor(clock.nowSeconds() / 30) + later);

const newcomer = (): Promise<Member> =>
  addAccount(app.nest, {
    deliveryEmail: `factor${++counter}@example.com`,
    fullName: `Factor ${counter}`,
    role: Role.member,
    passwordHash: passwordHash,
  });

/** Sets up a second factor, as an app would show it; the step of time is over afterwards. */
async function enrol(who: Member) {
  const client = await app.companionAs(who);
  const { status, body } = await client.post('/auth/me/second-factor', { password: PASSWORD });
  expect(status).toBe(201);
  const seed = body.secret as string;
  const confirmed = await client.post('/auth/me/second-factor/confirm', { code: codeNow(seed) });
  expect(confirmed.status).toBe(200);
  clock.now += 60_000;
  return { client, seed, recoveryCodes: confirmed.body.recovery_codes as string[], address: body.address };
}

const login = ({ email }: Member) => app.companion().post('/auth/login', { email, password: PASSWORD });

const second = (challenge: string, code: string): ReturnType<CompanionClient['post']> =>
  app.companion().post('/auth/login/second-factor', { challenge, code });

describe('A second factor', () => {
  it('counts once it is confirmed, and ends other sessions', async () => {
    const who = await newcomer();
    const elsewhere = await app.companionAs(who);
    const client = await app.companionAs(who);
    expect((await client.post('/auth/me/second-factor', { password: 'guess' })).status).toBe(400);
    expect((await client.post('/auth/me/second-factor/confirm', { code: '123456' })).status).toBe(409);
    const { body } = await client.post('/auth/me/second-factor', { password: PASSWORD });
    expect(body.address).toMatch(new RegExp(`^otpauth://totp/.+secret=${body.secret}&`));
    expect((await login(who)).status).toBe(200);
    const wrong = await client.post('/auth/me/second-factor/confirm', { code: codeNow(body.secret, 5) });
    expect(wrong.status).toBe(400);
    const { body: confirmed } = await client.post('/auth/me/second-factor/confirm', {
      code: codeNow(body.secret),
    });
    expect(new Set(confirmed.recovery_codes).size).toBe(10);
    expect((await elsewhere.get('/auth/me')).status).toBe(401);
    expect((await client.get('/auth/me/second-factor')).body).toEqual({
      is_on: true,
      has_app: true,
      recovery_codes_left: 10,
    });
    expect((await client.post('/auth/me/second-factor', { password: PASSWORD })).status).toBe(409);
  });

  it('is asked for by the companion interface, once for each code', async () => {
    const who = await newcomer();
    const { seed } = await enrol(who);
    const { status, body } = await login(who);
    expect([status, body.code, body.passkey]).toEqual([401, 'SECOND_FACTOR_REQUIRED', null]);
    expect((await second(body.challenge, '000000')).status).toBe(401);
    const code = codeNow(seed);
    const answers = await Promise.all([second(body.challenge, code), second(body.challenge, code)]);
    expect(answers.map((each) => each.status).sort()).toEqual([200, 401]);
    for (const step of [-2, -1, 2])
      expect((await second(body.challenge, codeNow(seed, step))).status).toBe(401);
    const wrongPassword = await app.companion().post('/auth/login', { email: who.email, password: 'guess' });
    expect(wrongPassword.body).not.toHaveProperty('challenge');
  });

  it('is not given by an old challenge, a made-up one, or one of before another password', async () => {
    const who = await newcomer();
    const { seed, client } = await enrol(who);
    const { body } = await login(who);
    expect((await second(`${body.challenge}x`, codeNow(seed))).status).toBe(401);
    const { body: changed } = await client.patch('/auth/me/password', {
      current_password: PASSWORD,
      new_password: 'seven green umbrellas',
    });
    expect(changed).toHaveProperty('access_token');
    expect((await second(body.challenge, codeNow(seed))).status).toBe(401);
    const again = await app
      .companion()
      .post('/auth/login', { email: who.email, password: 'seven green umbrellas' });
    clock.now += 300_000;
    expect((await second(again.body.challenge, codeNow(seed))).status).toBe(401);
  });

  it('lets nobody guess, from wherever', async () => {
    const who = await newcomer();
    const { seed } = await enrol(who);
    const { body } = await login(who);
    const statuses: number[] = [];
    for (let guess = 0; guess < 11; guess++) statuses.push((await second(body.challenge, '00000')).status);
    expect(statuses[0]).toBe(401);
    expect(statuses.at(-1)).toBe(429);
    expect((await second(body.challenge, codeNow(seed))).status).toBe(429);
  });

  it('may be a recovery code, each once', async () => {
    const who = await newcomer();
    const { client, seed, recoveryCodes } = await enrol(who);
    const { body } = await login(who);
    const [, code = ''] = recoveryCodes;
    expect((await second(body.challenge, code.toUpperCase())).status).toBe(200);
    expect((await second(body.challenge, code)).status).toBe(401);
    const { body: left } = await client.get('/auth/me/second-factor');
    expect(left.recovery_codes_left).toBe(9);
    expect((await client.post('/auth/me/second-factor/remove', { code: codeNow(seed) })).status).toBe(204);
    const again = await enrol(who);
    const { body: next } = await login(who);
    for (const former of recoveryCodes) expect((await second(next.challenge, former)).status).not.toBe(200);
    clock.now += 3_600_000;
    const { body: later } = await login(who);
    expect((await second(later.challenge, again.recoveryCodes[0] ?? '')).status).toBe(200);
  });

  it('keeps passwords from getting an API key', async () => {
    const who = await newcomer();
    await enrol(who);
    const fetched = await app.client().post('/fetch_api_key', { username: who.email, password: PASSWORD });
    expect(fetched).toMatchObject({
      status: 401,
      body: {
        code: 'SECOND_FACTOR_REQUIRED',
        msg: 'This account has a second factor. Sign in with the browser, or use an API key from your settings.',
      },
    });
    const wrong = await app.client().post('/fetch_api_key', { username: who.email, password: 'guess' });
    expect(wrong.body.code).toBe('AUTHENTICATION_FAILED');
  });

  it('is a step of the sign-in page, in the browser that sent the password', async () => {
    const who = await newcomer();
    const { seed } = await enrol(who);
    const browser = new BrowserClient(app.nest, { host: 'chat.example.com' });
    const asked = await browser.signIn(who.email);
    expect([asked.status, String(asked.body)]).toEqual([200, expect.stringContaining('one-time-code')]);
    expect(await browser.whoAmI()).toBeNull();
    const sendCode = (client: BrowserClient, code: string) =>
      client.send({
        method: 'POST',
        url: '/login/code',
        headers: FROM_OWN_PAGE,
        form: { code, next: '/console' },
      });
    expect((await sendCode(browser, '000000')).status).toBe(401);
    const stranger = new BrowserClient(app.nest, { host: 'chat.example.com' });
    expect((await sendCode(stranger, codeNow(seed))).status).toBe(401);
    const { status, headers } = await sendCode(browser, codeNow(seed));
    expect([status, headers.location]).toEqual([302, '/console']);
    expect(await browser.whoAmI()).toBe(who.id);
  });

  it('goes with a code, or by an administrator, who does not touch that of an owner', async () => {
    const who = await newcomer();
    const reader = await AuditReader.of(app);
    const { client, seed } = await enrol(who);
    expect((await client.post('/auth/me/second-factor/remove', { code: '000000' })).status).toBe(400);
    expect((await client.post('/auth/me/second-factor/remove', { code: codeNow(seed) })).status).toBe(204);
    expect((await login(who)).status).toBe(200);
    const { client: own } = await enrol(who);
    const { adam, olivia } = app.cast;
    const admin = await app.companionAs(adam);
    expect((await own.delete(`/auth/users/${who.id}/second-factor`)).status).toBe(403);
    expect((await admin.delete(`/auth/users/${who.id}/second-factor`)).status).toBe(204);
    expect((await own.get('/auth/me')).status).toBe(401);
    expect((await login(who)).status).toBe(200);
    expect((await admin.delete(`/auth/users/${who.id}/second-factor`)).status).toBe(409);
    expect((await admin.delete(`/auth/users/${olivia.id}/second-factor`)).status).toBe(403);
    const actions = (await reader.news())
      .map(({ action }) => action)
      .filter((each) => each.includes('factor'));
    expect(actions).toEqual([
      'user.second_factor_added',
      'user.second_factor_removed',
      'user.second_factor_added',
      'user.second_factor_removed',
    ]);
  });
});

describe('A remembered browser', () => {
  /** Signs in with a code, and asks for no other one. */
  async function remembered(who: Member, seed: string): Promise<BrowserClient> {
    const browser = new BrowserClient(app.nest);
    const page = await browser.signIn(who.email);
    expect([page.status, page.body]).toEqual([200, expect.stringContaining('Don’t ask for a code here')]);
    const form = { code: codeNow(seed), remember: '1' };
    const answer = await browser.send({ method: 'POST', url: '/login/code', headers: FROM_OWN_PAGE, form });
    expect(answer.status).toBe(302);
    clock.now += 60_000;
    return browser;
  }

  const NOT_ASKED = 302;
  const ASKED = 200;

  it('needs the password alone for 30 days, and the code for what is dangerous', async () => {
    const who = await newcomer();
    const { seed } = await enrol(who);
    const browser = await remembered(who, seed);
    expect((await browser.signIn(who.email, 'a guess')).status).toBe(401);
    expect((await browser.signIn(who.email)).status).toBe(NOT_ASKED);
    expect(await browser.whoAmI()).toBe(who.id);
    const dangerous = await browser.call('DELETE', '/json/companion/auth/sessions');
    expect([dangerous.status, dangerous.body.code]).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
    expect((await new BrowserClient(app.nest).signIn(who.email)).status).toBe(ASKED);
    clock.now += 30 * 86_400_000;
    expect((await browser.signIn(who.email)).status).toBe(ASKED);
  });

  it('is listed to its owner alone, who has it ask again, one or all', async () => {
    const PATH = '/auth/remembered-browsers';
    const who = await newcomer();
    const reader = await AuditReader.of(app);
    const { client, seed } = await enrol(who);
    const began = clock.nowSeconds();
    const [one, other] = [await remembered(who, seed), await remembered(who, seed)];
    const { body: mine } = await one.call('GET', `/json/companion${PATH}`);
    expect(mine.items).toEqual([
      {
        id: expect.any(Number),
        created_at: began,
        expires_at: began + 30 * 86_400,
        last_used_at: null,
        address: '127.0.0.1',
        user_agent: 'lightMyRequest',
        is_current: true,
      },
      expect.objectContaining({ created_at: began + 60, is_current: false }),
    ]);
    const stranger = await app.companionAs(await newcomer());
    const first = `${PATH}/${mine.items[0].id}`;
    expect((await stranger.get(PATH)).body.items).toEqual([]);
    expect((await stranger.delete(first)).status).toBe(404);
    expect((await one.signIn(who.email)).status).toBe(NOT_ASKED);
    expect((await client.get(PATH)).body.items[0]).toMatchObject({ last_used_at: clock.nowSeconds() });
    expect((await client.delete(first)).status).toBe(204);
    expect((await client.delete(first)).status).toBe(404);
    expect((await one.signIn(who.email)).status).toBe(ASKED);
    expect((await other.signIn(who.email)).status).toBe(NOT_ASKED);
    expect(await client.delete(PATH)).toMatchObject({ status: 200, body: { forgotten: 1 } });
    expect((await other.signIn(who.email)).status).toBe(ASKED);
    const forgotten = (await reader.news()).filter(({ action }) => action === 'user.browsers_forgotten');
    expect(forgotten.map(({ details }) => details)).toEqual([{ forgotten: 1 }, { forgotten: 1 }]);
  });

  it('leaves no row once the 30 days are over', async () => {
    const who = await newcomer();
    const { seed } = await enrol(who);
    await remembered(who, seed);
    const rows = () =>
      app
        .get(Database)
        .read.query<{ id: number }>('SELECT id FROM remembered_device WHERE user_id = ?', [who.id]);
    await app.get(LoginSessionService).deleteExpired();
    expect(await rows()).toHaveLength(1);
    clock.now += 30 * 86_400_000;
    await app.get(LoginSessionService).deleteExpired();
    expect(await rows()).toEqual([]);
  });

  it('is remembered of one person', async () => {
    const [one, other] = [await newcomer(), await newcomer()];
    const [{ seed }] = [await enrol(one), await enrol(other)];
    const browser = await remembered(one, seed);
    expect((await browser.signIn(other.email)).status).toBe(ASKED);
  });

  it.each<[string, (who: CompanionClient, seed: string) => Promise<{ readonly status: number }>, string?]>([
    ['another password', (who) => who.patch('/auth/me/password', CHANGE), 'seven green umbrellas'],
    ['signing out everywhere', (who) => who.delete('/auth/sessions')],
    [
      'another factor',
      async (who, seed) => {
        await who.post('/auth/me/second-factor/remove', { code: codeNow(seed) });
        const { body } = await who.post('/auth/me/second-factor', { password: PASSWORD });
        return who.post('/auth/me/second-factor/confirm', { code: codeNow(body.secret) });
      },
    ],
  ])('is asked again after %s', async (_what, change, password = PASSWORD) => {
    const who = await newcomer();
    const { client, seed } = await enrol(who);
    const browser = await remembered(who, seed);
    expect((await change(client, seed)).status).toBe(200);
    expect((await browser.signIn(who.email, password)).status).toBe(ASKED);
  });
});

const CHANGE = { current_password: PASSWORD, new_password: 'seven green umbrellas' };
