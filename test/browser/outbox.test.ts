import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { becomesEmpty, BROWSER_TIMEOUT_MS, describeInBrowser, holds, signOut } from '../support/browser';
import { startKitchen } from '../support/kitchen';
import { fetchIds, fetchMessage } from '../support/message-setup';

jest.setTimeout(BROWSER_TIMEOUT_MS);

const message = (page: Page, text: string) => page.locator('.message', { hasText: text });
const composer = (page: Page) => page.locator('.composer textarea');
const unsent = (page: Page, text: string) => page.locator('.unsent-row', { hasText: text });
const WAITS = 'Can’t reach the server. This message will be sent when the connection is back.';

describeInBrowser('messages of the console that could not be sent', () => {
  const kitchen = startKitchen();
  const { topicPath } = kitchen;

  /** The texts of a topic, as they were sent. */
  async function sentIn(topic: string): Promise<string[]> {
    const ids = await fetchIds(kitchen.app, kitchen.app.cast.mia, [
      { operator: 'channel', operand: kitchen.channel },
      { operator: 'topic', operand: topic },
    ]);
    const texts: string[] = [];
    for (const id of ids)
      texts.push(String((await fetchMessage(kitchen.app, kitchen.app.cast.mia, id)).content));
    return texts.map((text) => text.replace(/<[^>]*>/g, ''));
  }

  async function write(page: Page, text: string): Promise<void> {
    await composer(page).fill(text);
    await composer(page).press('Control+Enter');
  }

  it('wait in view while there is no connection, and go in their order when it is back', async () => {
    const open = await kitchen.run.signedIn(kitchen.app.cast.mia, topicPath('tunnel'));
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
    const open = await kitchen.run.signedIn(kitchen.app.cast.mia, topicPath('reload'));
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
    await page.getByText('No messages yet.').waitFor();
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

  it('outlast a restart of the server while they are under way, and are sent once', async () => {
    const open = await kitchen.run.signedIn(kitchen.app.cast.mia, topicPath('restart'));
    const { page } = open;
    let isUnderWay = false;
    await page.route(
      /\/json\/messages$/,
      async (route) => {
        await route.fetch();
        isUnderWay = true;
        // Its answer is lost with the server.
        while (isUnderWay) await pause(20);
        await route.abort();
      },
      { times: 1 },
    );
    await page.route(/\/json\/events\?/, () => new Promise<void>(() => undefined));
    await page.reload();
    await page.getByText('No messages yet.').waitFor();
    await write(page, 'Just before it');
    while (!isUnderWay) await pause(20);
    const restarted = kitchen.run.restart();
    isUnderWay = false;
    await unsent(page, 'Just before it').or(message(page, 'Just before it')).first().waitFor();
    await becomesEmpty(composer(page));
    await write(page, 'While it is away');
    await restarted;
    await page.unroute(/\/json\/events\?/);
    await page.reload();
    await message(page, 'While it is away').waitFor();
    await unsent(page, 'it').first().waitFor({ state: 'detached' });
    expect(await sentIn('restart')).toEqual(['Just before it', 'While it is away']);
    open.forgive(/ERR_|Failed to load resource/);
  });

  it('keep their order after a reload, and are asked about before signing out', async () => {
    const open = await kitchen.run.signedIn(kitchen.app.cast.mia, topicPath('order'));
    const { page } = open;
    const texts = Array.from({ length: 11 }, (_, at) => `Number ${at + 1}.`);
    await page.route(/\/json\/messages$/, (route) => route.abort());
    for (const text of texts) {
      await write(page, text);
      await unsent(page, text).waitFor();
    }
    await signOut(page);
    const question = page.getByRole('dialog', { name: 'Sign out' });
    await question.getByText('You have unsent messages. Sign out and discard them?').waitFor();
    await open.expectAccessible();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await page.unroute(/\/json\/messages$/);
    await page.reload();
    await unsent(page, 'Number').first().waitFor({ state: 'detached' });
    while ((await sentIn('order')).length < texts.length) await pause(20);
    expect(await sentIn('order')).toEqual(texts);
    open.forgive(/ERR_FAILED/);
  });

  it('keep their order when they were written at the same moment', async () => {
    const { mia } = kitchen.app.cast;
    const open = await kitchen.run.signedIn(mia, topicPath('moment'));
    const { page } = open;
    const moment = Date.now();
    // In the storage, 10 precedes 9.
    const texts = Array.from({ length: 11 }, (_, at) => `Number ${at + 1}.`);
    const items = texts.map((content, at) => ({
      queueId: 'earlier',
      localId: `k3z9x.${at + 1}`,
      place: { channelId: kitchen.channel, topic: 'moment' },
      content,
      isShown: true,
      refusal: '',
      since: moment,
    }));
    for (const item of items) {
      const value = JSON.stringify(JSON.stringify(item));
      const key = JSON.stringify(`unsent ${mia.id} ${item.queueId} ${item.localId}`);
      await page.evaluate(`localStorage.setItem(${key}, ${value})`);
    }
    await page.reload();
    while ((await sentIn('moment')).length < texts.length) await pause(20);
    expect(await sentIn('moment')).toEqual(texts);
  });

  it('are sent only by hand when the server may have forgotten the first request', async () => {
    const open = await kitchen.run.signedIn(kitchen.app.cast.mia, topicPath('old'));
    const { page } = open;
    await page.route(/\/json\/messages$/, (route) => route.abort());
    await write(page, 'Old news');
    await unsent(page, 'Old news').waitFor();
    await page.evaluate(`Object.keys(localStorage).filter((key) => /^unsent/.test(key)).forEach((key) => {
      const item = JSON.parse(localStorage.getItem(key));
      localStorage.setItem(key, JSON.stringify({ ...item, since: item.since - 7 * 86400000 }));
    })`);
    await page.unroute(/\/json\/messages$/);
    await page.reload();
    await unsent(page, 'Old news').getByText('not sent automatically after six days').waitFor();
    expect(await sentIn('old')).toEqual([]);
    await unsent(page, 'Old news').getByRole('button', { name: 'Send now' }).click();
    await message(page, 'Old news').waitFor();
    expect(await sentIn('old')).toEqual(['Old news']);
    open.forgive(/ERR_FAILED/);
  });

  it('are edited, discarded and sent again where the server refuses them later', async () => {
    const open = await kitchen.run.signedIn(kitchen.app.cast.mia, topicPath('refused'));
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
