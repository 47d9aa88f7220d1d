import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { BROWSER_TIMEOUT_MS, describeInBrowser, signIn } from '../support/browser';
import type { Member } from '../support/cast';
import { expectSuccess } from '../support/expect-answer';
import { startKitchen } from '../support/kitchen';
import { copyMessage, sendDirect, sendTo } from '../support/message-setup';

jest.setTimeout(BROWSER_TIMEOUT_MS);

const message = (page: Page, text: string) => page.locator('.message', { hasText: text });

/** Stands for the notices of the browser, which no page can read. */
const NOTICES = `window.notices = []; window.Notification = class {
  static permission = 'granted';
  constructor(title, { body, tag }) { window.notices.push({ title, body, tag, isClosed: false }); this.at = window.notices.at(-1); }
  close() { this.at.isClosed = true; }
}`;

describeInBrowser('a team in the console', () => {
  const kitchen = startKitchen();
  const { topicPath } = kitchen;

  async function withNotices(member: Member, path: string): Promise<Page> {
    const { page } = await kitchen.run.visitor();
    await page.addInitScript(NOTICES);
    await page.goto(path);
    await signIn(page, member);
    await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
    return page;
  }

  it('is told of what is for them, and of nothing else', async () => {
    const { mia, max } = kitchen.app.cast;
    const page = await withNotices(mia, '/console/starred');
    const notices = () => page.evaluate('window.notices');
    await page.getByRole('heading', { level: 1, name: 'Starred' }).waitFor();
    await sendTo(kitchen.app, max, kitchen.channel, 'lunch', 'Nothing for anybody');
    const mention = await sendTo(kitchen.app, max, kitchen.channel, 'lunch', 'Soup, @**Mia Member**?');
    await sendDirect(kitchen.app, max, [mia], 'Just **us**');
    while (!(await page.title()).startsWith('(3) Starred')) await pause(20);
    while (((await notices()) as unknown[]).length < 2) await pause(20);
    expect(await notices()).toMatchObject([
      { title: `${max.fullName} (#kitchen › lunch)`, body: 'Soup, @Mia Member?' },
      { title: max.fullName, body: 'Just us' },
    ]);
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toMatch(/^data:image\/png/);
    // Read anywhere, and the notice goes.
    await kitchen.app.as(mia).post('/messages/flags', { messages: [mention], op: 'add', flag: 'read' });
    while (!((await notices()) as { isClosed: boolean }[])[0]!.isClosed) await pause(20);
    await page.goto('/console/settings/notifications');
    await page.getByText('This browser shows notifications.').waitFor();
    await page.getByRole('button', { name: 'Test notification' }).click();
    expect(await notices()).toMatchObject([{ body: 'Notifications work.' }]);
    const box = page.getByRole('checkbox', { name: 'Direct messages, mentions and alert words: desktop' });
    await box.click();
    await page.getByText('Saved').waitFor();
    await sendDirect(kitchen.app, max, [mia], 'Not told');
    await page.getByRole('link', { name: /^Max.* 2 unread/ }).waitFor();
    expect(await notices()).toHaveLength(1);
  });

  it('goes anywhere by keys alone, and finds them in a list', async () => {
    const { mia, max } = kitchen.app.cast;
    await sendTo(kitchen.app, max, kitchen.channel, 'keys', 'The first one');
    await sendTo(kitchen.app, max, kitchen.channel, 'keys', 'The second one');
    const open = await kitchen.run.signedIn(mia, '/console/starred', { colorScheme: 'dark' });
    const { page } = open;
    const heading = (name: string) => page.getByRole('heading', { level: 1, name });
    await heading('Starred').waitFor();
    await page.keyboard.press('?');
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await list.getByText('Next message').waitFor();
    await open.expectAccessible();
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('kitch');
    await page.getByRole('option', { name: '#kitchen' }).first().waitFor();
    await open.expectAccessible();
    await page.keyboard.press('Enter');
    await heading('#kitchen').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill(max.fullName);
    await page.getByRole('option', { name: max.fullName, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await heading(max.fullName).waitFor();
    await page.goto(topicPath('keys'));
    await message(page, 'The second one').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.locator('.message:focus', { hasText: 'The second one' }).waitFor();
    await page.keyboard.press('Control+s');
    await message(page, 'The second one').getByText('starred').waitFor();
    await page.keyboard.press('i');
    await page.getByRole('menuitem', { name: 'Reply' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await page.keyboard.press('r');
    await page.locator('.composer textarea:focus').waitFor();
    await page.keyboard.type('jk?');
    expect(await page.locator('.composer textarea').inputValue()).toBe('jk?');
    // Whoever wants none of it switches it off.
    await page.getByRole('heading', { level: 1 }).focus();
    await page.keyboard.press('?');
    await list.getByRole('checkbox', { name: 'Shortcuts of a single key' }).uncheck();
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    await page.keyboard.press('*');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Go to' }).waitFor();
    await heading('keys').waitFor();
  });

  it('is invited with a link that is copied by a button', async () => {
    const { olivia } = kitchen.app.cast;
    expectSuccess(await kitchen.app.as(olivia).post('/invites/multiuse', { stream_ids: [] }));
    const options = { permissions: ['clipboard-read', 'clipboard-write'] };
    const open = await kitchen.run.signedIn(olivia, '/console/people/invitations', options);
    const { page } = open;
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied').waitFor();
    await open.expectAccessible();
    const url = await page.locator('td code, th code').first().innerText();
    expect(url).toContain('/join/');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(url);
  });

  it('sees who types, until they stop or send', async () => {
    const { mia, max } = kitchen.app.cast;
    await sendTo(kitchen.app, max, kitchen.channel, 'typing', 'Before');
    const { page: hers } = await kitchen.run.signedIn(mia, topicPath('typing'));
    const { page: his } = await kitchen.run.signedIn(max, topicPath('typing'));
    await message(hers, 'Before').waitFor();
    await his.locator('.composer textarea').pressSequentially('Let me think');
    const line = hers.getByText(`${max.fullName} is typing…`);
    await line.waitFor();
    await his.locator('.composer textarea').press('Control+Enter');
    await message(hers, 'Let me think').waitFor();
    await line.waitFor({ state: 'detached' });
  });

  it('reads a long story with no more of it on the page than it can bear', async () => {
    const { mia, max } = kitchen.app.cast;
    const first = await sendTo(kitchen.app, mia, kitchen.channel, 'story', 'A line of a story', {
      read_by_sender: true,
    });
    await copyMessage(kitchen.app, first, 900);
    const { page } = await kitchen.run.signedIn(mia, topicPath('story'));
    const count = () => page.locator('.message').count();
    await message(page, 'A line of a story').first().waitFor();
    const top = () => page.locator('.message').first().getAttribute('data-id');
    while ((await top()) !== String(first)) {
      await page.locator('.log').evaluate('document.querySelector(".log").scrollTop = 0');
      await pause(50);
      expect(await count()).toBeLessThanOrEqual(400);
    }
    await page.getByRole('button', { name: 'Jump to newest' }).waitFor();
    // What comes meanwhile is counted, and moves nothing.
    const before = await page.locator(`[data-id="${first}"]`).boundingBox();
    await sendTo(kitchen.app, max, kitchen.channel, 'story', 'The end of it');
    await sendTo(kitchen.app, max, kitchen.channel, 'story', 'And a word more');
    await page.getByRole('button', { name: '2 new messages' }).waitFor();
    expect(await page.locator(`[data-id="${first}"]`).boundingBox()).toEqual(before);
    await page.getByRole('button', { name: '2 new messages' }).click();
    await message(page, 'And a word more').waitFor();
    for (let line = 0; line < 420; line++)
      await sendTo(kitchen.app, max, kitchen.channel, 'story', `Line ${line}`);
    await message(page, 'Line 419').waitFor();
    expect(await count()).toBeLessThanOrEqual(400);
    await page.locator('.message:not([data-unread])', { hasText: 'Line 419' }).waitFor();
  });
});
