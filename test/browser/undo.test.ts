import type { Page } from 'playwright-core';
import { BROWSER_TIMEOUT_MS, describeInBrowser } from '../support/browser';
import { startKitchen } from '../support/kitchen';
import { sendTo } from '../support/message-setup';

jest.setTimeout(BROWSER_TIMEOUT_MS);

describeInBrowser('what one can take back in the console', () => {
  const kitchen = startKitchen();
  const { topicPath } = kitchen;
  const undo = (page: Page) => page.getByRole('status').getByRole('button', { name: 'Undo' });
  const line = (page: Page, name: string | RegExp) =>
    page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name });

  it('marking a conversation as read', async () => {
    const { mia, max } = kitchen.app.cast;
    await sendTo(kitchen.app, max, kitchen.channel, 'salt', 'Is any left?');
    await sendTo(kitchen.app, max, kitchen.channel, 'salt', 'There is none');
    const { page } = await kitchen.run.signedIn(mia);
    const row = page.getByRole('main').getByRole('link', { name: /salt/ });
    await row.hover();
    await page.getByRole('button', { name: 'Mark as read' }).click();
    await page.getByText('Marked 2 messages as read').waitFor();
    await row.waitFor({ state: 'detached' });
    await undo(page).click();
    await row.waitFor();
  });

  it('moving a topic to where nothing was, or one message, but not among others', async () => {
    const { olivia } = kitchen.app.cast;
    await sendTo(kitchen.app, olivia, kitchen.channel, 'soup', 'With salt?');
    await sendTo(kitchen.app, olivia, kitchen.channel, 'bread', 'Is it fresh?');
    const { page } = await kitchen.run.signedIn(olivia, topicPath('soup'));
    const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
    const move = async (to: string) => {
      await page.getByRole('button', { name: 'Topic actions' }).click();
      await page.getByRole('menuitem', { name: 'Rename or move topic' }).click();
      const dialog = page.getByRole('dialog', { name: 'Rename or move topic' });
      await dialog.getByRole('textbox', { name: 'Topic' }).fill(to);
      await dialog.getByLabel('Post a notice in the new topic').uncheck();
      await dialog.getByRole('button', { name: 'Move' }).click();
    };
    await heading('soup').waitFor();
    await move('stew');
    await heading('stew').waitFor();
    await page.getByText('Moved to #kitchen › stew').waitFor();
    await undo(page).click();
    await heading('soup').waitFor();
    await line(page, 'soup').waitFor();
    await move('bread');
    await heading('bread').waitFor();
    await page.getByText('Moved to #kitchen › bread').waitFor();
    expect(await undo(page).count()).toBe(0);
    const message = page.locator('.message', { hasText: 'With salt?' });
    await message.focus();
    await page.keyboard.press('m');
    const dialog = page.getByRole('dialog', { name: 'Move message' });
    await dialog.getByRole('textbox', { name: 'Topic' }).fill('soup');
    await dialog.getByRole('combobox', { name: 'Move', exact: true }).selectOption('This message');
    await dialog.getByRole('button', { name: 'Move' }).click();
    await message.waitFor({ state: 'detached' });
    await undo(page).click();
    await message.waitFor();
  });

  it('removing a member', async () => {
    const { olivia, max } = kitchen.app.cast;
    const open = await kitchen.run.signedIn(
      olivia,
      `/console/channel-settings/${kitchen.channel}?part=subscribers`,
    );
    const { page } = open;
    const row = page.getByRole('table').getByText(max.fullName);
    await page.getByRole('button', { name: `Remove ${max.fullName}` }).click();
    await row.waitFor({ state: 'detached' });
    await page.getByText(`Removed ${max.fullName}`).waitFor();
    await open.expectAccessible();
    await undo(page).click();
    await row.waitFor();
  });
});
