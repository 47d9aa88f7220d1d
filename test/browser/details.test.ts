import type { Page } from 'playwright-core';
import { BROWSER_TIMEOUT_MS, describeInBrowser, openOwnMenu, PHONE } from '../support/browser';
import { expectSuccess } from '../support/expect-answer';
import { startKitchen } from '../support/kitchen';
import { sendDirect, sendTo } from '../support/message-setup';

jest.setTimeout(BROWSER_TIMEOUT_MS);

const WIDE = { viewport: { width: 1400, height: 900 } };

const toggle = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Details', exact: true });
const panel = (page: Page) => page.getByRole('complementary', { name: 'Details' });

describeInBrowser('details of a conversation', () => {
  const kitchen = startKitchen();
  const { topicPath } = kitchen;

  beforeAll(async () => {
    const { mia, max, olivia } = kitchen.app.cast;
    const description = { description: 'All about **food**' };
    expectSuccess(await kitchen.app.as(olivia).patch(`/streams/${kitchen.channel}`, description));
    await sendTo(kitchen.app, max, kitchen.channel, 'soup', 'With salt?');
    await sendTo(kitchen.app, max, kitchen.channel, 'bread', 'With butter?');
    await sendDirect(kitchen.app, max, [mia], 'Just us');
  });

  it('stand beside it in wide windows, on every page of its kind, until they are closed', async () => {
    const { mia, max, olivia, adam } = kitchen.app.cast;
    const open = await kitchen.run.signedIn(mia, `/console/channels/${kitchen.channel}`, WIDE);
    const { page } = open;
    expect(await panel(page).count()).toBe(0);
    await toggle(page).focus();
    await page.keyboard.press('Enter');
    await panel(page).getByText('All about food').waitFor();
    await panel(page).getByText('3 members').waitFor();
    await page.locator('.details :focus').waitFor();
    await panel(page).getByRole('button', { name: olivia.fullName }).waitFor();
    await panel(page)
      .getByRole('button', { name: `${mia.fullName} Active` })
      .waitFor();
    expect(await toggle(page).getAttribute('aria-expanded')).toBe('true');
    await open.expectAccessible();
    // Who joins is there at once.
    const joining = { subscriptions: [{ name: 'kitchen' }], principals: [adam.id] };
    expectSuccess(await kitchen.app.as(olivia).post('/users/me/subscriptions', joining));
    await panel(page).getByRole('button', { name: adam.fullName }).waitFor();
    await panel(page).getByText('4 members').waitFor();
    // The line of the sidebar moves up.
    await panel(page).getByRole('switch', { name: 'Pin to top' }).check();
    await panel(page).getByRole('button', { name: max.fullName }).click();
    const card = page.getByRole('dialog', { name: `About ${max.fullName}` });
    await card.waitFor();
    await open.expectAccessible();
    await page.keyboard.press('Escape');
    await card.waitFor({ state: 'detached' });
    await panel(page).getByRole('link', { name: 'bread' }).click();
    await panel(page).getByLabel('Notifications of this topic').selectOption('Follow');
    await page.getByRole('button', { name: 'Follow', pressed: true }).waitFor();
    await open.expectAccessible();
    await page.goto(`/console/direct/${max.id}`);
    await panel(page).getByText('2 members').waitFor();
    await panel(page).getByRole('button', { name: max.fullName }).waitFor();
    // Overviews have none.
    await page.goto('/console/starred');
    await page.getByRole('heading', { level: 1, name: 'Starred' }).waitFor();
    expect(await panel(page).count()).toBe(0);
    await page.goto(topicPath('soup'));
    await panel(page).getByText('All about food').waitFor();
    await panel(page).getByRole('switch', { name: 'Pin to top', checked: true }).focus();
    await page.keyboard.press('Escape');
    await panel(page).waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Details');
    await page.getByRole('heading', { level: 1, name: 'soup' }).waitFor();
    await page.reload();
    await page.locator('.message').first().waitFor();
    expect(await panel(page).count()).toBe(0);
  });

  it('are a window of their own on a phone', async () => {
    const { mia, max } = kitchen.app.cast;
    const open = await kitchen.run.signedIn(mia, topicPath('soup'), PHONE);
    const { page } = open;
    await page.locator('.message').first().waitFor();
    // The buttons beside it leave room for a name; what they do is in the menu.
    const { width } = (await page.locator('.title').boundingBox())!;
    expect(width).toBeGreaterThan(200);
    await toggle(page).tap();
    const dialog = page.getByRole('dialog', { name: 'Details' });
    await dialog.getByText('All about food').waitFor();
    await dialog.getByRole('button', { name: max.fullName }).waitFor();
    await open.expectAccessible();
    await dialog.getByRole('button', { name: 'Close' }).tap();
    await dialog.waitFor({ state: 'detached' });
  });

  it('leave menus at the bottom of a phone, with items that a finger hits', async () => {
    const open = await kitchen.run.signedIn(kitchen.app.cast.mia, topicPath('soup'), PHONE);
    const { page } = open;
    const isSheet = async (role: 'menu' | 'dialog') => {
      const sheet = page.locator(`[popover][role=${role}]`);
      await sheet.waitFor();
      await open.expectAccessible();
      const { x, y, width, height } = (await sheet.boundingBox())!;
      expect([x, Math.round(y + height), width]).toEqual([0, 844, 390]);
      expect(y).toBeGreaterThan(100);
      for (const item of await sheet.getByRole('menuitem').all())
        expect((await item.boundingBox())!.height).toBeGreaterThanOrEqual(44);
      // A tap beside it closes it.
      await page.touchscreen.tap(200, 40);
      await sheet.waitFor({ state: 'detached' });
    };
    await page.locator('.message').first().waitFor();
    await page.getByRole('button', { name: 'Topic actions' }).tap();
    await isSheet('menu');
    await page.locator('.sender').first().tap();
    await isSheet('dialog');
    await page.goto('/console');
    await openOwnMenu(page);
    await isSheet('menu');
    // In a larger window, a menu is at its button.
    await page.setViewportSize({ width: 1200, height: 800 });
    await openOwnMenu(page);
    const { width } = (await page.getByRole('menu').boundingBox())!;
    expect(width).toBeLessThan(360);
  });
});
