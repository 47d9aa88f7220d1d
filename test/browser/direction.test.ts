import type { Page } from 'playwright-core';
import { BROWSER_TIMEOUT_MS, describeInBrowser, openOwnMenu, type OpenPage, PHONE } from '../support/browser';
import { expectSuccess } from '../support/expect-answer';
import { startKitchen } from '../support/kitchen';
import { sendTo } from '../support/message-setup';

jest.setTimeout(BROWSER_TIMEOUT_MS);

const WIDE = { viewport: { width: 1400, height: 900 } };
const TABLET = { viewport: { width: 800, height: 900 } };

/** Elements without text, whose widths do not depend on the language, by selector. */
const BOXES = [
  'body > nav',
  'main',
  '.brand img',
  'header .compose',
  '.conversation > .page-head .back',
  '.title',
  '.conversation .actions',
  '.conversation .actions [aria-expanded]',
  '.message .avatar',
  '.divider',
  '.composer',
  '.writing-foot .button.main',
  '.details',
  '.details .list .presence',
  '.tabs',
  '.tabs .dot',
  '.face .presence',
  '.tools',
  '.up',
  '.section .icon',
];

/** Distances of visible elements from both edges of the window. */
const boxes = (page: Page) =>
  page.evaluate<Record<string, [number, number]>>(`Object.fromEntries(
    ${JSON.stringify(BOXES)}.flatMap((selector) => {
      const found = [...document.querySelectorAll(selector)].find((each) => each.checkVisibility());
      if (!found) return [];
      const { left, right } = found.getBoundingClientRect();
      return [[selector, [Math.round(left), Math.round(innerWidth - right)]]];
    }))`);

describeInBrowser('a language from right to left', () => {
  const kitchen = startKitchen();
  const { topicPath } = kitchen;

  beforeAll(async () => {
    const { mia, max } = kitchen.app.cast;
    await sendTo(kitchen.app, max, kitchen.channel, 'soup', 'With salt?');
    await sendTo(kitchen.app, mia, kitchen.channel, 'soup', 'مع الملح؟');
    expectSuccess(await kitchen.app.as(kitchen.app.cast.olivia).post('/mark_all_as_read'));
    await sendTo(kitchen.app, max, kitchen.channel, 'unread', 'Later');
  });

  /** Has the server answer as it would in such a language, whose texts are still English. */
  async function fromRight({ page }: OpenPage): Promise<void> {
    await page.route(/\/console(\/[^.]*)?$/, async (route) => {
      const answer = await route.fetch();
      const body = (await answer.text()).replace('dir="ltr"', 'dir="rtl"');
      await route.fulfill({ response: answer, body });
    });
    await page.reload();
  }

  const pages = [
    ['a conversation, with details', WIDE, () => topicPath('soup')],
    ['a conversation on a phone', PHONE, () => topicPath('soup')],
    ['a conversation on a tablet', TABLET, () => topicPath('soup')],
    ['settings', WIDE, () => '/console/settings/preferences'],
    ['settings on a phone', PHONE, () => '/console/organization/channels'],
  ] as const;

  it.each(pages)('mirrors %s', async (_, options, path) => {
    const open = await kitchen.run.signedIn(kitchen.app.cast.olivia, path(), options);
    const { page } = open;
    const settle = async () => {
      await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
      await page.locator('main h1').waitFor();
      await page
        .locator(path() === topicPath('soup') ? '.message >> nth=1' : 'main input >> nth=0')
        .waitFor();
    };
    if (options === WIDE && path() === topicPath('soup')) {
      await page.getByRole('button', { name: 'Details', exact: true }).click();
      await page.locator('.details .list').waitFor();
    }
    await page.reload();
    await settle();
    const before = await boxes(page);
    await fromRight(open);
    await settle();
    if ('.details' in before) await page.locator('.details .list').waitFor();
    const mirrored = Object.fromEntries(
      Object.entries(before).map(([selector, [left, right]]) => [selector, [right, left]]),
    );
    const after = await boxes(page);
    expect(Object.keys(before).length).toBeGreaterThan(3);
    const differences = Object.keys(mirrored).filter((selector) =>
      [0, 1].some((at) => Math.abs(mirrored[selector]![at]! - (after[selector]?.[at] ?? -99)) > 2),
    );
    expect(differences.map((selector) => [selector, mirrored[selector], after[selector]])).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await open.expectAccessible();
  });

  it('mirrors menus and arrows, and leaves what people wrote as it is', async () => {
    const open = await kitchen.run.signedIn(kitchen.app.cast.olivia, topicPath('soup'), WIDE);
    const { page } = open;
    await fromRight(open);
    await page.getByRole('button', { name: 'Topic actions' }).click();
    const button = (await page.getByRole('button', { name: 'Topic actions' }).boundingBox())!;
    const menu = (await page.getByRole('menu').boundingBox())!;
    // It starts at the right of its button, or if there is no room, at the left.
    expect([Math.round(menu.x + menu.width), Math.round(menu.x)]).toContainEqual(
      expect.closeTo(
        menu.x + menu.width > button.x + button.width + 2 ? button.x : button.x + button.width,
        -1,
      ),
    );
    await page.keyboard.press('Escape');
    const isMirrored = (selector: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).scale`);
    expect(await isMirrored('.writing-foot .button.main .icon')).toBe('-1 1');
    expect(await isMirrored('.compose .icon')).toBe('none');
    const directionOf = (text: string) =>
      page.evaluate(
        `getComputedStyle([...document.querySelectorAll('.rendered')].find((each) => each.textContent.includes('${text}'))).direction`,
      );
    expect(await directionOf('salt')).toBe('ltr');
    expect(await directionOf('الملح')).toBe('rtl');
    await page.locator('.toolbar button').first().focus();
    await page.keyboard.press('ArrowLeft');
    expect(await page.locator('.toolbar button').nth(1).evaluate('document.activeElement.title')).toBe(
      await page.locator('.toolbar button').nth(1).getAttribute('title'),
    );
    await openOwnMenu(page);
    await open.expectAccessible();
  });
});
