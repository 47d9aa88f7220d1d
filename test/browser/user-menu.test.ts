import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { BROWSER_TIMEOUT_MS, describeInBrowser, signIn, openOwnMenu, PHONE } from '../support/browser';
import { startKitchen } from '../support/kitchen';
import { sendDirect, sendTo } from '../support/message-setup';

jest.setTimeout(BROWSER_TIMEOUT_MS);

/** Stands for the notices of the browser, which no page can read. */
const NOTICES = `window.notices = []; window.Notification = class {
  static permission = 'granted';
  constructor(title, { body }) { window.notices.push(body); }
  close() {}
}`;

describeInBrowser('the menu of the reader', () => {
  const kitchen = startKitchen();

  async function choose(page: Page, item: string): Promise<void> {
    await openOwnMenu(page);
    await page.getByRole('menuitem', { name: item }).click();
  }

  it('sets a status, which others see beside the name and on the card', async () => {
    const { mia, max } = kitchen.app.cast;
    await sendTo(kitchen.app, mia, kitchen.channel, 'lunch', 'Soup?');
    const his = await kitchen.run.signedIn(max, `/console/channels/${kitchen.channel}/topic/lunch`);
    const open = await kitchen.run.signedIn(mia, '/console/starred', PHONE);
    const { page } = open;
    await openOwnMenu(page);
    await page.getByRole('menuitem', { name: 'Set status' }).waitFor();
    await open.expectAccessible();
    await page.keyboard.press('Escape');
    await choose(page, 'Set status');
    const dialog = page.getByRole('dialog', { name: 'Set status' });
    await dialog.getByRole('button', { name: 'On vacation' }).click();
    await dialog.getByLabel('What you’re up to').fill('Picking herbs');
    await open.expectAccessible();
    await dialog.getByRole('button', { name: 'Save' }).click();
    const message = his.page.locator('.message', { hasText: 'Soup?' });
    await message.getByRole('img', { name: 'Picking herbs' }).waitFor();
    await message.getByRole('button', { name: mia.fullName }).click();
    const card = his.page.getByRole('dialog', { name: `About ${mia.fullName}` });
    await card.getByText('🌴 Picking herbs').waitFor();
    await his.expectAccessible();
    await dialog.waitFor({ state: 'detached' });
    await choose(page, 'Change status');
    await dialog.getByRole('button', { name: 'Choose emoji' }).click();
    await page.getByRole('dialog', { name: /emoji/i }).last().waitFor();
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Clear status' }).click();
    await message.getByRole('img', { name: 'Picking herbs' }).waitFor({ state: 'detached' });
  });

  it('pauses the notifications of this browser, and has them go on', async () => {
    const { mia, max } = kitchen.app.cast;
    const open = await kitchen.run.visitor();
    const { page } = open;
    await page.addInitScript(NOTICES);
    await page.goto('/console/starred');
    await signIn(page, mia);
    await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
    const notices = () => page.evaluate<string[]>('window.notices');
    await choose(page, 'Pause notifications for 1 hour');
    await page.getByText('Notifications paused in this browser').waitFor();
    await page
      .getByRole('contentinfo')
      .getByText('Notifications paused until')
      .waitFor({ state: 'attached' });
    await open.expectAccessible();
    await sendDirect(kitchen.app, max, [mia], 'Not told');
    await page.getByRole('link', { name: /^Max.* 1 unread/ }).waitFor();
    expect(await notices()).toEqual([]);
    // It holds for other windows, and after loading the page anew.
    await page.reload();
    await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
    await choose(page, 'Resume notifications');
    await page.getByText('Notifications resumed').waitFor();
    await sendDirect(kitchen.app, max, [mia], 'Told');
    while ((await notices()).length === 0) await pause(20);
    expect(await notices()).toEqual(['Told']);
  });
});
