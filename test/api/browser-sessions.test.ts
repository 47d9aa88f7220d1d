import { SecondFactor } from '../../src/features/users/factors/second-factor.entity';
import { ChannelDirectory } from '../../src/features/channels/channels.module';
import { FirstSignInService } from '../../src/features/auth/auth.module';
import { SessionUse } from '../../src/features/users/sessions/session-use.service';
import { LoginSessionService } from '../../src/features/users/users.module';
import { Database } from '../../src/platform/database/database.service';
import { changeAccount } from '../support/account-setup';
import { AuditReader } from '../support/audit-setup';
import { BrowserClient, browserOf, FROM_OWN_PAGE } from '../support/browser-client';
import { PASSWORD } from '../support/cast';
import { expectError, expectSuccess } from '../support/expect-answer';
import { StoppedClock } from '../support/test-clocks';
import { TestApp } from '../support/test-app';
import { load, upload } from '../support/upload-setup';

const TWO_WEEKS = 14 * 86_400;
const HALF_AN_HOUR_MS = 30 * 60_000;
const QUARTER_HOUR_MS = 15 * 60_000;
const NEW_PASSWORD = 'seven quiet herons in the reeds';
const SITE = 'http://chat.example.com';

const clock = new StoppedClock();
let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start({ clock, env: { TRUSTED_PROXIES: '127.0.0.1' } });
});

afterAll(() => app.stop());

// The throttle counts for a quarter of an hour.
beforeEach(() => {
  clock.now += QUARTER_HOUR_MS;
});

const stranger = () => new BrowserClient(app.nest);

