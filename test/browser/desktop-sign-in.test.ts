import { createCipheriv } from 'node:crypto';
import { BROWSER_TIMEOUT_MS, BrowserRun, describeInBrowser } from '../support/browser';
import { BrowserClient } from '../support/browser-client';
import { TestIdentityProvider } from '../support/identity-provider';

jest.setTimeout(BROWSER_TIMEOUT_MS);

const START = '/accounts/login/social/oidc/staff';
const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) ZulipElectron/5.12.4 Chrome/140.0 Electron/38.0 Safari/537.36';

describeInBrowser('signing in to the desktop app', () => {
  let provider: TestIdentityProvider;
  let run: BrowserRun;

  beforeAll(async () => {
    provider = await TestIdentityProvider.start('staff');
    const file = provider.fileOf([{ name: 'staff', creates_accounts: true }]);
    run = await BrowserRun.start({ env: { IDENTITY_PROVIDERS: file, WEB_APP_DIR: '' } });
    provider.person = { sub: 'ada', email: 'ada@example.com', email_verified: true, name: 'Ada Lovelace' };
  });

  afterEach(() => run.closeAll());

  afterAll(async () => {
    await run.stop();
    await provider.stop();
  });

  /** What a browser shows in the end, when it begins at the address that the app opens. */
  async function dataAt(address: string): Promise<string> {
    const person = new BrowserClient(run.app.nest);
    const { headers } = await person.send({ url: address });
    const { body } = await person.send({ url: await provider.visit(String(headers.location)) });
    return /name="desktop_data" value="([0-9a-f]+)"/.exec(String(body))?.[1] ?? '';
  }

  it('opens the browser with a key, and goes on with the token that is pasted', async () => {
    const open = await run.visitor({ userAgent });
    const { page } = open;
    const opened = page.context().waitForEvent('page', (other) => other !== page);
    await page.goto(`${START}?next=/compatibility`);
    await opened;
    await page.getByRole('heading', { name: 'Finish desktop login' }).waitFor();
    await open.expectAccessible();
    const again = new URL(
      String(await page.getByRole('link', { name: 'Open the browser again' }).getAttribute('href')),
    );
    expect(again.searchParams.get('next')).toBe('/compatibility');
    const key = String(again.searchParams.get('desktop_flow_otp'));
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    const field = page.getByLabel('Login token');
    const other = createCipheriv('aes-256-gcm', Buffer.alloc(32, 1), Buffer.alloc(12));
    for (const wrong of [
      'no token',
      Buffer.concat([Buffer.alloc(12), other.update('x'), other.final()]).toString('hex'),
    ]) {
      await field.fill(wrong);
      await page.getByRole('button', { name: 'Finish' }).click();
      await page.getByRole('alert').getByText('Incorrect token.').waitFor();
    }
    await open.expectAccessible();
    await field.fill(await dataAt(again.pathname + again.search));
    await page.waitForURL(({ pathname }) => pathname === '/compatibility');
    const me = (await page.context().request.get('/json/users/me')).json();
    expect(await me).toMatchObject({ full_name: 'Ada Lovelace' });
    open.expectClean();
  });

  it('takes the token from the bridge of the app', async () => {
    const open = await run.visitor({ userAgent });
    const { page } = open;
    await page.addInitScript(() => {
      const pasted = new Promise((resolve) => Object.assign(globalThis, { paste: resolve }));
      const bridge = { decrypt_clipboard: () => ({ version: 1, key: new Uint8Array(32).fill(7), pasted }) };
      Object.assign(globalThis, { electron_bridge: bridge });
    });
    await page.goto(`${START}?next=/compatibility`);
    const link = page.getByRole('link', { name: 'Open the browser again' });
    const address = new URL(String(await link.getAttribute('href')));
    expect(address.searchParams.get('desktop_flow_otp')).toBe('07'.repeat(32));
    const token = await page.evaluate(
      async ([data]) => {
        const bytes = Uint8Array.from(data!.match(/../g)!, (pair) => parseInt(pair, 16));
        const raw = new Uint8Array(32).fill(7);
        const key = await crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['decrypt']);
        const plain = await crypto.subtle.decrypt(
          { name: 'AES-GCM', iv: bytes.slice(0, 12) },
          key,
          bytes.slice(12),
        );
        return new TextDecoder().decode(plain);
      },
      [await dataAt(address.pathname + address.search)],
    );
    await page.evaluate(
      ([text]) => (globalThis as unknown as { paste(text?: string): void }).paste(text),
      [token],
    );
    await page.waitForURL(({ pathname }) => pathname === '/compatibility');
    open.expectClean();
  });

  it('copies the token in the browser', async () => {
    const open = await run.visitor({ permissions: ['clipboard-read', 'clipboard-write'] });
    const { page } = open;
    const address = `${START}?desktop_flow_otp=${'7'.repeat(64)}`;
    const begun = await page.context().request.get(address, { maxRedirects: 0 });
    await page.goto(await provider.visit(String(begun.headers()['location'])));
    const field = page.getByLabel('Copy this login token and return to your Zulip app to finish logging in:');
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('status').getByText('Copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await field.inputValue());
    await open.expectAccessible();
    open.expectClean();
  });
});
