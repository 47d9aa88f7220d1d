import type { Page } from 'playwright-core';
import { becomesEmpty, BROWSER_TIMEOUT_MS, describeInBrowser, holds } from '../support/browser';
import { expectSuccess } from '../support/expect-answer';
import { startKitchen } from '../support/kitchen';
import { sendTo } from '../support/message-setup';

jest.setTimeout(BROWSER_TIMEOUT_MS);

const composer = (page: Page) => page.locator('.composer textarea');
const row = (page: Page, text: string) => page.locator('.unsent-row', { hasText: text });
const button = (page: Page, name: RegExp | string) => page.getByRole('button', { name, exact: true });
const link = (page: Page, name: string | RegExp) =>
  page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name });

describeInBrowser('what the console has sent later', () => {
  const kitchen = startKitchen();
  const { topicPath } = kitchen;

  const scheduled = async () =>
    expectSuccess(await kitchen.app.as(kitchen.app.cast.mia).get('/scheduled_messages'))
      .scheduled_messages as {
      content: string;
      scheduled_delivery_timestamp: number;
    }[];

  it('schedules by keys, takes it back, changes it, and sends it now', async () => {
    const open = await kitchen.run.signedIn(kitchen.app.cast.mia, topicPath('soup'));
    const { page } = open;
    const dialog = page.getByRole('dialog', { name: 'Schedule message' });
    await composer(page).fill('Soup tomorrow');
    await button(page, 'Send').focus();
    await page.keyboard.press('Tab');
    await button(page, 'Schedule message').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await dialog.getByLabel('When').selectOption({ label: 'Monday at 9:00\u202fAM' });
    await open.expectAccessible();
    await dialog.getByRole('button', { name: 'Schedule', exact: true }).click();
    await becomesEmpty(composer(page));
    const [first] = await scheduled();
    const monday = new Date(first!.scheduled_delivery_timestamp * 1000);
    expect([monday.getDay(), monday.getHours(), monday.getMinutes()]).toEqual([1, 9, 0]);
    await button(page, 'Undo').click();
    await holds(composer(page), 'Soup tomorrow');
    expect(await scheduled()).toEqual([]);

    await button(page, 'Schedule message').click();
    await dialog.getByLabel('When').selectOption('Another time');
    await dialog.getByLabel('Date and time').fill('2024-01-01T10:00');
    await dialog.getByRole('button', { name: 'Schedule', exact: true }).click();
    await dialog.getByRole('alert').getByText('must be in the future').waitFor();
    await dialog.getByLabel('Date and time').fill('2036-01-01T10:00');
    await dialog.getByRole('button', { name: 'Schedule', exact: true }).click();
    await page.getByText('Scheduled for Jan 1, 2036').waitFor();
    await link(page, /^Scheduled messages 1$/).click();
    await row(page, 'Soup tomorrow').getByText('#kitchen › soup').waitFor();
    await row(page, 'Soup tomorrow').getByText('Jan 1, 2036').waitFor();
    await open.expectAccessible();
    await row(page, 'Soup tomorrow').getByRole('button', { name: 'Edit' }).click();
    await dialog.getByLabel('Text').fill('Soup **today**');
    await dialog.getByLabel('Date and time').fill('2037-01-01T10:00');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row(page, 'Soup today').getByText('Jan 1, 2037').waitFor();
    await row(page, 'Soup today').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No scheduled messages.').waitFor();
    await button(page, 'Undo').click();
    await row(page, 'Soup today').getByRole('button', { name: 'Send now' }).click();
    await row(page, 'Soup today').waitFor({ state: 'detached' });
    await page.goto(topicPath('soup'));
    await page.locator('.message', { hasText: 'Soup today' }).waitFor();
    expect(await page.locator('.message').count()).toBe(1);
    open.forgive(/status of 400/);
  });

  it('reminds of a message at any time, with a note, and lists what it will remind of', async () => {
    const { mia, max } = kitchen.app.cast;
    await sendTo(kitchen.app, max, kitchen.channel, 'dishes', 'Who does the dishes?');
    const open = await kitchen.run.signedIn(mia, topicPath('dishes'));
    const { page } = open;
    const message = page.locator('.message', { hasText: 'Who does the dishes?' });
    const dialog = page.getByRole('dialog', { name: 'Remind me' });
    await message.hover();
    await message.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Remind me' }).click();
    await dialog.getByLabel('When').selectOption('Another time');
    await dialog.getByLabel('Date and time').fill('2036-02-01T10:00');
    await dialog.getByLabel('Note').fill('Not me again');
    await open.expectAccessible();
    await dialog.getByRole('button', { name: 'Remind me' }).click();
    await page.getByText('Reminder set for Feb 1, 2036').waitFor();
    await link(page, /^Reminders 1$/).click();
    await row(page, 'Not me again').getByText('Feb 1, 2036').waitFor();
    await open.expectAccessible();
    await row(page, 'Not me again').getByRole('link').first().click();
    await page.getByRole('heading', { level: 1, name: 'dishes' }).waitFor();
    await page.goto('/console/reminders');
    await row(page, 'Not me again').getByRole('button', { name: 'Delete reminder' }).click();
    await page.getByText('No reminders.').waitFor();
    expect(expectSuccess(await kitchen.app.as(mia).get('/reminders')).reminders).toEqual([]);
  });
});
