import type { Page } from 'playwright-core';
import { BROWSER_TIMEOUT_MS, describeInBrowser, holds } from '../support/browser';
import { startKitchen } from '../support/kitchen';
import { sendTo } from '../support/message-setup';

jest.setTimeout(BROWSER_TIMEOUT_MS);

/** What is written is sent with the keyboard. */
async function write(page: Page, text: string): Promise<void> {
  const area = page.locator('.composer textarea');
  await area.fill(text);
  await area.press('Control+Enter');
}

const message = (page: Page, text: string) => page.locator('.message', { hasText: text });

/**
 * Scrolls to where older messages are loaded, once nothing is being loaded.
 * @returns what is at the top of the screen then, and where
 */
const SCROLL_UP = `(async () => {
  const log = document.querySelector('.log');
  for (let quiet = 0; quiet < 3; quiet++) {
    await new Promise(requestAnimationFrame);
    if (log.getAttribute('aria-busy') === 'true') quiet = 0;
  }
  log.scrollTop = 300;
  const { top } = log.getBoundingClientRect();
  const held = [...log.querySelectorAll('.message')].find((each) => each.getBoundingClientRect().bottom > top);
  return { id: held.dataset.id, top: held.getBoundingClientRect().top };
})()`;

/** The line of the navigation that leads somewhere. */
const line = (page: Page, name: string | RegExp) =>
  page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name });

