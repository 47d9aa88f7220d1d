import { randomBytes } from 'node:crypto';
import { codeAt } from '../../src/features/users/factors/one-time-codes';
import type { Answer } from '../support/api-client';
import { BrowserClient } from '../support/browser-client';
import { PASSWORD } from '../support/cast';
import { takeOver, tokenIn } from '../support/desktop-app';
import { TestSamlProvider } from '../support/saml-provider';
import { StoppedClock } from '../support/test-clocks';
import { TestApp } from '../support/test-app';
import { hasPostgres } from '../support/test-database';

if (!hasPostgres) test.todo('sign-ins on two nodes: TEST_DATABASE_URL names no server');

const describeOnPostgres = hasPostgres ? describe : describe.skip;

describeOnPostgres('what counts once on two nodes', () => {
  const clock = new StoppedClock();
  const provider = new TestSamlProvider(() => clock.now);
  let one: TestApp;
  let other: TestApp;

  beforeAll(async () => {
    const block = { name: 'corp', creates_accounts: true, domains: ['example.com'], trusts_email: true };
    const env = { IDENTITY_PROVIDERS: provider.fileOf([block]) };
    one = await TestApp.start({ engine: 'postgres', clock, env });
    other = await one.anotherNode({}, { clock });
  });

  afterAll(async () => {
    await other.stop();
    await one.stop();
    provider.stop();
  });

  /** The same browser, as a proxy leads it to a node. */
  function at(node: TestApp, { cookies }: BrowserClient): BrowserClient {
    const led = new BrowserClient(node.nest);
    for (const [name, value] of cookies) led.cookies.set(name, value);
    return led;
  }

  /** Asks both nodes at the same time. */
  const both = async (ask: (node: TestApp) => Promise<Answer>) =>
    (await Promise.all([ask(one), ask(other)])).map(({ status }) => status).sort((a, b) => a - b);

  /** From the button to a response of the provider. */
  async function answered(query = '') {
    const browser = new BrowserClient(one.nest);
    const { headers } = await browser.send({ url: `/accounts/login/social/saml/corp${query}` });
    const request = provider.asked(headers.location);
    const xml = provider.signedAssertion(provider.right(request));
    const form = { SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: request.relayState };
    const post = (node: TestApp) =>
      new BrowserClient(node.nest).send({ method: 'POST', url: '/complete/saml/corp/', form });
    return { browser, post, finish: `/complete/saml/corp/finish?state=${request.relayState}` };
  }

  it('is a SAML response, also while and after its session begins on the other node', async () => {
    const { browser, post, finish } = await answered();
    expect((await post(one)).status).toBe(303);
    expect((await post(other)).status).toBe(400);
    const there = at(other, browser);
    expect((await there.send({ url: finish })).status).toBe(302);
    expect(await there.whoAmI()).toEqual(expect.any(Number));
    for (const node of [one, other]) {
      expect((await post(node)).status).toBe(400);
      expect((await at(node, browser).send({ url: finish })).status).toBe(400);
    }
  });

  it('is one of two SAML responses that arrive together, and of two browsers that come for it', async () => {
    const { browser, post, finish } = await answered();
    expect(await both(post)).toEqual([303, 400]);
    expect(await both((node) => at(node, browser).send({ url: finish }))).toEqual([302, 400]);
  });

  it('is a token of the desktop app', async () => {
    const key = randomBytes(32);
    const { browser, post, finish } = await answered(`?desktop_flow_otp=${key.toString('hex')}`);
    await post(one);
    const { body } = await at(other, browser).send({ url: finish });
    const token = tokenIn(body, key);
    expect(await both((node) => takeOver(new BrowserClient(node.nest), token))).toEqual([302, 400]);
  });

  it('is a code of an app, and a recovery code', async () => {
    const { mia } = one.cast;
    const client = await one.companionAs(mia);
    const { body: seed } = await client.post('/auth/me/second-factor', { password: PASSWORD });
    const code = () => codeAt(seed.secret as string, Math.floor(clock.nowSeconds() / 30));
    const { body: confirmed } = await client.post('/auth/me/second-factor/confirm', { code: code() });
    clock.now += 60_000;
    const [recoveryCode] = confirmed.recovery_codes as string[];
    const login = { email: mia.email, password: PASSWORD };
    const { body } = await other.companion().post('/auth/login', login);
    for (const right of [code(), recoveryCode]) {
      const sent = { challenge: body.challenge as string, code: right };
      const statuses = await both((node) => node.companion().post('/auth/login/second-factor', sent));
      expect(statuses).toEqual([200, 401]);
    }
  });
});
