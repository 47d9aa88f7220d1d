import type { Page } from 'playwright-core';
import { becomesEmpty, BROWSER_TIMEOUT_MS, describeInBrowser, holds, signIn } from '../support/browser';
import { startKitchen } from '../support/kitchen';
import { sendTo } from '../support/message-setup';

jest.setTimeout(BROWSER_TIMEOUT_MS);

const message = (page: Page, text: string) => page.locator('.message', { hasText: text });
const composer = (page: Page) => page.locator('.composer textarea');
const sendButton = (page: Page, isDisabled: boolean) =>
  page.getByRole('button', { name: 'Send', exact: true, disabled: isDisabled });
const link = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name });
const textFile = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) });
const choose = (page: Page, ...names: string[]) =>
  page.locator('input[type=file]').setInputFiles(names.map(textFile));

/** Something that a test waits for, and what brings it about. */
function promised() {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

describeInBrowser('writing in the console', () => {
  const kitchen = startKitchen();
  const { topicPath } = kitchen;

  it('uploads the other files where one is refused, and says which', async () => {
    const open = await kitchen.run.signedIn(kitchen.app.cast.mia, topicPath('refused files'));
    const { page } = open;
    const refusal = { result: 'error', msg: 'Far too large', code: 'BAD_REQUEST' };
    await page.route(
      '**/json/user_uploads',
      (route) =>
        route.fulfill({ status: 413, contentType: 'application/json', body: JSON.stringify(refusal) }),
      { times: 1 },
    );
    await choose(page, 'one.txt', 'two.txt', 'three.txt');
    await holds(composer(page), '[two.txt](/user_uploads/');
    await holds(composer(page), '[three.txt](/user_uploads/');
    expect(await page.locator('.composer .error').allInnerTexts()).toEqual(['one.txt: Far too large']);
    await page.getByText(/^Uploading/).waitFor({ state: 'detached' });
    await sendButton(page, false).click();
    await message(page, 'three.txt').waitFor();
    open.forgive(/status of 413/);
  });

  it('waits for every file, whichever is there first', async () => {
    const { page } = await kitchen.run.signedIn(kitchen.app.cast.mia, topicPath('slow files'));
    const { promise: held, resolve: release } = promised();
    const { promise: asked, resolve: isAsked } = promised();
    await page.route(
      '**/json/user_uploads',
      async (route) => {
        isAsked();
        await held;
        await route.continue();
      },
      { times: 1 },
    );
    await choose(page, 'slow.txt');
    await asked;
    await choose(page, 'fast.txt');
    await holds(composer(page), '[fast.txt](/user_uploads/');
    await page.getByText('Uploading a file…').waitFor();
    await composer(page).press('Control+Enter');
    await sendButton(page, true).waitFor();
    expect(await composer(page).inputValue()).toContain('[fast.txt]');
    release();
    await holds(composer(page), '[slow.txt](/user_uploads/');
    await sendButton(page, false).click();
    await message(page, 'slow.txt').waitFor();
    expect(await message(page, 'slow.txt').innerText()).toContain('fast.txt');
  });

  it('says that a message was refused after one has left the page, which keeps it', async () => {
    const open = await kitchen.run.signedIn(kitchen.app.cast.mia, topicPath('refused'));
    const { page } = open;
    const { promise: held, resolve: release } = promised();
    const refusal = { result: 'error', msg: 'Slow down', code: 'RATE_LIMIT_HIT', 'retry-after': 20 };
    await page.route('**/json/messages', async (route) => {
      await held;
      await route.fulfill({ status: 429, contentType: 'application/json', body: JSON.stringify(refusal) });
    });
    await composer(page).fill('Important');
    await composer(page).press('Control+Enter');
    await link(page, 'Mentions').click();
    await page.getByRole('heading', { level: 1, name: 'Mentions' }).waitFor();
    release();
    await page.getByText('Message to #kitchen › refused not sent. Too many requests.').waitFor();
    await page.goBack();
    await holds(composer(page), 'Important');
    expect(await page.locator('.composer .error').innerText()).toContain('again in 20 seconds');
    open.forgive(/status of 429/);
  });

  it('goes on sending when one leaves the page, and does not offer the text again', async () => {
    const { page } = await kitchen.run.signedIn(kitchen.app.cast.mia, topicPath('slow'));
    const { promise: held, resolve: release } = promised();
    await page.route('**/json/messages', async (route) => {
      await held;
      await route.continue();
    });
    await composer(page).fill('Slowly');
    await composer(page).press('Control+Enter');
    await link(page, 'Mentions').click();
    await page.getByRole('heading', { level: 1, name: 'Mentions' }).waitFor();
    await page.goBack();
    await sendButton(page, true).waitFor();
    await composer(page).press('Control+Enter');
    release();
    await message(page, 'Slowly').waitFor();
    await becomesEmpty(composer(page));
    await sendButton(page, false).waitFor();
    expect(await message(page, 'Slowly').count()).toBe(1);
  });

  it('takes a message that arrived as sent, though its answer was lost', async () => {
    const open = await kitchen.run.signedIn(kitchen.app.cast.mia, topicPath('lost'));
    const { page } = open;
    await page.route('**/json/messages', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await composer(page).fill('Once');
    await composer(page).press('Control+Enter');
    await message(page, 'Once').waitFor();
    await becomesEmpty(composer(page));
    await page.locator('.composer .error').waitFor({ state: 'detached' });
    await sendButton(page, false).waitFor();
    open.forgive(/ERR_FAILED/);
  });

  it('sends with Ctrl+Enter or Cmd+Enter while names are suggested', async () => {
    const { page } = await kitchen.run.signedIn(kitchen.app.cast.mia, topicPath('suggested'));
    for (const key of ['Control', 'Meta']) {
      await composer(page).pressSequentially(`By ${key} @max`);
      await page.getByRole('option').first().waitFor();
      await composer(page).press(`${key}+Enter`);
      await message(page, `By ${key} @max`).waitFor();
      await becomesEmpty(composer(page));
      await page.getByRole('option').first().waitFor({ state: 'detached' });
    }
  });

  it('suggests commands where a text begins, but not while a message is edited', async () => {
    const { page } = await kitchen.run.signedIn(kitchen.app.cast.mia, topicPath('commands'));
    const composer = page.locator('.composer textarea');
    const offers = page.getByRole('option');
    await composer.pressSequentially('/');
    await offers.nth(2).waitFor();
    expect(await offers.allInnerTexts()).toEqual([
      expect.stringMatching(/^\/me\s+Describe/),
      expect.stringMatching(/^\/poll/),
      expect.stringMatching(/^\/todo/),
    ]);
    await composer.pressSequentially('m');
    await offers.nth(1).waitFor({ state: 'detached' });
    await composer.press('Tab');
    expect(await composer.inputValue()).toBe('/me ');
    await composer.pressSequentially('eats /');
    expect(await offers.count()).toBe(0);
    await composer.press('Control+Enter');
    const sent = page.locator('.message', { hasText: 'eats' });
    await sent.waitFor();
    await sent.focus();
    await page.keyboard.press('e');
    const editor = page.locator('.editor textarea');
    await editor.fill('/');
    expect(await offers.count()).toBe(0);
  });

  it('suggests names at once among ten thousand', async () => {
    const { page } = await kitchen.run.visitor();
    await page.route(/\/json\/register$/, async (route) => {
      const response = await route.fetch();
      const state = (await response.json()) as { realm_users: object[] };
      const [pattern] = state.realm_users;
      for (let n = 0; n < 10_000; n++)
        state.realm_users.push({ ...pattern, user_id: 100_000 + n, full_name: `Anna Adler ${n}` });
      await route.fulfill({ response, json: state });
    });
    await page.goto(topicPath('many'));
    await signIn(page, kitchen.app.cast.mia);
    const composer = page.locator('.composer textarea');
    await composer.fill('@');
    await page.getByRole('option', { name: 'Anna Adler 0' }).waitFor();
    const times = await page.evaluate<number[]>(`(async () => {
      const area = document.querySelector('.composer textarea');
      const times = [];
      for (const text of ['@', '@a', '@ad', '@adl', '@an', '@ann']) {
        area.value = '';
        area.dispatchEvent(new Event('input', { bubbles: true }));
        while (document.querySelector('[role=option]')) await new Promise((done) => setTimeout(done));
        const begun = performance.now();
        area.value = text;
        area.dispatchEvent(new Event('input', { bubbles: true }));
        while (!document.querySelector('[role=option]')) await new Promise((done) => setTimeout(done));
        times.push(performance.now() - begun);
      }
      return times;
    })()`);
    expect(Math.min(...times.slice(1))).toBeLessThan(250);
  });

  it('suggests names only where the caret is', async () => {
    const { page } = await kitchen.run.signedIn(kitchen.app.cast.mia, topicPath('caret'));
    await composer(page).pressSequentially('Ask @max');
    await page.getByRole('option').first().waitFor();
    await composer(page).press('Home');
    await page.getByRole('option').first().waitFor({ state: 'detached' });
    await composer(page).press('Enter');
    await composer(page).press('End');
    await page.getByRole('option').first().waitFor();
    await composer(page).press('Enter');
    await holds(composer(page), '@**Max Member** ');
    expect(await composer(page).inputValue()).toBe('\nAsk @**Max Member** ');
  });

  it('says so where a proxy answers for the server, with a page and without a reason', async () => {
    const { mia, max } = kitchen.app.cast;
    await sendTo(kitchen.app, max, kitchen.channel, 'proxy', 'Something is here');
    const open = await kitchen.run.signedIn(mia, topicPath('proxy'));
    const { page } = open;
    let status = 502;
    await page.route('**/json/messages*', (route) =>
      route.fulfill({ status, contentType: 'text/html', body: '<h1>No</h1>' }),
    );
    // HTTP/2 has no reasons.
    await page.addInitScript("Object.defineProperty(Response.prototype, 'statusText', { value: '' })");
    await page.reload();
    await page.locator('.log .error', { hasText: 'Can’t reach the server.' }).waitFor();
    await composer(page).fill('Is anybody there?');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.locator('.composer .error', { hasText: 'Can’t reach the server.' }).waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    for (const [each, sentence] of [
      [413, 'Too large for this server.'],
      [403, 'The server rejected this request (403).'],
    ] as const) {
      status = each;
      await composer(page).fill('Is anybody there?');
      await sendButton(page, false).click();
      await page.locator('.composer .error', { hasText: sentence }).waitFor();
    }
    open.forgive(/status of (502|413|403)/);
  });

  it('does not replace what was changed on another device, unless one has seen it', async () => {
    const { mia } = kitchen.app.cast;
    const id = await sendTo(kitchen.app, mia, kitchen.channel, 'edits', 'First text', {
      read_by_sender: true,
    });
    const { page } = await kitchen.run.signedIn(mia, topicPath('edits'));
    const own = page.locator(`[data-id="${id}"]`);
    const editor = page.getByRole('textbox', { name: 'Message text' });
    await own.hover();
    await own.getByRole('button', { name: 'Edit' }).click();
    await editor.fill('My text');
    await kitchen.app.as(mia).patch(`/messages/${id}`, { content: 'Text from the phone' });
    // What was begun is still made of the first text when one comes back to it.
    await page.reload();
    await own.hover();
    await own.getByRole('button', { name: 'Edit' }).click();
    await holds(editor, 'My text');
    await editor.press('Control+Enter');
    await page.locator('.editor .error', { hasText: '“Text from the phone”' }).waitFor();
    expect((await kitchen.app.as(mia).get(`/messages/${id}`)).body.raw_content).toBe('Text from the phone');
    await own.getByRole('button', { name: 'Save' }).click();
    await own.getByText('My text').waitFor();
    await editor.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.dataset.id')).toBe(String(id));
  });
});
