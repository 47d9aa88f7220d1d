import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { becomesEmpty, BROWSER_TIMEOUT_MS, BrowserRun, describeInBrowser, holds } from '../support/browser';
import { createChannelWith } from '../support/channel-setup';
import { fetchIds, fetchMessage } from '../support/message-setup';
import type { TestApp } from '../support/test-app';

jest.setTimeout(BROWSER_TIMEOUT_MS);

const message = (page: Page, text: string) => page.locator('.message', { hasText: text });
const composer = (page: Page) => page.locator('.composer textarea');
const unsent = (page: Page, text: string) => page.locator('.unsent-row', { hasText: text });
const WAITS = 'Can’t reach the server. This is sent as soon as it answers.';

describeInBrowser('messages of the console that could not be sent', () => {
  let run: BrowserRun;
  let app: TestApp;
  let channel: number;

  const topicPath = (topic: string) => `/console/channels/${channel}/topic/${encodeURIComponent(topic)}`;

  beforeAll(async () => {
    run = await BrowserRun.start();
    app = run.app;
    const { mia, max, olivia } = app.cast;
    channel = await createChannelWith(app, olivia, [mia, max], 'kitchen');
  });

  afterEach(() => run.closeAll());
  afterAll(() => run.stop());

  /** The texts of a topic, as they were sent. */
  async function sentIn(topic: string): Promise<string[]> {
    const ids = await fetchIds(app, app.cast.mia, [
      { operator: 'channel', operand: channel },
      { operator: 'topic', operand: topic },
    ]);
    const texts: string[] = [];
    for (const id of ids) texts.push(String((await fetchMessage(app, app.cast.mia, id)).content));
    return texts.map((text) => text.replace(/<[^>]*>/g, ''));
  }

  async function write(page: Page, text: string): Promise<void> {
    await composer(page).fill(text);
    await composer(page).press('Control+Enter');
  }

  it('wait in view while there is no connection, and go in their order when it is back', async () => {
    const open = await run.signedIn(app.cast.mia, topicPath('tunnel'));
    const { page } = open;
    await page.context().setOffline(true);
    await write(page, 'The first one');
    await unsent(page, 'The first one').getByText(WAITS).waitFor();
    await becomesEmpty(composer(page));
    await write(page, 'The second one');
    await unsent(page, 'The second one').waitFor();
    await open.expectAccessible();
    await page.getByRole('link', { name: /^Drafts 2$/ }).waitFor();
    await page.context().setOffline(false);
    await message(page, 'The second one').waitFor();
    await unsent(page, 'one').first().waitFor({ state: 'detached' });
    expect(await sentIn('tunnel')).toEqual(['The first one', 'The second one']);
    open.forgive(/ERR_INTERNET_DISCONNECTED/);
  });

  it('outlast the page, and are sent once though the first request had arrived', async () => {
    const open = await run.signedIn(app.cast.mia, topicPath('reload'));
    const { page } = open;
    let requests = 0;
    await page.route(/\/json\/messages$/, async (route) => {
      requests++;
      await route.fetch();
      await route.abort();
    });
    // No event tells the page that it has arrived.
    await page.route(/\/json\/events\?/, () => new Promise<void>(() => undefined));
    await page.reload();
    await message(page, 'nothing').waitFor({ state: 'detached' });
    await write(page, 'Once and no more');
    await unsent(page, 'Once and no more').waitFor();
    await page.reload();
    await unsent(page, 'Once and no more').waitFor();
    expect(await composer(page).inputValue()).toBe('');
    await page.getByRole('link', { name: /^Drafts 1$/ }).click();
    await unsent(page, 'Once and no more').getByText('#kitchen › reload').waitFor();
    await page.goBack();
    while (requests < 2) await pause(20);
    await page.unroute(/\/json\/messages$/);
    await page.unroute(/\/json\/events\?/);
    await unsent(page, 'Once and no more').waitFor({ state: 'detached' });
    await message(page, 'Once and no more').waitFor();
    expect(await sentIn('reload')).toEqual(['Once and no more']);
    open.forgive(/ERR_FAILED/);
  });

  it('are edited, discarded and sent again where the server refuses them later', async () => {
    const open = await run.signedIn(app.cast.mia, topicPath('refused'));
    const { page } = open;
    const refusal = { result: 'error', msg: 'Not in this tone', code: 'BAD_REQUEST' };
    let requests = 0;
    await page.route(/\/json\/messages$/, (route) =>
      requests++ === 0
        ? route.abort()
        : route.fulfill({ status: 400, contentType: 'application/json', body: JSON.stringify(refusal) }),
    );
    await write(page, 'Rudely');
    await unsent(page, 'Rudely').getByText('Not sent. Not in this tone').waitFor();
    await unsent(page, 'Rudely').getByRole('button', { name: 'Edit text' }).click();
    await holds(composer(page), 'Rudely');
    await unsent(page, 'Rudely').waitFor({ state: 'detached' });
    requests = 0;
    await write(page, 'Rudely again');
    await unsent(page, 'Rudely again').getByText('Not sent. Not in this tone').waitFor();
    await unsent(page, 'Rudely again').getByRole('button', { name: 'Discard' }).click();
    await unsent(page, 'Rudely again').waitFor({ state: 'detached' });
    requests = 0;
    await write(page, 'Politely');
    await unsent(page, 'Politely').getByText('Not sent. Not in this tone').waitFor();
    await page.unroute(/\/json\/messages$/);
    await unsent(page, 'Politely').getByRole('button', { name: 'Send now' }).click();
    await message(page, 'Politely').waitFor();
    expect(await sentIn('refused')).toEqual(['Politely']);
    open.forgive(/ERR_FAILED|status of 400/);
  });
});
