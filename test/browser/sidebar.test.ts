import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { BROWSER_TIMEOUT_MS, describeInBrowser, PHONE, pageTitle } from '../support/browser';
import { expectSuccess } from '../support/expect-answer';
import { startKitchen } from '../support/kitchen';
import { sendDirect, sendTo } from '../support/message-setup';
import { plainPicture } from '../support/picture-setup';

jest.setTimeout(BROWSER_TIMEOUT_MS);

const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Main navigation' });

describeInBrowser('the sidebar of the console', () => {
  const kitchen = startKitchen();
  const { topicPath } = kitchen;

  beforeAll(async () => {
    const { mia, max } = kitchen.app.cast;
    await sendTo(kitchen.app, max, kitchen.channel, 'soup', 'With salt?');
    await sendDirect(kitchen.app, max, [mia], 'Just us');
  });

  it('starts a message to a channel, a topic or people', async () => {
    const { mia, max, olivia } = kitchen.app.cast;
    const open = await kitchen.run.signedIn(mia, topicPath('soup'));
    const { page } = open;
    const start = () => page.getByRole('banner').getByRole('link', { name: 'New message' }).click();
    const to = page.getByLabel('Channel, topic or person');
    await start();
    await pageTitle(page, 'New message').waitFor();
    await to.fill('kitch');
    await page.getByRole('button', { name: 'kitchen', exact: true }).waitFor();
    await open.expectAccessible();
    await to.press('Enter');
    await pageTitle(page, '#kitchen').waitFor();
    await page.locator('.composer :focus').waitFor();
    await start();
    await to.fill('sou');
    await page.getByRole('button', { name: 'kitchen › soup' }).click();
    await pageTitle(page, 'soup').waitFor();
    await page.locator('.composer textarea:focus').waitFor();
    await start();
    for (const { fullName } of [max, olivia]) {
      await to.fill(fullName);
      await to.press('Enter');
      await page.getByRole('button', { name: `Remove ${fullName}` }).waitFor();
    }
    // People and a channel exclude each other.
    expect(await page.getByRole('main').getByRole('button', { name: 'kitchen' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Write' }).click();
    await page.locator('.composer textarea:focus').waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/direct/${olivia.id},${max.id}`);
  });

  it('has the same button on a phone', async () => {
    const open = await kitchen.run.signedIn(kitchen.app.cast.mia, '/console', PHONE);
    await open.page.getByRole('banner').getByRole('link', { name: 'New message' }).tap();
    await pageTitle(open.page, 'New message').waitFor();
    await open.expectAccessible();
  });

  it('has the icon of the organization, and another while it has none', async () => {
    const { mia, olivia } = kitchen.app.cast;
    const { page } = await kitchen.run.signedIn(mia);
    const icon = page.getByRole('banner').locator('img');
    expect(await icon.getAttribute('src')).toBe('/favicon.ico');
    const hers = await kitchen.run.signedIn(olivia, '/console/organization');
    const buffer = await plainPicture(64, 64).png().toBuffer();
    const file = { name: 'icon.png', mimeType: 'image/png', buffer };
    await hers.page.locator('.of-icon input[type=file]').setInputFiles(file);
    await page.locator('header img[src*="icon"]:not([src="/favicon.ico"])').waitFor();
    while (!(await icon.evaluate('document.querySelector("header img").naturalWidth > 0'))) await pause(20);
  });

  it('has sections that close, stay closed, and then say how much is unread', async () => {
    const { mia, max } = kitchen.app.cast;
    await sendTo(kitchen.app, max, kitchen.channel, 'bread', 'With butter?');
    const open = await kitchen.run.signedIn(mia, '/console/starred');
    const { page } = open;
    const button = (name: string | RegExp, expanded: boolean) =>
      sidebar(page).getByRole('button', { name, expanded });
    const line = sidebar(page).getByRole('link', { name: max.fullName });
    await line.waitFor();
    await button('Direct messages', true).focus();
    await page.keyboard.press('Enter');
    await line.waitFor({ state: 'detached' });
    await button(/^Direct messages 1 unread$/, false).waitFor();
    await button('Channels', true).click();
    await button(/^Channels \d unread$/, false).waitFor();
    await open.expectAccessible();
    await page.reload();
    await button(/^Direct messages 1 unread$/, false).waitFor();
    await sendDirect(kitchen.app, max, [mia], 'Still us');
    await button(/^Direct messages 2 unread$/, false).waitFor();
    expect(await line.count()).toBe(0);
    // A shortcut looks into it.
    await pageTitle(page, 'Starred').focus();
    await page.keyboard.press('w');
    await page.getByRole('searchbox', { name: 'Find a person' }).fill(max.fullName);
    await line.waitFor();
    await page.keyboard.press('Escape');
    await line.waitFor({ state: 'detached' });
    await button(/^Direct messages/, false).press('Space');
    await line.waitFor();
    await button(/^Channels/, false).click();
    await page.reload();
    await line.waitFor();
    await button('Channels', true).waitFor();
  });

  it('gives way to the first view that was chosen, also after Escape, unless something is open', async () => {
    const { mia } = kitchen.app.cast;
    const set = async (settings: Record<string, unknown>) =>
      expectSuccess(await kitchen.app.as(mia).patch('/settings', settings));
    await set({ web_home_view: 'recent' });
    const open = await kitchen.run.signedIn(mia);
    const { page } = open;
    await pageTitle(page, 'Recent conversations').waitFor();
    // The inbox can still be opened, and reloaded.
    await sidebar(page)
      .getByRole('link', { name: /^Inbox/ })
      .click();
    await pageTitle(page, 'Inbox').waitFor();
    await page.reload();
    await pageTitle(page, 'Inbox').waitFor();
    await page.goto(topicPath('soup'));
    const message = page.locator('.message').first();
    await message.focus();
    await page.keyboard.press('i');
    await page.getByRole('menu').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await page.locator('.composer textarea').focus();
    await page.keyboard.press('Escape');
    await pause(100);
    await pageTitle(page, 'soup').waitFor();
    await message.focus();
    await page.keyboard.press('Escape');
    await pageTitle(page, 'Recent conversations').waitFor();
    await page.goto('/console/settings/preferences');
    await page.getByLabel('First view', { exact: true }).selectOption('Inbox');
    await page.getByRole('heading', { level: 1 }).focus();
    await page.keyboard.press('Escape');
    await pageTitle(page, 'Inbox').waitFor();
    await set({ web_escape_navigates_to_home_view: false });
    await page.goto('/console/settings/preferences');
    expect(await page.getByRole('switch', { name: 'Escape opens the first view' }).isChecked()).toBe(false);
    await open.expectAccessible();
    await page.goto(topicPath('soup'));
    await message.focus();
    await page.keyboard.press('Escape');
    await pause(200);
    await pageTitle(page, 'soup').waitFor();
  });
});
