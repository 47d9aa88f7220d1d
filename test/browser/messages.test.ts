import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { becomesEmpty, BROWSER_TIMEOUT_MS, describeInBrowser, holds, signIn } from '../support/browser';
import { browserOf } from '../support/browser-client';
import { expectSuccess } from '../support/expect-answer';
import { startKitchen } from '../support/kitchen';
import { copyMessage, sendTo } from '../support/message-setup';

jest.setTimeout(BROWSER_TIMEOUT_MS);

const message = (page: Page, text: string) => page.locator('.message', { hasText: text });
/** Something that a test waits for, and what brings it about. */
function promised() {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

const composer = (page: Page) => page.locator('.composer textarea');

describeInBrowser('messages in the console', () => {
  const kitchen = startKitchen();
  const { topicPath } = kitchen;
  /** Of many, far from both ends. */
  let wanted: number;
  const many = 'long story';

  beforeAll(async () => {
    const { max } = kitchen.app.cast;
    const one = await sendTo(kitchen.app, max, kitchen.channel, many, 'One line of many');
    await copyMessage(kitchen.app, one, 150);
    wanted = await sendTo(kitchen.app, max, kitchen.channel, many, 'The line that was meant');
    await copyMessage(kitchen.app, one, 150);
  });

  /** A message that a link has led to: it is marked, has the focus, and is on the screen. */
  async function expectAt(page: Page): Promise<void> {
    await page.locator('.message[aria-current]', { hasText: 'The line that was meant' }).waitFor();
    await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
    expect(
      await page.evaluate(`(() => {
        const box = document.querySelector('.message[aria-current]').getBoundingClientRect();
        const log = document.querySelector('.log').getBoundingClientRect();
        return [document.activeElement.dataset.id, box.top >= log.top && box.bottom <= log.bottom];
      })()`),
    ).toEqual([String(wanted), true]);
  }

  it('are where links of other clients, of searches and of the address lead', async () => {
    const { mia } = kitchen.app.cast;
    const link = `#narrow/channel/${kitchen.channel}-kitchen/topic/long.20story/near/${wanted}`;
    await sendTo(kitchen.app, mia, kitchen.channel, 'links', `Look [there](${link})`);
    const { page } = await kitchen.run.signedIn(mia, topicPath('links'));
    await page.getByRole('link', { name: 'there' }).click();
    await page.getByRole('heading', { level: 1, name: many }).waitFor();
    await expectAt(page);
    await page.goto('/console/search?q=meant');
    await message(page, 'The line that was meant').getByRole('link').click();
    await expectAt(page);
    await page.goto(`/${link}`);
    await expectAt(page);
    // The address of a message holds wherever it has gone since.
    await page.goto(`${topicPath('links')}?near=${wanted}`);
    await page.getByRole('heading', { level: 1, name: many }).waitFor();
    await expectAt(page);
  });

  it('are shown from the first unread one on, after a link has led far above it', async () => {
    const { mia, max } = kitchen.app.cast;
    const { page } = await kitchen.run.signedIn(mia, `${topicPath(many)}?near=${wanted}`);
    await message(page, 'The line that was meant').waitFor();
    expectSuccess(await kitchen.app.as(mia).post('/mark_all_as_read'));
    await sendTo(kitchen.app, max, kitchen.channel, many, 'The latest of it');
    const lines = page.getByRole('navigation', { name: 'Main navigation' });
    await lines.getByRole('link', { name: 'Mentions' }).click();
    await page.getByRole('heading', { level: 1, name: 'Mentions' }).waitFor();
    await page.getByRole('searchbox', { name: 'Search messages' }).fill(`channel:kitchen topic:"${many}"`);
    await page.keyboard.press('Enter');
    await message(page, 'The latest of it').waitFor();
    expect(await message(page, 'The line that was meant').count()).toBe(0);
  });

  it('are kept where one has read, though far above the end', async () => {
    const { page } = await kitchen.run.signedIn(kitchen.app.cast.olivia, topicPath(many));
    await message(page, 'One line of many').first().waitFor();
    await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
    await page
      .getByRole('navigation', { name: 'Main navigation' })
      .getByRole('link', { name: 'Mentions' })
      .click();
    await page.getByRole('heading', { level: 1, name: 'Mentions' }).waitFor();
    await page.route(/\/json\/messages\?/, () => new Promise<void>(() => undefined));
    await page.getByRole('searchbox', { name: 'Search messages' }).fill(`channel:kitchen topic:"${many}"`);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: many }).waitFor();
    expect(await message(page, 'One line of many').count()).toBeGreaterThan(0);
  });

  it('that are being edited are those of one window', async () => {
    const { mia } = kitchen.app.cast;
    await sendTo(kitchen.app, mia, kitchen.channel, 'edits', 'As it was sent');
    const { page } = await kitchen.run.signedIn(mia, topicPath('edits'));
    const other = await page.context().newPage();
    await other.goto(topicPath('edits'));
    for (const each of [page, other]) {
      await message(each, 'As it was sent').focus();
      await each.keyboard.press('e');
      await holds(each.locator('.editor textarea'), 'As it was sent');
      expect(await each.locator('.editor textarea').inputValue()).toBe('As it was sent');
      await each.locator('.editor textarea').fill('Half a thought');
      if (each === other) break;
      await each.reload();
      await message(each, 'As it was sent').focus();
      await each.keyboard.press('e');
      await holds(each.locator('.editor textarea'), 'Half a thought');
    }
  });

  it('of the reader are shown when they are sent, however much is unread before them', async () => {
    const { page } = await kitchen.run.signedIn(kitchen.app.cast.mia, topicPath(many));
    await message(page, 'One line of many').first().waitFor();
    await composer(page).fill('I have read nothing of this');
    await composer(page).press('Control+Enter');
    await message(page, 'I have read nothing of this').waitFor();
    await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
    const isAtEnd = () =>
      page.evaluate(
        'document.querySelector(".message:last-of-type").getBoundingClientRect().bottom <= document.querySelector(".log").getBoundingClientRect().bottom + 1',
      );
    while (!(await isAtEnd())) await pause(20);
    expect(await page.locator('.message').last().innerText()).toContain('I have read nothing of this');
  });

  it('are not lost that come while the first ones are read', async () => {
    const { mia, max } = kitchen.app.cast;
    const open = await kitchen.run.visitor();
    const { page } = open;
    const { promise: answered, resolve: hasAnswered } = promised();
    const { promise: held, resolve: release } = promised();
    let asked = 0;
    // The first answer may be older than the state, the second one is not; it is held here.
    await page.route(/\/json\/messages\?/, async (route) => {
      const response = await route.fetch();
      if (++asked === 2) {
        hasAnswered();
        await held;
      }
      await route.fulfill({ response });
    });
    await sendTo(kitchen.app, mia, kitchen.channel, 'meanwhile', 'Before', { read_by_sender: true });
    await page.goto(topicPath('meanwhile'));
    await signIn(page, mia);
    await answered;
    await sendTo(kitchen.app, max, kitchen.channel, 'meanwhile', 'After the answer');
    const line = page.getByRole('navigation', { name: 'Main navigation' });
    await line.getByRole('link', { name: /^meanwhile 1 unread/ }).waitFor();
    release();
    await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
    await message(page, 'After the answer').waitFor();
    expect(await page.locator('.message').count()).toBe(2);
  });

  it('take files that are dropped anywhere beside them', async () => {
    const { page } = await kitchen.run.signedIn(kitchen.app.cast.mia, topicPath('files'));
    const dropped = await page.evaluateHandle(
      "const data = new DataTransfer(); data.items.add(new File(['dropped'], 'dropped.txt')); data",
    );
    await page.dispatchEvent('.log', 'drop', { dataTransfer: dropped });
    await holds(composer(page), '[dropped.txt](/user_uploads/');
    // Not once more, elsewhere.
    await page.goto(topicPath('elsewhere'));
    expect(await composer(page).inputValue()).toBe('');
  });

  it('have a reaction once, however quickly somebody clicks', async () => {
    const { mia, max } = kitchen.app.cast;
    const id = await sendTo(kitchen.app, max, kitchen.channel, 'clicks', 'Click here');
    await kitchen.app.as(max).post(`/messages/${id}/reactions`, { emoji_name: 'tada' });
    const { page } = await kitchen.run.signedIn(mia, topicPath('clicks'));
    // The click that comes before the first one shows.
    await page.evaluate(`new Promise((resolve) => {
      const look = () => document.querySelector('.reactions button') ? resolve() : requestAnimationFrame(look);
      look();
    }).then(() => { const button = document.querySelector('.reactions button'); button.click(); button.click(); })`);
    await page.getByRole('button', { name: /tada: /, pressed: true }).waitFor();
  });

  it('that are being written outlast a session, and one of another window', async () => {
    const { mia } = kitchen.app.cast;
    const open = await kitchen.run.visitor();
    const { page } = open;
    // Whether a poll comes in between must not matter.
    await page.route(/\/json\/events\?/, () => new Promise<void>(() => undefined));
    await page.goto(topicPath('drafts'));
    await signIn(page, mia);
    await composer(page).fill('Not sent yet');
    // Nothing that the page asks for by itself is on its way any more.
    await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
    await page
      .getByRole('navigation', { name: 'Main navigation' })
      .getByRole('link', { name: many })
      .waitFor();
    await (await browserOf(kitchen.app, mia)).call('DELETE', '/json/companion/auth/sessions');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    await signIn(page, mia);
    await holds(composer(page), 'Not sent yet');

    // Another session in another window: the token on this page is not that of the new one.
    const { page: other } = await kitchen.run.signedIn(mia);
    await page.context().addCookies(await other.context().cookies());
    const loaded = page.waitForEvent('load');
    await page.getByRole('button', { name: 'Send' }).click();
    await loaded;
    await holds(composer(page), 'Not sent yet');
    await page.getByRole('button', { name: 'Send' }).click();
    await becomesEmpty(composer(page));
    open.forgive(/status of 40[13]/);
  });
});
