import { ChannelDirectory } from '../../src/features/channels/channels.module';
import { codeAt } from '../../src/features/users/factors/one-time-codes';
import { AuditReader } from '../support/audit-setup';
import { BrowserClient, browserOf, FROM_OWN_PAGE } from '../support/browser-client';
import { PASSWORD, type Member } from '../support/cast';
import { expectSuccess } from '../support/expect-answer';
import { GOOD_PASSWORD, makeLink } from '../support/invitation-setup';
import { StoppedClock } from '../support/test-clocks';
import { TestApp } from '../support/test-app';

const clock = new StoppedClock();
let app: TestApp;
let audit: AuditReader;

beforeAll(async () => {
  app = await TestApp.start({ clock, env: { SERVER_MODE: 'development' } });
  audit = await AuditReader.of(app);
});

afterAll(() => app.stop());

const pathOf = (url: string) => new URL(url).pathname;
const general = () => app.get(ChannelDirectory).byName('general')!.id;
const send = (browser: BrowserClient, link: string, form: Record<string, string>, headers = FROM_OWN_PAGE) =>
  browser.send({ method: 'POST', url: pathOf(link), headers, form });
const nameIn = (email: string) => email.split('@')[0]!;
const newcomer = (email: string) => ({ email, full_name: `New ${nameIn(email)}`, password: GOOD_PASSWORD });
const everyone = () => makeLink(app, app.cast.adam, { include_realm_default_subscriptions: true });

/** A person whom an administrator has made, and who has never signed in. */
async function made(email: string): Promise<Pick<Member, 'id' | 'email'>> {
  const person = { email, full_name: `Made ${nameIn(email)}`, password: PASSWORD };
  return { id: expectSuccess(await app.as(app.cast.olivia).post('/users', person)).user_id, email };
}

async function passwordLink(of: Pick<Member, 'id'>): Promise<string> {
  const { body } = await (await app.companionAs(app.cast.olivia)).post(`/auth/users/${of.id}/password-link`);
  return body.url;
}

/** Has passwords be a way in, or not. */
async function takePasswords(isOn: boolean): Promise<void> {
  const methods = { authentication_methods: { Email: isOn, Dev: !isOn } };
  expectSuccess(await app.as(app.cast.olivia).patch('/realm', methods));
}

describe('An invitation', () => {
  it('ends signed in, in #general', async () => {
    const link = await everyone();
    const browser = new BrowserClient(app.nest);
    expect((await browser.send({ url: pathOf(link) })).headers['referrer-policy']).toBe('strict-origin');
    await audit.news();
    const joined = await send(browser, link, newcomer('nora@example.com'));
    expect(joined).toMatchObject({
      status: 302,
      headers: { location: `/#narrow/channel/${general()}` },
    });
    const id = await browser.whoAmI();
    expect(id).not.toBeNull();
    const signedIn = (await audit.news()).find(({ action }) => action === 'user.signed_in');
    expect(signedIn).toMatchObject({ actor_id: id, target_user_id: id, details: { by_link: true } });
  });

  it('leads a person without a channel to the first page', async () => {
    const link = await makeLink(app, app.cast.adam, { stream_ids: [] });
    const joined = await send(new BrowserClient(app.nest), link, newcomer('noel@example.com'));
    expect(joined).toMatchObject({ status: 302, headers: { location: '/' } });
  });

  it('ends the session that the browser had', async () => {
    const browser = await browserOf(app, app.cast.max);
    const before = [...browser.cookies];
    expect(await send(browser, await everyone(), newcomer('nils@example.com'))).toMatchObject({
      status: 302,
    });
    expect(await browser.whoAmI()).not.toBe(app.cast.max.id);
    const former = new BrowserClient(app.nest);
    for (const [name, value] of before) former.cookies.set(name, value);
    expect(await former.whoAmI()).toBeNull();
  });

  it('takes nothing that another site has a browser send', async () => {
    const link = await everyone();
    const browser = new BrowserClient(app.nest);
    const foreign = [
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example.com' },
      { origin: 'null' },
      {} as Record<string, string>,
    ];
    for (const headers of foreign) {
      expect(await send(browser, link, newcomer('nobody@example.com'), headers)).toMatchObject({
        status: 403,
      });
    }
    expect(browser.cookies.size).toBe(0);
    const { members } = expectSuccess(await app.as(app.cast.olivia).get('/users'));
    expect(members.map(({ delivery_email }: { delivery_email: string }) => delivery_email)).not.toContain(
      'nobody@example.com',
    );
  });

  it('makes the account alone where passwords are no way in', async () => {
    const link = await everyone();
    await takePasswords(false);
    const browser = new BrowserClient(app.nest);
    const joined = await send(browser, link, newcomer('nina@example.com'));
    expect(joined).toMatchObject({ status: 200, body: expect.stringContaining('Your account is ready.') });
    expect(browser.cookies.size).toBe(0);
    await takePasswords(true);
  });
});

