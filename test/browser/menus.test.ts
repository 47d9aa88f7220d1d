import type { Page } from 'playwright-core';
import { BROWSER_TIMEOUT_MS, describeInBrowser, holds } from '../support/browser';
import { createChannelWith } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { startKitchen } from '../support/kitchen';
import { fetchIds, fetchMessage, sendTo } from '../support/message-setup';

jest.setTimeout(BROWSER_TIMEOUT_MS);

const message = (page: Page, text: string) => page.locator('.message', { hasText: text });
const item = (page: Page, name: string) =>
  page
    .getByRole('menu')
    .getByRole(/^(?:Pin|Mute)/.test(name) ? 'menuitemcheckbox' : 'menuitem', { name, exact: true });

describeInBrowser('menus of the console', () => {
  const kitchen = startKitchen();
  const { topicPath } = kitchen;

  async function choose(page: Page, text: string, name: string): Promise<void> {
    await message(page, text).hover();
    await message(page, text).getByRole('button', { name: 'More actions' }).click();
    await item(page, name).click();
  }

  it('deletes a message for everybody, asked first and by keys alone', async () => {
    const { mia, max, olivia } = kitchen.app.cast;
    await sendTo(kitchen.app, olivia, kitchen.channel, 'slips', 'Said by mistake');
    await sendTo(kitchen.app, olivia, kitchen.channel, 'slips', 'Said on purpose');
    const hers = await kitchen.run.signedIn(olivia, topicPath('slips'));
    const { page: his } = await kitchen.run.signedIn(max, topicPath('slips'));
    await message(his, 'Said by mistake').hover();
    await message(his, 'Said by mistake').getByRole('button', { name: 'More actions' }).click();
    await item(his, 'Reply').waitFor();
    // Only those who may are offered it.
    expect(await item(his, 'Delete message').count()).toBe(0);
    await his.keyboard.press('Escape');
    const more = message(hers.page, 'Said by mistake').getByRole('button', { name: 'More actions' });
    await more.focus();
    await hers.page.keyboard.press('Enter');
    await item(hers.page, 'Delete message').waitFor();
    await hers.expectAccessible();
    await hers.page.keyboard.press('End');
    await hers.page.keyboard.press('Enter');
    await hers.page.getByRole('dialog').getByText('Said by mistake').waitFor();
    await hers.expectAccessible();
    await hers.page.getByRole('button', { name: 'Cancel' }).click();
    expect(await message(his, 'Said by mistake').count()).toBe(1);
    await choose(hers.page, 'Said by mistake', 'Delete message');
    await hers.page.getByRole('dialog').getByRole('button', { name: 'Delete message' }).click();
    await message(his, 'Said by mistake').waitFor({ state: 'detached' });
    const narrow = [
      { operator: 'channel', operand: kitchen.channel },
      { operator: 'topic', operand: 'slips' },
    ];
    expect(await fetchIds(kitchen.app, mia, narrow)).toHaveLength(1);
  });

  it('shows who has read a message, what it was before, and reminds of it', async () => {
    const { mia, max } = kitchen.app.cast;
    const id = await sendTo(kitchen.app, mia, kitchen.channel, 'versions', 'The first wording');
    expectSuccess(await kitchen.app.as(mia).patch(`/messages/${id}`, { content: 'The second wording' }));
    expectSuccess(
      await kitchen.app.as(max).post('/messages/flags', { messages: [id], op: 'add', flag: 'read' }),
    );
    const open = await kitchen.run.signedIn(mia, topicPath('versions'));
    const { page } = open;
    const dialog = page.getByRole('dialog');
    await choose(page, 'The second wording', 'Edit history');
    await dialog.getByText('The first wording').waitFor();
    await open.expectAccessible();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await choose(page, 'The second wording', 'Read by');
    await dialog.getByText('Max').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await choose(page, 'The second wording', 'Remind me');
    await dialog.getByLabel('When').selectOption('tomorrow');
    await dialog.getByRole('button', { name: 'Remind me' }).click();
    await page.getByText('Reminder set for').waitFor();
    const { reminders } = expectSuccess(await kitchen.app.as(mia).get('/reminders'));
    expect(reminders).toMatchObject([{ reminder_target_message_id: id }]);
  });

  it('reports a message to the moderators, where there is a channel for that', async () => {
    const { mia, max, olivia } = kitchen.app.cast;
    await sendTo(kitchen.app, max, kitchen.channel, 'manners', 'Your soup is bad');
    await sendTo(kitchen.app, mia, kitchen.channel, 'manners', 'My own line');
    const open = await kitchen.run.signedIn(mia, topicPath('manners'));
    const { page } = open;
    const reporting = async (text: string) => {
      await message(page, text).hover();
      await message(page, text).getByRole('button', { name: 'More actions' }).click();
      await item(page, 'Copy text').waitFor();
      const count = await item(page, 'Report message').count();
      await page.keyboard.press('Escape');
      return count === 1;
    };
    expect(await reporting('Your soup is bad')).toBe(false);
    const reports = await createChannelWith(kitchen.app, olivia, [], 'reports', { invite_only: true });
    expectSuccess(await kitchen.app.as(olivia).patch('/realm', { moderation_request_channel_id: reports }));
    while (!(await reporting('Your soup is bad')));
    expect(await reporting('My own line')).toBe(false);
    await choose(page, 'Your soup is bad', 'Report message');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').selectOption('Harassment');
    await dialog.getByLabel('Explanation').fill('It hurts');
    await open.expectAccessible();
    await dialog.getByRole('button', { name: 'Send report' }).click();
    await page.getByText('Report sent to the moderators').waitFor();
    const [id] = await fetchIds(kitchen.app, olivia, [{ operator: 'channel', operand: reports }]);
    expect((await fetchMessage(kitchen.app, olivia, id!)).content).toMatch(
      /Harassment[^]*It hurts[^]*Your soup is bad/,
    );
  });

  it('marks as unread from a message on, and leads from a feed to an answer', async () => {
    const { mia, max } = kitchen.app.cast;
    const ids: number[] = [];
    for (const text of ['Line one', 'Line two', 'Line three'])
      ids.push(await sendTo(kitchen.app, max, kitchen.channel, 'later', text));
    const { page } = await kitchen.run.signedIn(mia, topicPath('later'));
    const line = (name: RegExp) => page.getByRole('navigation').getByRole('link', { name });
    await line(/^later$/).waitFor();
    await choose(page, 'Line two', 'Mark as unread from here');
    await line(/^later 2 unread/).waitFor();
    expect((await fetchMessage(kitchen.app, mia, ids[0]!)).flags).toContain('read');
    await page.goto(`/console/channels/${kitchen.channel}`);
    await choose(page, 'Line three', 'Reply');
    await page.getByRole('heading', { level: 1, name: 'later' }).waitFor();
    await page.locator('.composer textarea:focus').fill('An answer');
  });

  it('moves messages, resolves and deletes a topic, and everybody follows', async () => {
    const { max, olivia } = kitchen.app.cast;
    await sendTo(kitchen.app, olivia, kitchen.channel, 'mixed up', 'About soup');
    await sendTo(kitchen.app, olivia, kitchen.channel, 'mixed up', 'About chairs');
    const hers = await kitchen.run.signedIn(olivia, topicPath('mixed up'));
    const { page } = hers;
    const { page: his } = await kitchen.run.signedIn(max, topicPath('mixed up'));
    const dialog = page.getByRole('dialog');
    await choose(page, 'About chairs', 'Move message');
    await dialog.getByLabel('Topic', { exact: true }).fill('chairs');
    await hers.expectAccessible();
    await dialog.getByRole('button', { name: 'Move', exact: true }).click();
    await message(his, 'About chairs').waitFor({ state: 'detached' });
    const actions = (name: string) => page.getByRole('button', { name });
    await actions('Topic actions').click();
    await item(page, 'Mark as resolved').waitFor();
    await hers.expectAccessible();
    await item(page, 'Mark as resolved').click();
    await his.getByRole('heading', { level: 1, name: '✔ mixed up' }).waitFor();
    await page.getByRole('heading', { level: 1, name: '✔ mixed up' }).waitFor();
    await actions('Topic actions').click();
    await item(page, 'Rename or move topic').click();
    await dialog.getByLabel('Topic', { exact: true }).fill('soup');
    await dialog.getByRole('button', { name: 'Move', exact: true }).click();
    await his.getByRole('heading', { level: 1, name: 'soup' }).waitFor();
    await page.getByRole('heading', { level: 1, name: 'soup' }).waitFor();
    await actions('Topic actions').click();
    await item(page, 'Delete topic').click();
    await dialog.getByRole('button', { name: 'Delete topic' }).click();
    await page.getByRole('heading', { level: 1, name: '#kitchen' }).waitFor();
    await message(his, 'About soup').waitFor({ state: 'detached' });
  });

  it('pins a channel and leaves it', async () => {
    const { mia } = kitchen.app.cast;
    const other = await createChannelWith(kitchen.app, kitchen.app.cast.olivia, [mia], 'attic');
    const open = await kitchen.run.signedIn(mia, `/console/channels/${other}`);
    const { page } = open;
    const menu = page.getByRole('button', { name: 'Channel actions' });
    await menu.click();
    await item(page, 'Pin to top').waitFor();
    await open.expectAccessible();
    await item(page, 'Pin to top').click();
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await menu.click();
    await page.getByRole('menuitemcheckbox', { name: 'Pin to top', checked: true }).waitFor();
    await item(page, 'Leave channel').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave channel' }).click();
    await page.getByRole('button', { name: 'Subscribe' }).waitFor();
  });

  it('shows who somebody is and whether they are there, and leads to a direct message', async () => {
    const { mia, max } = kitchen.app.cast;
    await sendTo(kitchen.app, max, kitchen.channel, 'people', 'Here I am');
    await kitchen.run.signedIn(max);
    const open = await kitchen.run.signedIn(mia, topicPath('people'), {
      viewport: { width: 390, height: 700 },
      colorScheme: 'dark',
    });
    const { page } = open;
    const sender = page.locator('button.sender').first();
    await sender.click();
    const card = page.getByRole('dialog', { name: /^About Max/ });
    await card.getByText('Active', { exact: true }).waitFor();
    await card.getByText('Member', { exact: true }).waitFor();
    await open.expectAccessible();
    await page.keyboard.press('Escape');
    await card.waitFor({ state: 'detached' });
    expect(await sender.evaluate('document.activeElement.className')).toBe('sender');
    await sender.click();
    await card.getByRole('link', { name: 'Send direct message' }).click();
    await page.getByRole('heading', { level: 1, name: /^Max/ }).waitFor();
    await holds(page.locator('.composer textarea'), '');
  });
});