describe('The session of a browser', () => {
  it('is a cookie that no script reads, with another name over TLS', async () => {
    const plain = await new BrowserClient(app.nest, { host: 'chat.example.com:9991' }).signIn(
      'mia@example.com',
    );
    expect(plain.headers['set-cookie']).toMatch(
      /^parley_9991=eyJ[\w.-]+; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const behindTls = {
      host: 'chat.example.com',
      'x-forwarded-proto': 'https',
      'x-forwarded-for': '192.0.2.1',
    };
    const browser = new BrowserClient(app.nest, behindTls);
    const secure = await browser.signIn('mia@example.com');
    expect(secure.headers['set-cookie']).toMatch(
      /^__Host-parley=eyJ[\w.-]+; Max-Age=1209600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(await browser.whoAmI()).toBe(app.cast.mia.id);
    const [, token = ''] = [...browser.cookies].flat();
    const overWithout = stranger();
    overWithout.cookies.set('__Host-parley', token);
    expect(await overWithout.whoAmI()).toBeNull();
  });

  it('calls both interfaces as its owner, with the rights of its owner', async () => {
    const { mia, olivia } = app.cast;
    const browser = await browserOf(app, mia);
    const sent = await browser.call('POST', '/json/messages', {
      type: 'direct',
      to: [mia.id],
      content: 'hello',
    });
    const { id } = expectSuccess(sent) as { id: number };
    expect(expectSuccess(await app.as(mia).get(`/messages/${id}`)).message).toMatchObject({
      sender_id: mia.id,
      client: 'website',
      content: '<p>hello</p>',
    });
    expect(sent.body).not.toHaveProperty('ignored_parameters_unsupported');
    const inForm = await browser.send({
      method: 'POST',
      url: '/json/mark_all_as_read',
      form: { csrfmiddlewaretoken: await browser.csrfToken(), other: '1' },
    });
    expect(inForm.body).toMatchObject({ result: 'success', ignored_parameters_unsupported: ['other'] });
    const asPatch = await browser.call('POST', '/json/settings', {
      method: 'PATCH',
      timezone: 'Europe/Rome',
    });
    expect(asPatch.body).toMatchObject({ result: 'success' });
    expect((await browser.send({ url: '/json/companion/auth/me' })).body).toMatchObject({ user_id: mia.id });
    expectError(
      await browser.call('PATCH', '/json/realm', { name: 'Mine' }),
      'Must be an organization administrator',
      { code: 'UNAUTHORIZED_PRINCIPAL' },
    );
    expect(await browser.send({ url: '/json/companion/auth/users' })).toMatchObject({ status: 403 });
    const owner = await browserOf(app, olivia);
    expect((await owner.send({ url: '/json/companion/auth/users' })).status).toBe(200);
  });

  it('is client `website`, whatever it says, but for the desktop app', async () => {
    const { mia } = app.cast;
    const clientOf = async (userAgent: string): Promise<string> => {
      const browser = await browserOf(app, mia, { 'user-agent': userAgent });
      const values = { type: 'direct', to: [mia.id], content: 'hello', client: 'forged' };
      const { id } = expectSuccess(await browser.call('POST', '/json/messages', values)) as { id: number };
      return expectSuccess(await app.as(mia).get(`/messages/${id}`)).message.client as string;
    };
    expect(await clientOf('Mozilla/5.0 (X11)')).toBe('website');
    expect(await clientOf('ZulipElectron/5.12.4 Mozilla/5.0')).toBe('ZulipElectron');
  });

  it('is unknown without a cookie, and no password box of the browser opens', async () => {
    const challenge = { 'www-authenticate': 'Session realm="zulip"' };
    const { status, body, headers } = await stranger().send({ url: '/json/users/me' });
    expect({ status, body }).toEqual({
      status: 401,
      body: {
        result: 'error',
        msg: 'Not logged in: API authentication or user session required',
        code: 'UNAUTHORIZED',
      },
    });
    expect(headers).toMatchObject(challenge);
    expect(await stranger().send({ url: '/json/companion/auth/me' })).toMatchObject({
      status: 401,
      body: { detail: 'Not logged in: API authentication or user session required' },
      headers: challenge,
    });
    expect(await stranger().send({ url: '/avatar/1' })).toMatchObject({ status: 401, headers: challenge });
    expect((await app.client().get('/users/me')).headers).toMatchObject({
      'www-authenticate': 'Basic realm="zulip"',
    });
    expect((await stranger().send({ url: '/json/server_settings' })).body).toMatchObject({
      result: 'success',
    });
  });

  it('leads people who open an address without one to the sign-in page, and back', async () => {
    const opened = await stranger().send({ url: '/json/users/me?a=1', headers: { accept: 'text/html,*/*' } });
    expect(opened).toMatchObject({
      status: 302,
      headers: { location: '/login/?next=%2Fjson%2Fusers%2Fme%3Fa%3D1' },
    });
    expect(
      await stranger().send({ method: 'POST', url: '/accounts/logout/', headers: FROM_OWN_PAGE }),
    ).toMatchObject({
      status: 302,
      headers: { location: '/login/' },
    });
  });

  it('goes on while it is used, for two weeks', async () => {
    const { mia } = app.cast;
    const DAY_MS = 86_400_000;
    const [used, unused] = [await browserOf(app, mia), await browserOf(app, mia)];
    const use = async () => {
      const who = await used.whoAmI();
      await app.get(SessionUse).settled();
      return who;
    };
    clock.now += 6 * DAY_MS;
    expect(await use()).toBe(mia.id);
    clock.now += DAY_MS - 1000;
    expect(await unused.whoAmI()).toBe(mia.id);
    await app.get(SessionUse).settled();
    clock.now += 6 * DAY_MS;
    expect(await use()).toBe(mia.id);
    clock.now += DAY_MS + 1000;
    expect(await use()).toBeNull();
  });

  it('begins anew, whatever the browser brought along', async () => {
    const { mia, max } = app.cast;
    const attacker = await browserOf(app, max);
    const victim = stranger();
    for (const [name, value] of attacker.cookies) victim.cookies.set(name, value);
    expect(await victim.signIn(mia.email)).toMatchObject({ status: 302 });
    expect([...victim.cookies.keys()]).toEqual([...attacker.cookies.keys()]);
    expect([...victim.cookies.values()]).not.toEqual([...attacker.cookies.values()]);
    expect(await victim.whoAmI()).toBe(mia.id);
    // The session that was in the browser before has ended.
    expect(await attacker.whoAmI()).toBeNull();
  });

  it('is neither taken from a program nor given to one', async () => {
    const { mia } = app.cast;
    const program = await app.companionAs(mia);
    const browser = await browserOf(app, mia);
    const [name = '', cookie = ''] = [...browser.cookies][0] ?? [];
    expect((await program.withToken(cookie).get('/auth/me')).status).toBe(401);
    const other = stranger();
    other.cookies.set(name, program.token as string);
    expect(await other.whoAmI()).toBeNull();
  });

  it('ends after a week without use, and its row goes', async () => {
    const [browser, other] = [await browserOf(app, app.cast.mia), await browserOf(app, app.cast.mia)];
    const rows = () => app.get(Database).read.query("SELECT id FROM login_session WHERE kind = 'browser'");
    clock.now += (TWO_WEEKS / 2 - 1) * 1000;
    expect(await browser.whoAmI()).toBe(app.cast.mia.id);
    clock.now += 1000;
    expect(await other.whoAmI()).toBeNull();
    clock.now += TWO_WEEKS * 1000;
    await app.get(LoginSessionService).deleteExpired();
    expect(await rows()).toEqual([]);
  });

  it('ends when its owner signs out, alone; both are in the audit log', async () => {
    const { mia } = app.cast;
    const audit = await AuditReader.of(app);
    const one = await browserOf(app, mia);
    const other = await browserOf(app, mia);
    const out = await one.send({
      method: 'POST',
      url: '/accounts/logout/',
      headers: FROM_OWN_PAGE,
      form: { csrfmiddlewaretoken: await one.csrfToken() },
    });
    expect(out).toMatchObject({ status: 302, headers: { location: '/login/' } });
    expect(out.headers['set-cookie']).toMatch(/^parley_80=; Max-Age=0; Path=\/; HttpOnly; SameSite=Lax$/);
    expect([await one.whoAmI(), await other.whoAmI()]).toEqual([null, mia.id]);
    const entry = { way: 'main', actor_id: mia.id, target_user_id: mia.id, client: 'website' };
    expect(await audit.news()).toMatchObject([
      { ...entry, action: 'user.signed_in' },
      { ...entry, action: 'user.signed_in' },
      { ...entry, action: 'user.signed_out' },
    ]);
    expect((await other.send({ url: '/accounts/logout/' })).status).toBe(405);
  });

  it('ends when there are a hundred newer ones, and no other does', async () => {
    const { adam, mona } = app.cast;
    const [first, second] = [await browserOf(app, adam), await browserOf(app, adam)];
    const [others, program] = [await browserOf(app, mona), await app.companionAs(adam)];
    const origin = { address: '192.0.2.1', userAgent: '' };
    await app.writeRows(async (tx) => {
      for (let more = 2; more < 101; more++) {
        await app.get(LoginSessionService).begin(tx, adam.id, 'browser', origin);
      }
    });
    expect([await first.whoAmI(), await second.whoAmI(), await others.whoAmI()]).toEqual([
      null,
      adam.id,
      mona.id,
    ]);
    expect((await program.get('/auth/me')).status).toBe(200);
    expect((await program.delete('/auth/sessions')).body).toEqual({ ended: 100 });
  });

  it('is listed beside those of programs, and ended with them', async () => {
    const { gus } = app.cast;
    const program = await app.companionAs(gus);
    const browser = await browserOf(app, gus, {
      'user-agent': 'Mozilla/5.0 (X11)',
      'x-forwarded-for': '192.0.2.7',
    });
    const { body } = await browser.send({ url: '/json/companion/auth/sessions' });
    expect(body.items).toMatchObject([
      { kind: 'token', is_current: false },
      { kind: 'browser', is_current: true, address: '192.0.2.7', user_agent: 'Mozilla/5.0 (X11)' },
    ]);
    expect(await browser.call('DELETE', '/json/companion/auth/sessions')).toMatchObject({
      status: 200,
      body: { ended: 1 },
    });
    expect((await program.get('/auth/me')).status).toBe(401);
    expect(await browser.whoAmI()).toBe(gus.id);
    const owner = await app.companionAs(app.cast.olivia);
    expect(await owner.delete(`/auth/users/${gus.id}/sessions`)).toMatchObject({ body: { ended: 1 } });
    expect(await browser.whoAmI()).toBeNull();
  });

  it('goes on when the password is changed in it, and all others end', async () => {
    const { max } = app.cast;
    const [here, there] = [await browserOf(app, max), await browserOf(app, max)];
    const program = await app.companionAs(max);
    const token = await here.csrfToken();
    const change = { old_password: PASSWORD, new_password: NEW_PASSWORD };
    expectSuccess(await here.call('PATCH', '/json/settings', change));
    expect([await here.whoAmI(), await there.whoAmI()]).toEqual([max.id, null]);
    expect((await program.get('/auth/me')).status).toBe(401);
    expect(await here.csrfToken()).toBe(token);
    // With the key, nothing goes on.
    const back = { old_password: NEW_PASSWORD, new_password: PASSWORD };
    expectSuccess(await app.as(max).patch('/settings', back));
    expect(await here.whoAmI()).toBeNull();
  });

  it('shows the API key to whoever knows the password, and counts failures', async () => {
    const { mona } = app.cast;
    const browser = await browserOf(app, mona);
    const ask = (password: string) => browser.call('POST', '/json/fetch_api_key', { password });
    const { email, apiKey } = app.credentialsOf(mona);
    expect((await ask(PASSWORD)).body).toEqual({
      result: 'success',
      msg: '',
      api_key: apiKey,
      email,
      user_id: mona.id,
    });
    for (let failures = 0; failures < 5; failures++) {
      expectError(await ask('guessed'), 'Password is incorrect.');
    }
    expect(await ask(PASSWORD)).toMatchObject({ status: 429, body: { code: 'RATE_LIMIT_HIT' } });
  });
});

describe('Files and pictures', () => {
  it('are uploaded by a browser with the token in the header, as no form with a file is read for it', async () => {
    const browser = await browserOf(app, app.cast.mia);
    const form = new FormData();
    form.append('csrfmiddlewaretoken', await browser.csrfToken());
    form.append('file', new Blob(['content'], { type: 'text/plain' }), 'notes.txt');
    const request = new Request(SITE, { method: 'POST', body: form });
    const send = async (headers: Readonly<Record<string, string>>) =>
      browser.send({
        method: 'POST',
        url: '/json/user_uploads',
        headers: { ...headers, 'content-type': request.headers.get('content-type') as string },
        form: await request.clone().text(),
      });
    expect(await send({})).toMatchObject({ status: 403, body: { reason: 'CSRF token missing.' } });
    const sent = await send({ 'x-csrftoken': await browser.csrfToken() });
    expect((await browser.send({ url: expectSuccess(sent).url })).body).toBe('content');
  });

  it('are shown to a browser as to its owner, and to no other site', async () => {
    const { mia, max } = app.cast;
    const address = await upload(app, mia, { name: 'notes.txt' });
    const [own, others] = [await browserOf(app, mia), await browserOf(app, max)];
    expect((await own.send({ url: address })).status).toBe(200);
    expect((await own.send({ url: address, method: 'HEAD' })).status).toBe(200);
    expect(
      (await own.send({ url: address.replace('/user_uploads/', '/user_uploads/download/') })).status,
    ).toBe(200);
    expect((await own.send({ url: address, headers: { range: 'bytes=0-2' } })).status).toBe(206);
    for (const browser of [others, stranger()]) {
      expect((await browser.send({ url: address })).status).not.toBe(200);
    }
    expect(await load(app, mia, address)).toMatchObject({ status: 200 });
    // Credentials count where they are sent.
    const { email, apiKey } = app.credentialsOf(max);
    const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`;
    expect((await own.send({ url: address, headers: { authorization } })).status).not.toBe(200);
    expect(await own.send({ url: `/avatar/${max.id}` })).toMatchObject({ status: 302 });
    expect(await own.send({ url: `/avatar/${max.email}/medium` })).toMatchObject({ status: 302 });
    expect(await stranger().send({ url: `/avatar/${max.id}` })).toMatchObject({ status: 401 });
  });
});

describe('The sign-in page', () => {
  it('is a form that works without script, under each of its addresses', async () => {
    for (const url of ['/login/', '/login', '/accounts/login/', '/accounts/login', '/login/?next=/console']) {
      const { status, body, headers } = await stranger().send({ url });
      expect([status, headers['referrer-policy'], headers['cache-control']]).toEqual([
        200,
        'same-origin',
        'no-store',
      ]);
      expect(body).toContain('<form method="post" action="/login/"');
      expect(body).toContain('autocomplete="username"');
      expect(body).toContain('autocomplete="current-password"');
      expect(body).toContain('type="password"');
      const fields = [...String(body).matchAll(/<(?:input|select|textarea)[^>]* name="(\w+)"/g)];
      expect(fields.map(([, name]) => name).sort()).toEqual(['next', 'password', 'username']);
      expect(body).not.toMatch(/<script|\sstyle=|\son\w+=/i);
    }
    for (const url of ['/login/x', '/accounts/', '/Login/', '/accounts/logout/x']) {
      expect((await stranger().send({ url })).status).toBe(404);
    }
  });

  it('says why it did not work, without saying whether there is such an account', async () => {
    const browser = stranger();
    const [unknown, wrong] = [
      await browser.signIn('nobody@example.com'),
      await browser.signIn('mia@example.com', 'guessed'),
    ];
    for (const { status, body, headers } of [unknown, wrong]) {
      expect([status, headers['set-cookie'], headers['www-authenticate']]).toEqual([
        401,
        undefined,
        undefined,
      ]);
      expect(body).toContain('<p class="no" role="alert">Incorrect email or password.</p>');
      expect(body).not.toContain('guessed');
    }
    const spelled = await browser.signIn('"><script>alert(1)</script>@example.com', 'guessed', {
      next: '/"><b>',
    });
    expect(spelled.body).not.toMatch(/<script|"><b>/);
    expect((await browser.signIn('robo-bot@example.com')).status).toBe(401);
  });

  it('counts failures together with the interfaces, and says when to try again', async () => {
    const browser = stranger();
    for (let failures = 0; failures < 2; failures++) await browser.signIn('mia@example.com', 'guessed');
    const key = { username: 'mia@example.com', password: 'guessed' };
    for (let failures = 0; failures < 2; failures++) await app.client().post('/fetch_api_key', key);
    await app.companion().post('/auth/login', { email: 'mia@example.com', password: 'guessed' });
    const { status, body, headers } = await browser.signIn('mia@example.com');
    expect([status, headers['retry-after']]).toEqual([429, String(QUARTER_HOUR_MS / 1000)]);
    expect(body).toContain('Too many failed attempts. Try again in 15 minutes.');
    clock.now += QUARTER_HOUR_MS;
    expect(await browser.signIn('mia@example.com')).toMatchObject({ status: 302 });
  });

  it.each([
    ['/console/channels/7?a=b#c', '/console/channels/7?a=b#c'],
    ['', '/'],
    ['https://evil.example/', '/'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['\\\\evil.example', '/'],
    ['/\t/evil.example', '/'],
    ['/\n/evil.example', '/'],
    [' //evil.example', '/'],
    ['javascript:alert(1)', '/'],
    ['evil.example', '/'],
    ['/ä', '/'],
    [`/${'a'.repeat(3000)}`, '/'],
  ])('leads on from %j to %s', async (next, location) => {
    const browser = stranger();
    expect(await browser.signIn('mia@example.com', PASSWORD, { next })).toMatchObject({
      status: 302,
      headers: { location },
    });
    const url = `/login/?${new URLSearchParams({ next }).toString()}`;
    expect(await browser.send({ url })).toMatchObject({ status: 302, headers: { location } });
    expect(new URL(location, SITE).origin).toBe(SITE);
  });

  it('takes no passwords where the organization has switched them off, and nobody who left', async () => {
    const { olivia, mia } = app.cast;
    expectSuccess(await app.as(olivia).delete(`/users/${mia.id}`));
    expect(await stranger().signIn(mia.email)).toMatchObject({
      status: 403,
      body: expect.stringContaining('Account is deactivated.'),
    });
    expectSuccess(await app.as(olivia).post(`/users/${mia.id}/reactivate`));
  });
});

describe('The link of the first start', () => {
  const linkFor = () => app.get(FirstSignInService).linkFor('olivia@example.com', SITE);
  const open = (link: string) => stranger().send({ url: link.slice(SITE.length) });
  const codeOf = (link: string) => new URL(link).searchParams.get('code') ?? '';
  const use = (browser: BrowserClient, link: string, password: string, headers = FROM_OWN_PAGE) =>
    browser.send({ method: 'POST', url: '/login/first', headers, form: { code: codeOf(link), password } });

  it('sets the password of the owner and signs in, once', async () => {
    const { olivia } = app.cast;
    const link = await linkFor();
    expect(await open(link)).toMatchObject({
      status: 200,
      body: expect.stringContaining('olivia@example.com'),
    });
    const browser = stranger();
    expect(await use(browser, link, 'password')).toMatchObject({
      status: 400,
      body: expect.stringContaining('The password is too weak.'),
    });
    expect(await use(browser, link, NEW_PASSWORD, { ...FROM_OWN_PAGE, origin: 'null' })).toMatchObject({
      status: 403,
    });
    const location = `/#narrow/channel/${app.get(ChannelDirectory).byName('general')!.id}`;
    expect(await use(browser, link, NEW_PASSWORD)).toMatchObject({ status: 302, headers: { location } });
    expect(await browser.whoAmI()).toBe(olivia.id);
    for (const again of [await open(link), await use(stranger(), link, PASSWORD)]) {
      expect(again).toMatchObject({ status: 404, body: expect.stringContaining('This link doesn’t work') });
    }
    expect(await stranger().signIn('olivia@example.com', NEW_PASSWORD)).toMatchObject({ status: 302 });
  });

  it('does not stand for a second factor', async () => {
    const link = await linkFor();
    const factor = { userId: app.cast.olivia.id, sealedSeed: '', isConfirmed: true, newestStep: 0 };
    const row = { ...factor, recoveryCodes: '[]', createdAt: 0 };
    await app.writeRows((tx) => tx.repository(SecondFactor).save(row));
    const browser = stranger();
    expect(await use(browser, link, 'seven green umbrellas')).toMatchObject({ status: 404 });
    expect(await browser.whoAmI()).toBeNull();
    await app.writeRows((tx) => tx.repository(SecondFactor).delete({ userId: row.userId }));
  });

  it('names the owner and the organization, and keeps what was filled in when something is refused', async () => {
    const { olivia } = app.cast;
    const link = await linkFor();
    const queue = await app.queue(app.cast.mia, { event_types: ['realm', 'realm_user'] });
    const form = { code: codeOf(link), full_name: 'Olive Owen', organization: 'Soup & Co' };
    const browser = stranger();
    const send = (password: string) =>
      browser.send({
        method: 'POST',
        url: '/login/first',
        headers: FROM_OWN_PAGE,
        form: { ...form, password },
      });
    const refused = await send('password');
    expect(refused.status).toBe(400);
    for (const text of ['Olive Owen', 'Soup &amp; Co']) expect(refused.body).toContain(`value="${text}"`);
    expect((await send(NEW_PASSWORD)).status).toBe(302);
    const me = expectSuccess(await app.as(olivia).get('/users/me'));
    expect(me.full_name).toBe('Olive Owen');
    expect(expectSuccess(await app.as(olivia).get('/server_settings')).realm_name).toBe('Soup & Co');
    expect(await queue.events()).toMatchObject([
      { type: 'realm_user', op: 'update', person: { user_id: olivia.id, full_name: 'Olive Owen' } },
      { type: 'realm', op: 'update', property: 'name', value: 'Soup & Co' },
    ]);
    const log = AuditReader.with(app, await app.companion().signIn('olivia@example.com', NEW_PASSWORD));
    const audited = await log.find(`actor_id=${olivia.id}&order=newest`);
    expect(audited.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['user.password_changed', 'user.renamed', 'organization.changed']),
    );
    await app.as(olivia).patch('/settings', { full_name: olivia.fullName });
  });

  it('ends when the owner gets another role or address', async () => {
    const { olivia } = app.cast;
    const link = await linkFor();
    for (const changes of [{ role: 200 }, { emailKey: 'other@example.com' }] as const) {
      expect((await open(link)).status).toBe(200);
      const before = { role: 100, emailKey: 'olivia@example.com' } as const;
      await changeAccount(app, olivia, changes);
      expect((await open(link)).status).toBe(404);
      await changeAccount(app, olivia, before);
    }
  });

  it('is in no address after it was opened', async () => {
    const link = await linkFor();
    const refused = await use(stranger(), link, 'password');
    for (const { headers, body } of [await open(link), refused]) {
      expect(body).toContain('<form method="post" action="/login/first">');
      expect(body).toContain(`<input type="hidden" name="code" value="${codeOf(link)}" />`);
      // Names the site alone, where browsers would otherwise send the whole address with the form.
      expect(headers['referrer-policy']).toBe('strict-origin');
    }
  });

  it('works for half an hour, and is no other', async () => {
    const link = await linkFor();
    const forged = link.replace(/-\d+-/, '-9999999999-');
    const cut = link.slice(0, -1);
    for (const url of [forged, cut, `${SITE}/login/first`, `${SITE}/login/first?code=1-2-3`]) {
      expect(await open(url)).toMatchObject({ status: 404 });
    }
    clock.now += HALF_AN_HOUR_MS - 1000;
    expect((await open(link)).status).toBe(200);
    clock.now += 1000;
    expect((await open(link)).status).toBe(404);
  });
});

it('The front page leads to signing in', async () => {
  const unknown = await stranger().send({ url: '/' });
  expect(unknown).toMatchObject({ status: 200, body: expect.stringContaining('<a href="/login/">') });
  expect(unknown.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
  });
});

it('Web clients hear that the server is there', async () => {
  const { status, body } = await stranger().send({ url: '/compatibility' });
  expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '' } });
});

it('A password never ends by itself', async () => {
  clock.now += 10 * 365 * 86_400_000;
  expect((await stranger().signIn(app.cast.max.email)).status).toBe(302);
});
