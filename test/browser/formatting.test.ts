import type { Page } from 'playwright-core';
import { BROWSER_TIMEOUT_MS, describeInBrowser, holds } from '../support/browser';
import { startKitchen } from '../support/kitchen';

jest.setTimeout(BROWSER_TIMEOUT_MS);

const composer = (page: Page) => page.locator('.composer textarea');
const written = (page: Page) => composer(page).inputValue();
const button = (page: Page, name: RegExp | string) => page.getByRole('button', { name, exact: true });

describeInBrowser('formatting in the console', () => {
  const kitchen = startKitchen();
  const { topicPath } = kitchen;

  it.each([
    ['Control+b', '**soup**'],
    ['Control+i', '*soup*'],
    ['Control+e', '`soup`'],
    ['Control+Shift+x', '~~soup~~'],
    ['Control+Shift+l', '[soup](url)'],
  ])('%s makes %s of a word, and the browser undoes it', async (key, expected) => {
    const { page } = await kitchen.run.signedIn(kitchen.app.cast.mia, topicPath('keys'));
    await composer(page).fill('Hot soup');
    await composer(page).press('Control+Shift+ArrowLeft');
    await composer(page).press(key);
    expect(await written(page)).toBe(`Hot ${expected}`);
    await composer(page).press('Control+z');
    expect(await written(page)).toBe('Hot soup');
  });

  it('takes marks away where they are, and keeps bold apart from italic', async () => {
    const { page } = await kitchen.run.signedIn(kitchen.app.cast.mia, topicPath('marks'));
    await composer(page).fill('soup');
    await composer(page).press('Control+a');
    const steps = [
      ['b', '**soup**'],
      ['i', '***soup***'],
      ['b', '*soup*'],
      ['i', 'soup'],
    ] as const;
    for (const [key, expected] of steps) {
      await composer(page).press(`Control+${key}`);
      expect(await written(page)).toBe(expected);
    }
    await composer(page).fill('');
    await composer(page).press('Control+b');
    await page.keyboard.type('typed');
    expect(await written(page)).toBe('**typed**');
  });

  it('goes on with a list and a quotation on the next line, and ends them on an empty one', async () => {
    const { page } = await kitchen.run.signedIn(kitchen.app.cast.mia, topicPath('lists'));
    await composer(page).pressSequentially('9. nine');
    await composer(page).press('Shift+Enter');
    await page.keyboard.type('ten');
    await composer(page).press('Shift+Enter');
    expect(await written(page)).toBe('9. nine\n10. ten\n11. ');
    await composer(page).press('Shift+Enter');
    expect(await written(page)).toBe('9. nine\n10. ten\n');
    await composer(page).fill('> said');
    await composer(page).press('Shift+Enter');
    expect(await written(page)).toBe('> said\n> ');
    await composer(page).fill('one\ntwo');
    await composer(page).press('Control+a');
    await button(page, 'Numbered list').click();
    expect(await written(page)).toBe('1. one\n2. two');
    await button(page, 'Bulleted list').click();
    expect(await written(page)).toBe('* one\n* two');
    await button(page, 'Bulleted list').click();
    expect(await written(page)).toBe('one\ntwo');
    await button(page, 'Code (Ctrl+E)').click();
    expect(await written(page)).toBe('```\none\ntwo\n```');
    await button(page, 'Code (Ctrl+E)').click();
    await composer(page).press('Control+a');
    await button(page, 'Quote block').click();
    expect(await written(page)).toContain('```quote\n');
  });

  it('makes a link of words over which an address is pasted', async () => {
    const options = { permissions: ['clipboard-read', 'clipboard-write'] };
    const { page } = await kitchen.run.signedIn(kitchen.app.cast.mia, topicPath('links'), options);
    await page.evaluate("navigator.clipboard.writeText('https://example.com/soup')");
    await composer(page).fill('recipe');
    await composer(page).press('Control+a');
    await composer(page).press('Control+v');
    const link = '[recipe](https://example.com/soup)';
    await holds(composer(page), link);
    await composer(page).press('End');
    await composer(page).press('Control+v');
    await holds(composer(page), `${link}https://example.com/soup`);
    expect(await written(page)).toBe(`${link}https://example.com/soup`);
  });

  it('shows what a message will look like, by keys alone', async () => {
    const open = await kitchen.run.signedIn(kitchen.app.cast.mia, topicPath('preview'));
    const { page } = open;
    await composer(page).focus();
    await page.keyboard.type('**Hot** soup @**Max Member**');
    await page.keyboard.press('Alt+p');
    const region = page.getByRole('region', { name: 'Preview' });
    await region.locator('strong', { hasText: 'Hot' }).waitFor();
    await region.locator('.user-mention').waitFor();
    await page.locator('.written:focus').waitFor();
    await open.expectAccessible();
    await page.keyboard.press('Alt+p');
    await page.locator('.composer textarea:focus').waitFor();
    // The toolbar is one stop, and arrows lead through it.
    await page.keyboard.press('Tab');
    await page.locator('[role=toolbar] button:focus').waitFor();
    await page.keyboard.press('End');
    await button(page, 'Preview').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await region.locator('strong', { hasText: 'Hot' }).waitFor();
    await page.keyboard.press('Tab');
    await button(page, 'Send').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.message strong', { hasText: 'Hot' }).waitFor();
    await region.waitFor({ state: 'detached' });
    expect(await written(page)).toBe('');
  });

  it('keeps buttons of formats out of the way on a phone until they are asked for', async () => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    const open = await kitchen.run.signedIn(kitchen.app.cast.mia, topicPath('phone'), phone);
    const { page } = open;
    await button(page, /^Bold/).waitFor({ state: 'hidden' });
    await button(page, 'Formatting buttons').tap();
    await open.expectAccessible();
    await composer(page).fill('soup');
    await composer(page).press('Control+a');
    await button(page, /^Bold/).tap();
    expect(await written(page)).toBe('**soup**');
  });
});
