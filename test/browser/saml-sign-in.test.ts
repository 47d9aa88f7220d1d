import { BROWSER_TIMEOUT_MS, BrowserRun, describeInBrowser } from '../support/browser';
import { LocalReceiver } from '../support/local-receiver';
import { TestSamlProvider } from '../support/saml-provider';

jest.setTimeout(BROWSER_TIMEOUT_MS);

describeInBrowser('signing in with a SAML provider', () => {
  let site: LocalReceiver;
  let provider: TestSamlProvider;
  let run: BrowserRun;

  beforeAll(async () => {
    site = await LocalReceiver.start();
    provider = new TestSamlProvider(Date.now, `${site.origin}/sso`);
    const block = {
      name: 'corp',
      label: 'Example Corp',
      creates_accounts: true,
      domains: ['example.com'],
      trusts_email: true,
    };
    // The provider is another site than this name, so that its form comes without the cookie of the attempt.
    run = await BrowserRun.start({
      hasName: true,
      env: { IDENTITY_PROVIDERS: provider.fileOf([block]), WEB_APP_DIR: '' },
    });
    site.answer(({ path }, response) => {
      const asked = provider.asked(`${site.origin}${path}`);
      const right = { ...provider.right(asked), audience: run.site };
      const xml = Buffer.from(provider.signedAssertion(right)).toString('base64');
      response.setHeader('content-type', 'text/html').end(
        `<!doctype html><title>Provider</title><form method="post" action="${asked.recipient}">
           <input type="hidden" name="SAMLResponse" value="${xml}">
           <input type="hidden" name="RelayState" value="${asked.relayState}">
           <button>Sign in as Ada</button></form>`,
      );
    });
  });

  afterEach(() => run.closeAll());

  afterAll(async () => {
    await run.stop();
    provider.stop();
    await site.stop();
  });

  it('leads from a button of the sign-in page to the page that was wanted, once', async () => {
    const open = await run.visitor();
    const { page } = open;
    await page.goto('/console/settings/profile');
    const button = page.getByRole('link', { name: 'Continue with Example Corp' });
    await button.waitFor();
    await open.expectAccessible();
    await button.click();
    await page.getByRole('button', { name: 'Sign in as Ada' }).click();
    await page.getByLabel('Name', { exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/settings/profile');
    const me = await page.context().request.get('/json/users/me');
    expect(await me.json()).toMatchObject({ full_name: 'Ada Lovelace', delivery_email: 'ada@example.com' });
    // Back in the history lies what counts once.
    const requests = site.requests.map(({ path }) => path);
    const { RelayState = '' } = Object.fromEntries(new URL(requests[0]!, site.origin).searchParams);
    await page.goto(`/complete/saml/corp/finish?state=${RelayState}`);
    await page.getByText('Signing in with Example Corp did not work.').waitFor();
    open.forgive(/status of 400/);
  });
});
