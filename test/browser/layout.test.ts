import { setTimeout as pause } from 'node:timers/promises';
import { BROWSER_TIMEOUT_MS, describeInBrowser, openOwnMenu, PHONE, pageTitle } from '../support/browser';
import { startKitchen } from '../support/kitchen';
import { sendDirect, sendTo } from '../support/message-setup';

jest.setTimeout(BROWSER_TIMEOUT_MS);

const TABLET = { viewport: { width: 800, height: 900 } };

describeInBrowser('the frame of the console', () => {
  const kitchen = startKitchen();
  const { topicPath } = kitchen;

  beforeAll(async () => {
    const { mia, max } = kitchen.app.cast;
    await sendTo(kitchen.app, max, kitchen.channel, 'soup', 'With salt?');
    await sendDirect(kitchen.app, max, [mia], 'Just us');
  });

  it('has a menu of the reader at its foot, with the theme and the administration', async () => {
    const { olivia } = kitchen.app.cast;
    const open = await kitchen.run.signedIn(olivia);
    const { page } = open;
    const button = page.getByRole('contentinfo').getByRole('button', { name: olivia.fullName });
    await button.getByText('Active').waitFor({ state: 'attached' });
    const { y } = (await button.boundingBox())!;
    expect(y).toBeGreaterThan(page.viewportSize()!.height - 64);
    await openOwnMenu(page);
    await open.expectAccessible();
    await page.getByRole('menuitemcheckbox', { name: 'Dark theme' }).click();
    await page.locator('html.dark').waitFor({ state: 'attached' });
    await openOwnMenu(page);
    await page.getByRole('menuitemcheckbox', { name: 'Dark theme', checked: true }).waitFor();
    await page.getByRole('menuitemcheckbox', { name: 'Theme of the system' }).click();
    await page.locator('html:not(.dark)').waitFor({ state: 'attached' });
    await openOwnMenu(page);
    await page.getByRole('menuitem', { name: 'Administration' }).click();
    await pageTitle(page, 'People').waitFor();
    const list = page.getByRole('navigation', { name: 'Administration' });
    await list.getByRole('link', { name: 'Audit log' }).click();
    await pageTitle(page, 'Audit log').waitFor();
    await open.expectAccessible();
    await openOwnMenu(page);
    await page.getByRole('menuitem', { name: 'Invite people' }).click();
    await pageTitle(page, 'Invitations').waitFor();
    // The main pages have no line of them.
    await page.goto('/console');
    await pageTitle(page, 'Inbox').waitFor();
    expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
  });

  it('has tabs on a phone, but not beside a conversation, which a swipe or a button leaves', async () => {
    const { mia, max } = kitchen.app.cast;
    const open = await kitchen.run.signedIn(mia, '/console', PHONE);
    const { page } = open;
    const tabs = page.getByRole('navigation', { name: 'Tabs' });
    await tabs.getByRole('link', { name: 'Messages unread' }).tap();
    await pageTitle(page, 'Direct messages').waitFor();
    await open.expectAccessible();
    await page.getByRole('main').getByRole('link', { name: max.fullName }).tap();
    await pageTitle(page, max.fullName).waitFor();
    await tabs.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Back' }).tap();
    await pageTitle(page, 'Direct messages').waitFor();
    await tabs.getByRole('link', { name: 'Channels' }).tap();
    await pageTitle(page, 'Channels').waitFor();
    await open.expectAccessible();
    await page
      .getByRole('main')
      .getByRole('link', { name: /^kitchen/ })
      .tap();
    await pageTitle(page, '#kitchen').waitFor();
    const session = await page.context().newCDPSession(page);
    const touch = (type: string, points: { x: number; y: number }[]) =>
      session.send('Input.dispatchTouchEvent', { type: type as 'touchStart', touchPoints: points });
    const swipe = async (x: number, y: number) => {
      await touch('touchStart', [{ x: 60, y: 500 }]);
      await touch('touchMove', [{ x: 60 + x / 2, y: 500 + y / 2 }]);
      await touch('touchMove', [{ x: 60 + x, y: 500 + y }]);
      await touch('touchEnd', []);
    };
    // Down or a little is no swipe.
    await swipe(100, 150);
    await swipe(40, 0);
    await pause(200);
    await pageTitle(page, '#kitchen').waitFor();
    await swipe(200, 10);
    await pageTitle(page, 'Channels').waitFor();
    await tabs.getByRole('link', { name: 'Search' }).tap();
    await page.getByRole('searchbox', { name: 'Search messages' }).fill('salt');
    await open.expectAccessible();
    await page.keyboard.press('Enter');
    await page.locator('.message', { hasText: 'With salt?' }).waitFor();
    await tabs.getByRole('button', { name: 'You' }).tap();
    await page.getByRole('menuitem', { name: 'Settings' }).tap();
    await pageTitle(page, 'Settings').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Preferences' }).tap();
    await pageTitle(page, 'Preferences').waitFor();
    // Whoever comes by a link goes back to the inbox.
    await page.goto(topicPath('soup'));
    await pageTitle(page, 'soup').waitFor();
    await page.getByRole('button', { name: 'Back' }).tap();
    await pageTitle(page, 'Inbox').waitFor();
  });

  it('has a rail in windows between, which says what is unread, and a drawer', async () => {
    const { mia, max } = kitchen.app.cast;
    await sendTo(kitchen.app, max, kitchen.channel, 'soup', 'Or pepper?');
    const open = await kitchen.run.signedIn(mia, '/console', TABLET);
    const { page } = open;
    const rail = page.getByRole('navigation', { name: 'Tabs' });
    await rail.getByRole('link', { name: 'Channels unread' }).waitFor();
    expect(Math.round((await rail.boundingBox())!.width)).toBe(56);
    await open.expectAccessible();
    const inbox = page
      .getByRole('navigation', { name: 'Main navigation' })
      .getByRole('link', { name: 'Inbox' });
    await inbox.waitFor({ state: 'hidden' });
    await page.getByText('Menu', { exact: true }).click();
    await inbox.waitFor();
    await open.expectAccessible();
    // A key opens it, too.
    await page.mouse.click(700, 800);
    await inbox.waitFor({ state: 'hidden' });
    await pageTitle(page, 'Inbox').focus();
    await page.keyboard.press('q');
    await page.getByRole('searchbox', { name: 'Find a channel' }).fill('kit');
    await page.keyboard.press('Enter');
    await pageTitle(page, '#kitchen').waitFor();
    await inbox.waitFor({ state: 'hidden' });
    await rail.getByRole('link', { name: 'Inbox' }).waitFor();
  });
});
