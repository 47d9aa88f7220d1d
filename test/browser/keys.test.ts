import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { BROWSER_TIMEOUT_MS, describeInBrowser, holds, pageTitle } from '../support/browser';
import { createChannelWith } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { startKitchen } from '../support/kitchen';
import { sendDirect, sendTo } from '../support/message-setup';

jest.setTimeout(BROWSER_TIMEOUT_MS);

const message = (page: Page, text: string) => page.locator('.message', { hasText: text });

describeInBrowser('the keys of the console', () => {
  const kitchen = startKitchen();
  const { topicPath } = kitchen;
  let pantry = 0;
  const asMia = (path: string) => kitchen.run.signedIn(kitchen.app.cast.mia, path);

  beforeAll(async () => {
    const { mia, max, olivia } = kitchen.app.cast;
    pantry = await createChannelWith(kitchen.app, olivia, [mia, max], 'pantry');
    await sendTo(kitchen.app, max, kitchen.channel, 'soup', 'With salt?');
    await sendTo(kitchen.app, mia, kitchen.channel, 'soup', 'Without any');
    await sendTo(kitchen.app, max, pantry, 'flour', 'None is left');
    expectSuccess(await kitchen.app.as(mia).post('/mark_all_as_read'));
  });

  /** Gives the focus to a message. */
  async function focusOn(page: Page, text: string): Promise<void> {
    await message(page, text).waitFor();
    await message(page, text).focus();
  }

  it('act on the message that has the focus', async () => {
    const open = await asMia(topicPath('soup'));
    const { page } = open;
    const { keyboard } = page;
    const press = async (key: string) => {
      await focusOn(page, 'With salt?');
      await keyboard.press(key);
    };
    const closed = async (name: string) => {
      await page.getByRole('dialog', { name }).waitFor();
      await open.expectAccessible();
      await keyboard.press('Escape');
      await page.getByRole('dialog', { name }).waitFor({ state: 'detached' });
    };
    await press('+');
    const thumb = message(page, 'With salt?').locator('.reactions button');
    await thumb.waitFor();
    await pause(1100);
    await press('=');
    await thumb.waitFor({ state: 'detached' });
    await press('m');
    await closed('Move message');
    await press('Shift+H');
    await closed('Edit history');
    await press('Shift+V');
    await closed('Read by');
    await press('-');
    await message(page, 'With salt?').waitFor({ state: 'detached' });
    await open.expectAccessible();
    await page.getByRole('button', { name: 'Show message' }).click();
    await press('Shift+U');
    await page.getByRole('link', { name: /^soup \d unread/ }).waitFor();
    expectSuccess(await kitchen.app.as(kitchen.app.cast.mia).post('/mark_all_as_read'));
    await press('@');
    const text = page.locator('.composer textarea');
    await page.locator('.composer textarea:focus').waitFor();
    expect(await text.inputValue()).toBe(`@**Max Member|${kitchen.app.cast.max.id}** `);
    await text.fill('');
    await press('Enter');
    await page.locator('.composer textarea:focus').waitFor();
    await press('Shift+R');
    await pageTitle(page, kitchen.app.cast.max.fullName).waitFor();
    await page.locator('.composer textarea:focus').waitFor();
  });

  it('lead from message to message, and between a topic, its channel and its neighbors', async () => {
    const { page } = await asMia(topicPath('soup'));
    const { keyboard } = page;
    await focusOn(page, 'Without any');
    await keyboard.press('Home');
    await page.locator('.message:focus', { hasText: 'With salt?' }).waitFor();
    await keyboard.press('End');
    await page.locator('.message:focus', { hasText: 'Without any' }).waitFor();
    await keyboard.press('Shift+K');
    await page.locator('.message:focus', { hasText: 'With salt?' }).waitFor();
    await keyboard.press('s');
    await pageTitle(page, '#kitchen').waitFor();
    await focusOn(page, 'Without any');
    await keyboard.press('s');
    await pageTitle(page, 'soup').waitFor();
    await page.goto('/console/feed');
    await focusOn(page, 'None is left');
    await keyboard.press('z');
    await pageTitle(page, 'flour').waitFor();
    expect(page.url()).toContain('near=');
    await keyboard.press('Shift+A');
    await pageTitle(page, '#kitchen').waitFor();
    await keyboard.press('Shift+D');
    await pageTitle(page, '#pantry').waitFor();
    await page.getByRole('link', { name: /^flour/ }).waitFor();
    await keyboard.press('Alt+ArrowDown');
    await pageTitle(page, 'flour').waitFor();
    await keyboard.press('Alt+ArrowUp');
    await pageTitle(page, '#pantry').waitFor();
    await keyboard.press('Shift+P');
    await pageTitle(page, 'Recent conversations').waitFor();
    await page.getByRole('button', { name: 'Direct messages', pressed: true }).waitFor();
  });

  it('lead to what is unread', async () => {
    const { mia, max } = kitchen.app.cast;
    const { page } = await asMia(topicPath('soup'));
    const { keyboard } = page;
    await sendDirect(kitchen.app, max, [mia], 'Just us');
    await page.getByRole('link', { name: /^Max.* 1 unread/ }).waitFor();
    // Also while one writes.
    await page.locator('.composer textarea').focus();
    await keyboard.press('Alt+Shift+ArrowUp');
    await pageTitle(page, max.fullName).waitFor();
    await message(page, 'Just us').waitFor();
    const policy = { stream_id: pantry, topic: 'flour', visibility_policy: 3 };
    expectSuccess(await kitchen.app.as(mia).post('/user_topics', policy));
    await sendTo(kitchen.app, max, kitchen.channel, 'soup', 'Not followed');
    await sendTo(kitchen.app, max, pantry, 'flour', 'Followed');
    await page.getByRole('link', { name: /^pantry 1 unread/ }).waitFor();
    await pageTitle(page, max.fullName).focus();
    await keyboard.press('Shift+N');
    await pageTitle(page, 'flour').waitFor();
  });

  it('mute a topic, and leave a channel and join it, which can be undone', async () => {
    const open = await asMia(topicPath('soup'));
    const { page } = open;
    const { keyboard } = page;
    const mute = page.getByRole('button', { name: 'Mute', exact: true });
    await pageTitle(page, 'soup').focus();
    await keyboard.press('Shift+M');
    await page.getByText('Muted #kitchen › soup').waitFor();
    await page.locator('[aria-pressed=true]', { hasText: 'Mute' }).waitFor();
    // F6 leads to what was said, and to what can be done about it.
    await page.locator('.composer textarea').focus();
    await keyboard.press('F6');
    await keyboard.press('Enter');
    await page.locator('[aria-pressed=false]', { hasText: 'Mute' }).waitFor();
    await mute.waitFor();
    await pageTitle(page, 'soup').focus();
    await keyboard.press('Shift+S');
    const dialog = page.getByRole('dialog', { name: 'Leave channel' });
    await dialog.waitFor();
    await open.expectAccessible();
    await dialog.getByRole('button', { name: 'Leave channel' }).click();
    await page.getByText('You left #kitchen.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.locator('.composer textarea').waitFor();
    await pageTitle(page, 'soup').focus();
    await keyboard.press('Shift+S');
    await dialog.getByRole('button', { name: 'Leave channel' }).click();
    await page.getByText('You left #kitchen.').waitFor();
    await pageTitle(page, 'soup').focus();
    await keyboard.press('Shift+S');
    await page.getByRole('dialog').getByRole('button', { name: 'Join' }).click();
    await page.locator('.composer textarea').waitFor();
  });

  it('find names in the sidebar, open the menu of the reader, and go round the regions of the page', async () => {
    const open = await asMia(topicPath('soup'));
    const { page } = open;
    const { keyboard } = page;
    await pageTitle(page, 'soup').focus();
    await keyboard.press('q');
    await page.getByRole('searchbox', { name: 'Find a channel' }).fill('pan');
    await open.expectAccessible();
    await keyboard.press('Enter');
    await pageTitle(page, '#pantry').waitFor();
    await keyboard.press('w');
    await page
      .getByRole('searchbox', { name: 'Find a person' })
      .fill(kitchen.app.cast.olivia.fullName.toUpperCase());
    await open.expectAccessible();
    await keyboard.press('Enter');
    await pageTitle(page, kitchen.app.cast.olivia.fullName).waitFor();
    await page.getByRole('searchbox', { name: 'Find a person' }).waitFor({ state: 'detached' });
    await keyboard.press('g');
    await page.getByRole('menuitem', { name: 'Set status' }).waitFor();
    await keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    const isIn = (selector: string) =>
      page.evaluate(`document.activeElement.closest(${JSON.stringify(selector)}) !== null`);
    await page.locator('.composer textarea').focus();
    await keyboard.press('F6');
    expect(await isIn('body > nav')).toBe(true);
    await keyboard.press('F6');
    expect(await isIn('.log')).toBe(true);
    await keyboard.press('F6');
    expect(await isIn('.composer')).toBe(true);
    await keyboard.press('Shift+F6');
    expect(await isIn('.log')).toBe(true);
  });

  it('begin a topic, and lead to the conversation that is written to', async () => {
    const { page } = await asMia(topicPath('soup'));
    const { keyboard } = page;
    await pageTitle(page, 'soup').focus();
    await keyboard.press('c');
    await pageTitle(page, '#kitchen').waitFor();
    await page.locator('.topic-field:focus').waitFor();
    await keyboard.type('soup');
    await keyboard.press('Tab');
    await page.locator('.composer textarea').fill('More of it');
    await keyboard.press('Control+.');
    await pageTitle(page, 'soup').waitFor();
    await holds(page.locator('.composer textarea'), 'More of it');
    await page.locator('.composer textarea').fill('');
    await page.goto('/console/starred');
    await pageTitle(page, 'Starred').focus();
    await keyboard.press('c');
    await page.getByRole('dialog', { name: 'Go to' }).waitFor();
  });

  it('are all in the list, and letters leave the others to work alone', async () => {
    const { page } = await asMia(topicPath('soup'));
    const { keyboard } = page;
    await focusOn(page, 'Without any');
    await keyboard.press('?');
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    for (const key of [
      'Shift+R',
      'M',
      'Shift+H',
      '+',
      'Ctrl+.',
      'Alt+Shift+↑',
      'Shift+F6',
      'R or Enter',
      'Home',
    ])
      await list.getByText(key, { exact: true }).first().waitFor();
    await list.getByRole('checkbox', { name: 'Shortcuts of a single key' }).uncheck();
    await keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    await focusOn(page, 'Without any');
    await keyboard.press('Home');
    await page.locator('.message:focus', { hasText: 'With salt?' }).waitFor();
    // What is typed goes to where one writes.
    await keyboard.type('zest');
    await holds(page.locator('.composer textarea'), 'zest');
    await page.locator('.composer textarea').fill('');
  });
});
