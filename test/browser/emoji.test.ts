import type { Page } from 'playwright-core';
import { BROWSER_TIMEOUT_MS, describeInBrowser, holds } from '../support/browser';
import { startKitchen } from '../support/kitchen';
import { sendTo } from '../support/message-setup';

jest.setTimeout(BROWSER_TIMEOUT_MS);

const composer = (page: Page) => page.locator('.composer textarea');
const picker = (page: Page) => page.getByRole('dialog', { name: 'Emoji' });
const cell = (page: Page, name: string) => picker(page).getByRole('button', { name, exact: true });

describeInBrowser('the emoji picker', () => {
  const kitchen = startKitchen();
  const { topicPath } = kitchen;

  it('reacts with what keys alone have found, by any of its names, and offers it first then', async () => {
    const { mia, max } = kitchen.app.cast;
    const id = await sendTo(kitchen.app, max, kitchen.channel, 'reactions', 'Soup?');
    const open = await kitchen.run.signedIn(mia, topicPath('reactions'), { colorScheme: 'dark' });
    const { page } = open;
    const own = page.locator(`[data-id="${id}"]`);
    await own.focus();
    await page.keyboard.press(':');
    await picker(page).getByRole('searchbox', { name: 'Search emoji' }).waitFor();
    // The other name of what is shown as "+1".
    await page.keyboard.type('thumbs up');
    await cell(page, '+1').waitFor();
    await open.expectAccessible();
    await page.keyboard.press('ArrowDown');
    await cell(page, '+1').and(page.locator(':focus')).waitFor();
    await picker(page).getByText(':thumbs_up:').waitFor();
    await page.keyboard.press('Enter');
    await picker(page).waitFor({ state: 'detached' });
    await own.getByRole('button', { name: '+1: Mia Member' }).waitFor();
    const { message } = (await kitchen.app.as(mia).get(`/messages/${id}`)).body;
    expect(message.reactions).toMatchObject([{ emoji_name: '+1', emoji_code: '1f44d' }]);
    await own.focus();
    await page.keyboard.press(':');
    await page.keyboard.type('octopus');
    await cell(page, 'octopus').waitFor();
    await page.keyboard.press('Enter');
    await own.getByRole('button', { name: 'octopus: Mia Member' }).waitFor();
    await own.focus();
    await page.keyboard.press(':');
    await picker(page).waitFor();
    expect(
      await picker(page).getByRole('gridcell').first().getByRole('button').getAttribute('aria-label'),
    ).toBe('octopus');
    await page.keyboard.press('Escape');
    await picker(page).waitFor({ state: 'detached' });
  });

  it('leads through categories and rows, and back to the search', async () => {
    const open = await kitchen.run.signedIn(kitchen.app.cast.mia, topicPath('categories'));
    const { page } = open;
    await page.getByRole('button', { name: 'Insert emoji' }).click();
    await picker(page).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowLeft');
    await picker(page)
      .getByRole('tab', { name: 'Flags', selected: true })
      .and(page.locator(':focus'))
      .waitFor();
    await cell(page, 'checkered flag').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await picker(page).getByRole('tab', { name: 'Smileys and emotion', selected: true }).waitFor();
    await cell(page, 'grinning').waitFor();
    await open.expectAccessible();
    await page.keyboard.press('Tab');
    await cell(page, 'grinning').and(page.locator(':focus')).waitFor();
    const focused = () => page.evaluate('document.activeElement.getAttribute("aria-label")');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    expect(await focused()).not.toBe('grinning');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowLeft');
    expect(await focused()).toBe('grinning');
    await page.keyboard.press('ArrowUp');
    expect(await focused()).toBe('Search emoji');
    await page.keyboard.type('no such thing');
    await picker(page).getByText('No emoji found').waitFor();
  });

  it('puts emoji where one writes, in the skin tone that was chosen, and stays open on request', async () => {
    const { page } = await kitchen.run.signedIn(kitchen.app.cast.mia, topicPath('tones'));
    await composer(page).fill('Hi there');
    for (let back = 0; back < 5; back++) await composer(page).press('ArrowLeft');
    await page.getByRole('button', { name: 'Insert emoji' }).click();
    await picker(page)
      .getByRole('group', { name: 'Skin tone' })
      .getByRole('button', { name: 'Dark', exact: true })
      .click();
    await picker(page).getByRole('searchbox').fill('wave');
    await cell(page, 'wave').waitFor();
    await picker(page).getByRole('searchbox').press('Shift+Enter');
    await holds(composer(page), 'Hi \u{1f44b}\u{1f3ff} there');
    await picker(page).getByRole('searchbox').fill('soup');
    await picker(page).getByRole('searchbox').fill('heart');
    await cell(page, 'heart').waitFor();
    await picker(page).getByRole('searchbox').press('Enter');
    await holds(composer(page), ':heart:');
    await page.locator('.composer textarea:focus').waitFor();
    await composer(page).press('Control+Enter');
    await page.locator('.message', { hasText: '\u{1f44b}\u{1f3ff}' }).waitFor();
    // The tone is that of this device from now on.
    await page.getByRole('button', { name: 'Insert emoji' }).click();
    await picker(page).getByRole('button', { name: 'Dark', exact: true, pressed: true }).waitFor();
  });
});
