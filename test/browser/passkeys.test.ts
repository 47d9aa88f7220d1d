import type { CDPSession, Page } from 'playwright-core';
import { OrganizationDirectory } from '../../src/features/organization-settings/organization-settings.module';
import { BROWSER_TIMEOUT_MS, BrowserRun, describeInBrowser, signIn } from '../support/browser';

jest.setTimeout(BROWSER_TIMEOUT_MS);

/** Of Chromium, in the place of a fingerprint reader. */
interface VirtualAuthenticator {
  readonly session: CDPSession;
  readonly authenticatorId: string;
}

async function authenticatorOf(page: Page): Promise<VirtualAuthenticator> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { session, authenticatorId };
}

describeInBrowser('passkeys', () => {
  let run: BrowserRun;

  beforeAll(async () => {
    run = await BrowserRun.start({ hasName: true });
  });

  afterEach(() => run.closeAll());
  afterAll(() => run.stop());

  const PAGE = '/console/settings/security';

  /** Adds a passkey in the settings. @returns the recovery codes, which the page shows */
  async function add(page: Page, name: string): Promise<string[]> {
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByRole('button', { name: 'Add a passkey' }).click();
    return (await page.getByRole('region', { name: 'Recovery codes' }).innerText()).split('\n');
  }

  /** Has a session be too old for what is dangerous, and tries to remove a passkey. */
  async function removeLate(page: Page, { id }: { readonly id: number }): Promise<void> {
    await run.app.writeRows((tx) =>
      tx.query('UPDATE login_session SET authenticated_at = 0 WHERE user_id = ?', [id]),
    );
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Confirm that it’s you').waitFor();
  }

  const keep = (page: Page) => page.getByRole('button', { name: 'I’ve saved them' }).click();

  it('are added in the settings, sign in without an address, and stand for the code', async () => {
    const { mia } = run.app.cast;
    const open = await run.signedIn(mia, PAGE);
    const { page } = open;
    await page.addInitScript({ content: 'PublicKeyCredential.isConditionalMediationAvailable = undefined' });
    const { session, authenticatorId } = await authenticatorOf(page);
    await page.getByText('No passkeys yet').waitFor();
    expect(await add(page, 'Laptop')).toHaveLength(10);
    await keep(page);
    await page.getByText('Two-factor sign-in is on.').waitFor();
    await page.getByRole('rowheader', { name: 'Laptop' }).waitFor();
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Blue laptop');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('rowheader', { name: 'Blue laptop' }).waitFor();
    // The same authenticator makes no second one.
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Again');
    await page.getByRole('dialog').getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('This device already has a passkey for you.').waitFor();

    await page.context().clearCookies();
    await page.goto(PAGE);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('rowheader', { name: 'Blue laptop' }).waitFor();

    await page.context().clearCookies();
    await page.goto(PAGE);
    await signIn(page, mia);
    const use = page.getByRole('button', { name: 'Use a passkey' });
    await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await use.click();
    await page.getByText('No passkey was used.').waitFor();
    await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
    await use.click();
    await page.getByRole('rowheader', { name: 'Blue laptop' }).waitFor();

    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No passkeys yet').waitFor();
    await page.getByText('Two-factor sign-in is off.').waitFor();
  });

  it('are offered in the field for the address, until the button asks for one', async () => {
    const { adam } = run.app.cast;
    const { page } = await run.signedIn(adam, PAGE);
    const { session, authenticatorId } = await authenticatorOf(page);
    await add(page, 'Laptop');
    await keep(page);
    await page.context().clearCookies();
    let challenges = 0;
    page.on(
      'request',
      (request) => (challenges += Number(request.url().endsWith('/login/passkey/challenge'))),
    );
    // Chromium answers at once what it would show in the field.
    await page.goto(PAGE);
    await page.getByRole('rowheader', { name: 'Laptop' }).waitFor();
    expect(challenges).toBe(1);

    await page.context().clearCookies();
    const present = (enabled: boolean) =>
      session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
    await present(false);
    await page.addInitScript(`
      const get = navigator.credentials.get.bind(navigator.credentials);
      navigator.credentials.get = (options) => {
        document.documentElement.dataset.asked = 'yes';
        return get(options);
      };
    `);
    await page.goto(PAGE);
    await page.locator('[data-asked]').waitFor();
    await present(true);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('rowheader', { name: 'Laptop' }).waitFor();
    expect(challenges).toBe(3);
  });

  it('confirm dangerous changes', async () => {
    const { max } = run.app.cast;
    const open = await run.signedIn(max, PAGE);
    const { page } = open;
    await authenticatorOf(page);
    await add(page, 'Phone');
    await keep(page);
    await removeLate(page, max);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByText('No passkeys yet').waitFor();
    open.forgive(/status of 403/);
  });

  it('are set up where a second factor is required', async () => {
    const { gus } = run.app.cast;
    const required = (of: string) =>
      run.app.writeRows((tx) =>
        run.app.get(OrganizationDirectory).store(tx, 'second_factor_required', { of, from: 0 }),
      );
    await required('everyone');
    const { page } = await run.visitor();
    await authenticatorOf(page);
    await page.goto(PAGE);
    await signIn(page, gus);
    await page.getByRole('button', { name: 'Set up a passkey' }).click();
    await page.getByText('Save your recovery codes').waitFor();
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.getByRole('rowheader', { name: 'Passkey' }).waitFor();
    await required('nobody');
  });

  it('hinder nobody', async () => {
    const { mona } = run.app.cast;
    const open = await run.signedIn(mona, PAGE);
    const { page } = open;
    await authenticatorOf(page);
    await add(page, 'Key');
    // What looks through the page takes the authenticator away.
    await open.expectAccessible();
    await keep(page);
    await open.expectAccessible();
    await page.getByRole('button', { name: 'Rename' }).click();
    await open.expectAccessible();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await removeLate(page, mona);
    await open.expectAccessible();
    await page.context().clearCookies();
    await page.goto(PAGE);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    await open.expectAccessible();
    await signIn(page, mona);
    await page.getByRole('button', { name: 'Use a passkey' }).waitFor();
    await open.expectAccessible();
    open.forgive(/status of 40[13]/);
  });
});