describeInBrowser('conversations in the console', () => {
  const kitchen = startKitchen();
  const { topicPath } = kitchen;

  it('two people see at once what the other writes, and how much of it is new', async () => {
    const { mia, max } = kitchen.app.cast;
    const { page: hers } = await kitchen.run.signedIn(mia, topicPath('lunch'));
    const { page: his } = await kitchen.run.signedIn(max);

    await write(hers, 'Soup **at noon**?');
    await message(hers, 'Soup at noon?').waitFor();
    await line(his, /kitchen 1 unread/).click();
    await his.getByRole('link', { name: /^lunch/ }).click();
    await message(his, 'Soup at noon?').waitFor();
    await line(his, /^kitchen$/).waitFor();

    await write(his, 'With bread.');
    await message(hers, 'With bread.').waitFor();
    const reply = message(hers, 'With bread.');
    await reply.hover();
    await reply.getByRole('button', { name: 'Add reaction' }).click();
    await hers.getByRole('button', { name: 'tada' }).click();
    await message(his, 'With bread.').getByRole('button', { name: 'tada: Mia Member' }).waitFor();
  });

  it('edits, stars and quotes a message', async () => {
    const { mia, max } = kitchen.app.cast;
    const { page: hers } = await kitchen.run.signedIn(mia, topicPath('edits'));
    const { page: his } = await kitchen.run.signedIn(max, topicPath('edits'));
    await write(hers, 'The frist draft');
    const own = message(hers, 'The frist draft');
    await own.hover();
    await own.getByRole('button', { name: 'Edit' }).click();
    await hers.getByRole('textbox', { name: 'Message text' }).fill('The first draft');
    await hers.getByRole('button', { name: 'Save' }).click();
    await message(his, 'The first draft').getByText('edited').waitFor();
    expect(await message(his, 'The first draft').getByRole('button', { name: 'Edit' }).count()).toBe(0);

    await message(his, 'The first draft').hover();
    await message(his, 'The first draft').getByRole('button', { name: 'Star' }).click();
    await message(his, 'The first draft').getByText('starred').waitFor();
    await message(his, 'The first draft').hover();
    await message(his, 'The first draft').getByRole('button', { name: 'Quote' }).click();
    const area = his.locator('.composer textarea');
    await holds(area, 'The first draft');
    const id = await message(his, 'The first draft').getAttribute('data-id');
    const link = `${kitchen.run.site}/#narrow/channel/${kitchen.channel}-kitchen/topic/edits/near/${id}`;
    expect(await area.inputValue()).toBe(
      `@_**Mia Member|${mia.id}** [said](${link}):\n\`\`\`quote\nThe first draft\n\`\`\`\n`,
    );
    await line(his, 'Starred').click();
    await his.getByRole('heading', { level: 1, name: 'Starred' }).waitFor();
    await message(his, 'The first draft').waitFor();
  });

  it('edits the newest own message by the arrow up, and marks it below its text', async () => {
    const { mia, max } = kitchen.app.cast;
    const { page } = await kitchen.run.signedIn(mia, topicPath('arrow'));
    await write(page, 'The first one');
    await message(page, 'The first one').waitFor();
    await write(page, 'Teh second one');
    await message(page, 'Teh second one').waitFor();
    await sendTo(kitchen.app, max, kitchen.channel, 'arrow', 'Max’s own');
    await message(page, 'Max’s own').waitFor();
    const area = page.locator('.composer textarea');
    await area.fill('Half a');
    await area.press('ArrowUp');
    expect(await page.getByRole('textbox', { name: 'Message text' }).count()).toBe(0);
    await area.fill('');
    await area.press('ArrowUp');
    const editor = page.getByRole('textbox', { name: 'Message text' });
    await editor.and(page.locator(':focus')).waitFor();
    expect(await editor.inputValue()).toBe('Teh second one');
    await editor.fill('The second one');
    await editor.press('Control+Enter');
    const edited = message(page, 'The second one');
    await edited.getByText('edited').waitFor();
    expect(await edited.getAttribute('class')).toContain('continued');
    const text = await edited.locator('.rendered').boundingBox();
    const mark = await edited.getByText('edited').boundingBox();
    expect(mark!.y).toBeGreaterThanOrEqual(text!.y + text!.height);
    // It stands in the margin, on one line.
    const lines = "document.querySelector('.continued .head time').getClientRects().length";
    expect(await page.evaluate(lines)).toBe(1);
  });

  it('completes names and emoji with the keyboard', async () => {
    const { mia, max } = kitchen.app.cast;
    const { page } = await kitchen.run.signedIn(mia, topicPath('completion'));
    const area = page.locator('.composer textarea');
    await area.pressSequentially('@max');
    await page.getByRole('option', { name: /Max Member/ }).waitFor();
    await area.press('Enter');
    expect(await area.inputValue()).toBe('@**Max Member** ');
    await area.pressSequentially(':tad');
    await page.getByRole('option', { name: 'tada', exact: false }).waitFor();
    await area.press('Tab');
    await area.press('Control+Enter');
    await message(page, '@Max Member 🎉').waitFor();
    const { page: his } = await kitchen.run.signedIn(max, '/console/mentions');
    await message(his, '@Max Member 🎉').waitFor();
  });

  it('loads older messages as one scrolls up, and stays where one reads', async () => {
    const { mia } = kitchen.app.cast;
    for (let number = 1; number <= 130; number++)
      await sendTo(kitchen.app, mia, kitchen.channel, 'long', `Line ${number} of many`, {
        read_by_sender: true,
      });
    const { page } = await kitchen.run.signedIn(mia, topicPath('long'));
    await message(page, 'Line 130 of many').waitFor();
    expect(await message(page, 'Line 1 of many').count()).toBe(0);
    for (const number of [80, 50, 20, 1]) {
      const { id, top } = await page.evaluate<{ id: string; top: number }>(SCROLL_UP);
      await message(page, `Line ${number} of many`).first().waitFor({ state: 'attached' });
      const stays = await page.locator(`.message[data-id="${id}"]`).boundingBox();
      expect(Math.round(Number(stays?.y) - top)).toBe(0);
    }
    const lines = await page.locator('.message .rendered').allTextContents();
    expect(lines.map((text) => text.trim())).toEqual(
      Array.from({ length: 130 }, (_, index) => `Line ${index + 1} of many`),
    );
  });

  it('sends files that are chosen or dropped', async () => {
    const { mia } = kitchen.app.cast;
    const { page } = await kitchen.run.signedIn(mia, topicPath('files'));
    await page.locator('input[type=file]').setInputFiles({
      name: 'chosen.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('chosen'),
    });
    await holds(page.locator('.composer textarea'), '[chosen.txt](/user_uploads/');
    const dropped = await page.evaluateHandle(
      "const data = new DataTransfer(); data.items.add(new File(['dropped'], 'dropped.txt')); data",
    );
    await page.dispatchEvent('.composer', 'drop', { dataTransfer: dropped });
    await holds(page.locator('.composer textarea'), '[dropped.txt](/user_uploads/');
    await page.locator('.composer textarea').press('Control+Enter');
    const href = await page.getByRole('link', { name: 'dropped.txt' }).getAttribute('href');
    const file = await page.request.get(new URL(String(href), kitchen.run.site).href);
    expect(await file.text()).toBe('dropped');
  });

  it('finds messages', async () => {
    const { mia } = kitchen.app.cast;
    await sendTo(kitchen.app, mia, kitchen.channel, 'birds', 'The heron stands in the reeds');
    const { page } = await kitchen.run.signedIn(mia);
    await page.getByRole('searchbox', { name: 'Search messages' }).fill('heron');
    await page.getByRole('searchbox', { name: 'Search messages' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Search results for “heron”' }).waitFor();
    await message(page, 'The heron stands in the reeds').waitFor();
    await page.getByRole('link', { name: '#kitchen › birds' }).click();
    await page.getByRole('heading', { level: 1, name: 'birds' }).waitFor();
  });

  it('begins a conversation with several people', async () => {
    const { mia, max, adam } = kitchen.app.cast;
    const { page } = await kitchen.run.signedIn(mia, '/console/direct');
    for (const { fullName } of [max, adam]) {
      await page.getByRole('textbox', { name: 'Name or email address' }).fill(fullName);
      await page.getByRole('textbox', { name: 'Name or email address' }).press('Enter');
    }
    await page.getByRole('button', { name: 'Write' }).click();
    await write(page, 'Just us three');
    await message(page, 'Just us three').waitFor();
    const { page: his } = await kitchen.run.signedIn(adam);
    await line(his, /Max Member, Mia Member 1 unread/).click();
    await message(his, 'Just us three').waitFor();
  });

  it('follows, mutes and marks as read', async () => {
    const { mia, max } = kitchen.app.cast;
    await sendTo(kitchen.app, mia, kitchen.channel, 'noise', 'much');
    await sendTo(kitchen.app, mia, kitchen.channel, 'noise', 'more');
    const { page } = await kitchen.run.signedIn(max, `/console/channels/${kitchen.channel}/topics`);
    await line(page, /^noise 2 unread/).waitFor();
    // Somewhere else, so that they are not read by being seen.
    await kitchen.app
      .as(max)
      .post('/user_topics', { stream_id: kitchen.channel, topic: 'noise', visibility_policy: 1 });
    await page.locator('nav a.muted', { hasText: 'noise' }).waitFor();
    await page.goto(topicPath('noise'));
    await page.getByRole('button', { name: 'Mute', pressed: true }).click();
    await page.getByRole('button', { name: 'Mute', pressed: false }).waitFor();
    await page.getByRole('button', { name: 'Follow' }).click();
    await page.getByRole('button', { name: 'Follow', pressed: true }).waitFor();
    await line(page, /^noise$/).waitFor();
  });

  it('catches up with what it missed while there was no connection', async () => {
    const { mia, max } = kitchen.app.cast;
    const open = await kitchen.run.signedIn(max, topicPath('tunnel'));
    // It is live as soon as it is back, though nothing has happened.
    await open.page.context().setOffline(true);
    await open.page.getByText('Connection lost. Reconnecting…').waitFor();
    await open.page.context().setOffline(false);
    await open.page.getByText('Live', { exact: true }).waitFor();
    await open.page.context().setOffline(true);
    await open.page.getByText('Connection lost. Reconnecting…').waitFor();
    await sendTo(kitchen.app, mia, kitchen.channel, 'tunnel', 'Are you still there?');
    await open.page.context().setOffline(false);
    await message(open.page, 'Are you still there?').waitFor();
    await open.page.getByText('Live', { exact: true }).waitFor();
    open.forgive(/ERR_INTERNET_DISCONNECTED/);
  });

  it('shows a guest nothing but the channels that a guest is in, and lets members subscribe', async () => {
    const { gus, adam } = kitchen.app.cast;
    const open = await kitchen.run.signedIn(gus);
    const { page } = open;
    expect(await line(page, /kitchen/).count()).toBe(0);
    await page.goto(`/console/channels/${kitchen.channel}`);
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    open.forgive(/status of 400/);
    const { page: his } = await kitchen.run.signedIn(adam, `/console/channels/${kitchen.channel}`);
    await his.getByRole('button', { name: 'Subscribe' }).click();
    await his.getByRole('textbox', { name: 'Topic', exact: true }).fill('hello');
    await write(his, 'I am new here');
    await message(his, 'I am new here').waitFor();
  });
});