describe('A link for a new password', () => {
  it('ends signed in, the first time in #general and later on the first page', async () => {
    const { id } = await made('ada@example.com');
    for (const location of [`/#narrow/channel/${general()}`, '/']) {
      const browser = new BrowserClient(app.nest);
      const link = await passwordLink({ id });
      expect((await browser.send({ url: pathOf(link) })).headers['referrer-policy']).toBe('strict-origin');
      const set = await send(browser, link, { password: GOOD_PASSWORD });
      expect(set).toMatchObject({ status: 302, headers: { location } });
      expect(await browser.whoAmI()).toBe(id);
    }
  });

  it('takes nothing that another site has a browser send', async () => {
    const link = await passwordLink(app.cast.gus);
    const form = { password: GOOD_PASSWORD };
    expect(await send(new BrowserClient(app.nest), link, form, { origin: 'null' })).toMatchObject({
      status: 403,
    });
    expect(await send(new BrowserClient(app.nest), link, form)).toMatchObject({ status: 302 });
  });

  it('ends the session of another user in the browser, and the user’s own', async () => {
    const { id } = await made('ida@example.com');
    const browser = await browserOf(app, app.cast.max);
    for (const former of [app.cast.max.id, id]) {
      expect(await browser.whoAmI()).toBe(former);
      const before = [...browser.cookies];
      const set = await send(browser, await passwordLink({ id }), { password: GOOD_PASSWORD });
      expect(set).toMatchObject({ status: 302 });
      expect(await browser.whoAmI()).toBe(id);
      for (const [name, value] of before) expect(browser.cookies.get(name)).not.toBe(value);
      const old = new BrowserClient(app.nest);
      for (const [name, value] of before) old.cookies.set(name, value);
      expect(await old.whoAmI()).toBeNull();
    }
  });

  it('works once, and not after deactivation: neither leaves a cookie', async () => {
    const used = await passwordLink(await made('ivo@example.com'));
    const form = { password: GOOD_PASSWORD };
    expect(await send(new BrowserClient(app.nest), used, form)).toMatchObject({ status: 302 });
    const gone = await made('isa@example.com');
    const ofGone = await passwordLink(gone);
    expectSuccess(await app.as(app.cast.olivia).delete(`/users/${gone.id}`));
    for (const link of [used, ofGone]) {
      const browser = new BrowserClient(app.nest);
      expect(await send(browser, link, form)).toMatchObject({ status: 404 });
      expect(browser.cookies.size).toBe(0);
    }
  });

  it('does not stand for a second factor', async () => {
    const fay = await made('fay@example.com');
    const own = await app.companionAs(fay);
    const seed = (await own.post('/auth/me/second-factor', { password: PASSWORD })).body.secret;
    const code = () => codeAt(seed, Math.floor(clock.nowSeconds() / 30));
    expect((await own.post('/auth/me/second-factor/confirm', { code: code() })).status).toBe(200);
    const browser = new BrowserClient(app.nest);
    const set = await send(browser, await passwordLink(fay), { password: GOOD_PASSWORD });
    expect(set).toMatchObject({ status: 200, body: expect.stringContaining('Sign in') });
    expect(await browser.whoAmI()).toBeNull();
    clock.now += 60_000;
    await browser.signIn(fay.email, GOOD_PASSWORD);
    const form = { code: code() };
    await browser.send({ method: 'POST', url: '/login/code', headers: FROM_OWN_PAGE, form });
    expect(await browser.whoAmI()).toBe(fay.id);
  });

  it('sets the password alone where passwords are no way in', async () => {
    const link = await passwordLink(app.cast.mona);
    await takePasswords(false);
    const browser = new BrowserClient(app.nest);
    expect(await send(browser, link, { password: GOOD_PASSWORD })).toMatchObject({ status: 200 });
    expect(browser.cookies.size).toBe(0);
    await takePasswords(true);
  });
});

describe('Without pages for browsers', () => {
  it('an invitation says how apps sign in', async () => {
    const without = await TestApp.start({ env: { CONSOLE: 'off' } });
    try {
      const browser = new BrowserClient(without.nest);
      const link = await makeLink(without, without.cast.adam);
      const joined = await send(browser, link, newcomer('nora@example.com'));
      expect(joined).toMatchObject({ status: 200, body: expect.stringContaining('enter the server URL') });
      expect(browser.cookies.size).toBe(0);
    } finally {
      await without.stop();
    }
  });
});
