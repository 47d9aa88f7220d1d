import type { Page } from 'playwright-core';
import { BROWSER_TIMEOUT_MS, BrowserRun, describeInBrowser, signIn } from '../support/browser';

jest.setTimeout(BROWSER_TIMEOUT_MS);

const article = (page: Page, name: string) => page.locator(`article[data-method][id="${name}"]`);

/** Opens what tries an operation. */
async function attempt(page: Page, name: string) {
  const place = article(page, name);
  await place.getByRole('button', { name: /^Try it/ }).click();
  return {
    field: (label: string) => place.getByLabel(label, { exact: true }),
    status: place.getByRole('status'),
    output: place.getByLabel('Answer'),
    send: () => place.getByRole('button', { name: 'Send' }).click(),
  };
}

describeInBrowser('the page that describes the interfaces', () => {
  let run: BrowserRun;

  beforeAll(async () => {
    run = await BrowserRun.start();
  });

  afterEach(() => run.closeAll());
  afterAll(() => run.stop());

  it('finds operations by words, and says how many', async () => {
    const open = await run.visitor();
    const { page } = open;
    await page.goto('/api/docs');
    const found = page.locator('.found');
    await page.getByLabel('Find operations').fill('delete draft');
    await found.getByText('1 operation', { exact: true }).waitFor();
    expect(await page.locator('article[data-method]:visible h3').allInnerTexts()).toEqual([
      expect.stringContaining('/api/v1/drafts/{draft_id}'),
    ]);
    await page.getByLabel('Find operations').fill('no such thing at all');
    await found.getByText('0 operations').waitFor();
    await open.expectAccessible('article[data-method]');
    await page.goto('/api/docs#messagesSend');
    await article(page, 'messagesSend').waitFor();
    await page.getByLabel('Find operations').fill('');
    await article(page, 'draftsRemove').waitFor();
  });

  it('makes calls by the session of the browser', async () => {
    const { mia } = run.app.cast;
    const { page } = await run.visitor();
    await page.goto('/login/?next=/api/docs');
    await signIn(page, mia);
    await page.getByLabel(/The session of this browser: Mia Member/).waitFor();
    const call = await attempt(page, 'messagesSend');
    await call.field('type (required)').selectOption('direct');
    await call.field('to').fill(`[${run.app.cast.max.id}]`);
    await call.field('content (required)').fill('Sent from the page <b>"&');
    await call.send();
    await call.status.getByText('Status 200').waitFor();
    expect(JSON.parse(await call.output.innerText())).toMatchObject({ result: 'success' });
    const { messages } = (
      await run.app.as(run.app.cast.max).get('/messages', {
        anchor: 'newest',
        num_before: 1,
        num_after: 0,
        apply_markdown: false,
      })
    ).body;
    expect(messages).toMatchObject([
      { sender_id: mia.id, content: 'Sent from the page <b>"&', client: 'website' },
    ]);
  });

  it('makes calls with a key, which it keeps nowhere', async () => {
    const { max } = run.app.cast;
    const { email, apiKey } = run.app.credentialsOf(max);
    const open = await run.visitor();
    const { page } = open;
    await page.goto('/api/docs');
    await page.getByLabel(/An API key/).check();
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('API key', { exact: true }).fill(apiKey);
    const call = await attempt(page, 'usersMe');
    await call.send();
    await call.status.getByText('Status 200').waitFor();
    expect(JSON.parse(await call.output.innerText())).toMatchObject({ user_id: max.id });
    expect(
      await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])'),
    ).toBe('[{},{},""]');
    await open.expectAccessible();
    await page.reload();
    await page.getByLabel(/An API key/).check();
    expect(await page.getByLabel('API key', { exact: true }).inputValue()).toBe('');
  });

  it('makes calls of nobody in particular, and shows refusals', async () => {
    const open = await run.visitor();
    const { page } = open;
    await page.goto('/api/docs');
    const call = await attempt(page, 'usersMe');
    await call.send();
    await call.status.getByText('Status 401').waitFor();
    expect(JSON.parse(await call.output.innerText())).toMatchObject({ code: 'UNAUTHORIZED' });
    open.forgive(/401/);
  });

  it('is worked with by keyboard alone', async () => {
    const { page } = await run.visitor();
    await page.goto('/api/docs');
    await page.getByLabel('Find operations').focus();
    await page.keyboard.type('server_settings');
    await page.locator('.found').getByText('1 operation', { exact: true }).waitFor();
    const button = page.getByRole('button', { name: 'Try it: GET /api/v1/server_settings' });
    await button.focus();
    await page.keyboard.press('Enter');
    const place = page.locator('article[data-path="/api/v1/server_settings"]');
    await place.getByRole('button', { name: 'Send' }).waitFor();
    await page.keyboard.press('Enter');
    await place.getByText('Status 200').waitFor();
    expect(JSON.parse(await place.getByLabel('Answer').innerText())).toMatchObject({ result: 'success' });
  });

  it('is no wider than a phone', async () => {
    const { page } = await run.visitor({ viewport: { width: 390, height: 844 }, isMobile: true });
    await page.goto('/api/docs');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  it('shows everything without scripts, examples too', async () => {
    const open = await run.visitor({ javaScriptEnabled: false });
    const { page } = open;
    await page.goto('/api/docs#messagesSend');
    const example = article(page, 'messagesSend').locator('details');
    await example.locator('summary').click();
    expect(await example.locator('pre').innerText()).toBe(
      [
        'curl -sS "$SITE/api/v1/messages" \\',
        '  -X POST \\',
        '  -u "$EMAIL:$KEY" \\',
        `  --data-urlencode 'type=direct' \\`,
        `  --data-urlencode 'content=CONTENT'`,
      ].join('\n'),
    );
    expect(await page.getByRole('button').count()).toBe(0);
  });
});
