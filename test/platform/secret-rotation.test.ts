import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeAt } from '../../src/features/users/factors/one-time-codes';
import { SecondFactor } from '../../src/features/users/factors/second-factor.entity';
import { Config } from '../../src/platform/config/config';
import { OperatorCommands } from '../../src/platform/operator/operator-commands';
import { BrowserClient, browserOf } from '../support/browser-client';
import { PASSWORD } from '../support/cast';
import { expectError, expectSuccess } from '../support/expect-answer';
import { TestIdentityProvider } from '../support/identity-provider';
import { GOOD_PASSWORD, invite, join as joinBy } from '../support/invitation-setup';
import { openPage, sendForm } from '../support/page-setup';
import { StoppedTimeOfDay } from '../support/test-clocks';
import { TestApp } from '../support/test-app';

jest.setTimeout(120_000);

const clock = new StoppedTimeOfDay();
let provider: TestIdentityProvider;
let app: TestApp;

beforeAll(async () => {
  provider = await TestIdentityProvider.start('staff');
  provider.person = { sub: 'ada', email: 'ada@example.com', email_verified: true, name: 'Ada Lovelace' };
  const file = provider.fileOf([{ name: 'staff', creates_accounts: true }]);
  app = await TestApp.start({ clock, env: { IDENTITY_PROVIDERS: file } });
});

afterAll(async () => {
  await app.stop();
  await provider.stop();
});

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- results as they are
const operate = (name: string, input = {}): Promise<any> => {
  const context = { site: '', signal: new AbortController().signal, report: () => undefined };
  return app.get(OperatorCommands).run(name, input, context);
};

/** The same browser, at the server that runs now. */
function nowAt(browser: BrowserClient): BrowserClient {
  const same = new BrowserClient(app.nest);
  for (const [name, value] of browser.cookies) same.cookies.set(name, value);
  return same;
}

const restart = async () => void (app = await app.restarted({ clock }));
const codeNow = (seed: string) => codeAt(seed, Math.floor(clock.nowSeconds() / 30));
const secretFile = () => join(app.get(Config).dataDir, 'secret');
const secondFactorLogin = async (seed: string) => {
  const { email } = app.cast.max;
  const { body } = await app.companion().post('/auth/login', { email, password: PASSWORD });
  return app
    .companion()
    .post('/auth/login/second-factor', { challenge: body.challenge, code: codeNow(seed) });
};

it('A new secret signs nobody out, and ends no key, link or second factor', async () => {
  const { olivia, mia, max, adam } = app.cast;
  // Everything that is derived from the secret or sealed with it.
  const browser = await browserOf(app, mia);
  const { token } = await app.companionAs(mia);
  const formerKey = app.credentialsOf(mia);
  const owner = await app.companionAs(olivia);
  const made = await owner.post('/auth/keys', { name: 'a program', scopes: 'read', password: PASSWORD });
  const named = { email: olivia.email, apiKey: made.body.api_key as string };
  const { body: linked } = await owner.post(`/auth/users/${adam.id}/password-link`);
  const passwordLink = linked.url as string;
  const invitation = await invite(app, olivia, 'nora@example.com');
  const visitor = new BrowserClient(app.nest);
  const began = await visitor.send({ url: '/accounts/login/social/oidc/staff' });
  const returnPath = await provider.visit(String(began.headers.location));
  const enrolling = await app.companionAs(max);
  const { body: begun } = await enrolling.post('/auth/me/second-factor', { password: PASSWORD });
  const seed = begun.secret as string;
  expect((await enrolling.post('/auth/me/second-factor/confirm', { code: codeNow(seed) })).status).toBe(200);
  clock.aheadMs += 60_000;
  const { body: asked } = await app.companion().post('/auth/login', { email: max.email, password: PASSWORD });
  const sealed = async () =>
    (await app.writeRows((tx) => tx.repository(SecondFactor).findOneByOrFail({ userId: max.id }))).sealedSeed;
  const sealedBefore = await sealed();
  const former = readFileSync(secretFile(), 'utf8');

  await operate('secret rotate');
  expect(readFileSync(secretFile(), 'utf8')).not.toBe(former);
  expect(readFileSync(`${secretFile()}.previous`, 'utf8')).toBe(former);
  // The server goes on with the former one, and what it does now survives as well.
  await expect(operate('secret rotate')).rejects.toThrow('has not been started with the new secret yet');
  await expect(operate('secret rotate', { finish: true })).rejects.toThrow('Restart it first');
  await restart();
  await expect(operate('secret rotate')).rejects.toThrow('A rotation is under way.');
  expect(await operate('secret status')).toEqual({
    isRotating: true,
    isInUse: true,
    users: [],
    namedKeys: 0,
  });

  expect(await nowAt(browser).whoAmI()).toBe(mia.id);
  expect((await nowAt(browser).call('POST', '/json/mark_all_as_read')).status).toBe(200);
  expect(
    (
      await app
        .companion()
        .withToken(token ?? '')
        .get('/auth/me')
    ).status,
  ).toBe(200);
  expectSuccess(await app.client(formerKey).get('/users/me'));
  expectSuccess(await app.client(named).get('/users/me'));
  expect(app.credentialsOf(mia).apiKey).not.toBe(formerKey.apiKey);
  expectSuccess(await app.as(mia).get('/users/me'));
  expect((await openPage(app, passwordLink)).status).toBe(200);
  expect((await sendForm(app, passwordLink, { password: GOOD_PASSWORD })).status).toBe(302);
  expect(await joinBy(app, invitation)).toMatchObject({ status: 302 });
  const arrived = nowAt(visitor);
  expect((await arrived.send({ url: returnPath })).status).toBe(302);
  expect(await arrived.whoAmI()).not.toBeNull();
  const answered = { challenge: asked.challenge, code: codeNow(seed) };
  expect((await app.companion().post('/auth/login/second-factor', answered)).status).toBe(200);
  expect(await sealed()).not.toBe(sealedBefore);
  expect(await operate('secret status')).toMatchObject({ users: [mia.email], namedKeys: 1 });

  // Afterwards the former secret opens nothing, and nothing is lost that people cannot make again.
  await expect(operate('secret rotate', { finish: true })).rejects.toThrow('are in use');
  await operate('secret rotate', { finish: true, force: true });
  expect(existsSync(`${secretFile()}.previous`)).toBe(false);
  clock.aheadMs += 60_000;
  await restart();
  expect(await operate('secret status')).toMatchObject({ isRotating: false, isInUse: true });
  expectError(await app.client(formerKey).get('/users/me'), 'Invalid API key', {
    status: 401,
    code: 'UNAUTHORIZED',
  });
  expect((await app.client(named).get('/users/me')).status).toBe(401);
  expectSuccess(await app.as(mia).get('/users/me'));
  expect((await secondFactorLogin(seed)).status).toBe(200);
  await expect(operate('secret rotate', { finish: true })).rejects.toThrow('No rotation is under way.');
});

it('A seed outlasts the former secret although its user was away in between', async () => {
  const { body: begun } = await (
    await app.companionAs(app.cast.gus)
  ).post('/auth/me/second-factor', {
    password: PASSWORD,
  });
  const companion = await app.companionAs(app.cast.gus);
  const seed = begun.secret as string;
  expect((await companion.post('/auth/me/second-factor/confirm', { code: codeNow(seed) })).status).toBe(200);
  await operate('secret rotate');
  await restart();
  await operate('secret rotate', { finish: true });
  await restart();
  clock.aheadMs += 60_000;
  const { email } = app.cast.gus;
  const { body } = await app.companion().post('/auth/login', { email, password: PASSWORD });
  const answer = { challenge: body.challenge, code: codeNow(seed) };
  expect((await app.companion().post('/auth/login/second-factor', answer)).status).toBe(200);
});
