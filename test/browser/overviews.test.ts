import type { Page } from 'playwright-core';
import { BROWSER_TIMEOUT_MS, BrowserRun, describeInBrowser, PHONE } from '../support/browser';
import { createChannelWith } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { sendDirect, sendTo } from '../support/message-setup';
import type { TestApp } from '../support/test-app';

jest.setTimeout(BROWSER_TIMEOUT_MS);

const rows = (page: Page) => page.locator('.place-row');
const row = (page: Page, name: string) => page.locator('.places li', { hasText: name });
const namesOf = (page: Page) => page.locator('.places .row-title > .name').allInnerTexts();

describeInBrowser('lists of conversations in the console', () => {
  let run: BrowserRun;
  let app: TestApp;
  let kitchen: number;
  let cellar: number;

  beforeAll(async () => {
    run = await BrowserRun.start();
    app = run.app;
    const { mia, max, olivia } = app.cast;
    kitchen = await createChannelWith(app, olivia, [mia, max], 'kitchen');
    cellar = await createChannelWith(app, olivia, [mia, max], 'cellar');
  });

  beforeEach(async () => expectSuccess(await app.as(app.cast.mia).post('/mark_all_as_read')));
  afterEach(() => run.closeAll());
  afterAll(() => run.stop());

  const setPolicy = async (topic: string, visibility_policy: number) =>
    expectSuccess(
      await app.as(app.cast.mia).post('/user_topics', { stream_id: kitchen, topic, visibility_policy }),
    );

  it('has the newest unread conversations first in the inbox, with who wrote what', async () => {
    const { mia, max, olivia } = app.cast;
    await sendTo(app, max, kitchen, 'lunch', 'Soup **at noon**?');
    await sendTo(app, max, cellar, 'wine', 'Red\n\nor white');
    await sendTo(app, olivia, kitchen, 'dinner', 'Bread, @**Mia Member**');
    await sendTo(app, max, kitchen, 'noise', 'Bang');
    await setPolicy('noise', 1);
    await setPolicy('dinner', 3);
    await sendDirect(app, max, [mia], 'Just us');
    await sendDirect(app, olivia, [mia], 'The two of us');
    const open = await run.signedIn(mia);
    const { page } = open;
    await page.getByText(`${olivia.fullName}: The two of us`).waitFor();
    expect(await namesOf(page)).toEqual([olivia.fullName, max.fullName, 'dinner', 'lunch', 'wine']);
    const sections = await page.locator('main h2').allInnerTexts();
    expect(sections.map((each) => each.split('\n')[0])).toEqual(['Direct messages', 'kitchen', 'cellar']);
    await row(page, 'lunch').getByText(`${max.fullName}: Soup at noon?`).waitFor();
    await row(page, 'wine').getByText('Red or white').waitFor();
    await row(page, 'dinner').getByTitle('mentions you').waitFor();
    await open.expectAccessible();

    // What comes in goes to the top, and what is edited or deleted is seen so.
    const id = await sendTo(app, max, cellar, 'wine', 'White it is');
    await row(page, 'wine').getByText('White it is').waitFor();
    await page.locator('main h2').nth(1).getByText('cellar').waitFor();
    expectSuccess(await app.as(max).patch(`/messages/${id}`, { content: 'Red it is' }));
    await row(page, 'wine').getByText('Red it is').waitFor();
    expectSuccess(await app.as(olivia).delete(`/messages/${id}`));
    await row(page, 'wine').getByText('Red or white').waitFor();

    await page.getByRole('button', { name: 'Followed' }).click();
    await row(page, 'lunch').waitFor({ state: 'detached' });
    expect(await namesOf(page)).toEqual(['dinner']);
    await page.getByRole('button', { name: 'Followed' }).click();
    await page.getByRole('button', { name: 'Include muted' }).click();
    await row(page, 'noise').waitFor();
    await page.getByRole('searchbox', { name: 'Filter conversations' }).fill('kitchen');
    await row(page, 'wine').waitFor({ state: 'detached' });
    expect(new Set(await namesOf(page))).toEqual(new Set(['noise', 'dinner', 'lunch']));
    await page.getByRole('searchbox', { name: 'Filter conversations' }).fill('');

    // Muting from the menu of a row, and reading without going there.
    await page.getByRole('button', { name: 'Include muted' }).click();
    await row(page, 'lunch').hover();
    await row(page, 'lunch').getByRole('button', { name: 'Topic actions' }).click();
    await page.getByRole('menu').waitFor();
    await open.expectAccessible();
    await page.getByRole('menuitemcheckbox', { name: 'Mute', exact: true }).click();
    await row(page, 'lunch').waitFor({ state: 'detached' });
    await row(page, 'dinner').hover();
    await row(page, 'dinner').getByRole('button', { name: 'Mark as read' }).click();
    await row(page, 'dinner').waitFor({ state: 'detached' });
    await rows(page).filter({ hasText: 'wine' }).click();
    await page.getByRole('heading', { level: 1, name: 'wine' }).waitFor();
  });

  it('has all conversations by time, with filters, by keys alone', async () => {
    const { mia, max, olivia } = app.cast;
    await sendTo(app, olivia, kitchen, 'breakfast', 'Eggs', { read_by_sender: true });
    await sendTo(app, mia, kitchen, 'breakfast', 'With salt', { read_by_sender: true });
    await sendDirect(app, max, [mia], 'A word');
    await sendTo(app, max, cellar, 'beer', 'Cold');
    await app.as(mia).post('/mark_topic_as_read', { stream_id: kitchen, topic_name: 'breakfast' });
    const open = await run.signedIn(mia, '/console/starred', { colorScheme: 'dark' });
    const { page } = open;
    await page.getByRole('heading', { level: 1, name: 'Starred' }).waitFor();
    await page.keyboard.press('t');
    await page.getByRole('heading', { level: 1, name: 'Recent conversations' }).waitFor();
    await row(page, 'beer').getByText(`${max.fullName}: Cold`).waitFor();
    expect((await namesOf(page)).slice(0, 3)).toEqual(['beer', max.fullName, 'breakfast']);
    await row(page, 'breakfast').getByText('You: With salt').waitFor();
    expect(await row(page, 'breakfast').locator('.stack .avatar').count()).toBe(2);
    await open.expectAccessible();
    for (const [filter, expected] of [
      ['Unread', ['beer', max.fullName]],
      ['Participated', ['breakfast']],
      ['Direct messages', [max.fullName]],
    ] as const) {
      const button = page.locator('.filter', { hasText: filter });
      await button.click();
      await page.waitForFunction(
        `document.querySelectorAll('.places .row-title > .name').length <= ${filter === 'Direct messages' ? 2 : expected.length}`,
      );
      expect(await namesOf(page)).toEqual(expect.arrayContaining([...expected]));
      expect(await page.getByText('beer', { exact: true }).count()).toBe(filter === 'Unread' ? 1 : 0);
      await button.click();
    }
    // A message that comes in leads, as does the key to what is newest.
    await sendTo(app, olivia, kitchen, 'breakfast', 'And pepper');
    await page.locator('.places li').first().getByText('And pepper').waitFor();
    await page.locator('main h1').focus();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    expect(await page.evaluate('document.activeElement.textContent')).toContain('beer');
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'breakfast' }).waitFor();
  });

  it('reads everything in one feed but what is muted, and answers where a message is', async () => {
    const { mia, max } = app.cast;
    await setPolicy('drums', 1);
    await sendTo(app, max, kitchen, 'tea', 'Green');
    await sendTo(app, max, kitchen, 'drums', 'Boom');
    await sendTo(app, max, cellar, 'juice', 'Apple');
    const open = await run.signedIn(mia, '/console/starred');
    const { page } = open;
    await page.getByRole('heading', { level: 1, name: 'Starred' }).waitFor();
    await page.keyboard.press('a');
    await page.getByRole('heading', { level: 1, name: 'Combined feed' }).waitFor();
    await page.locator('.message', { hasText: 'Apple' }).waitFor();
    await page.locator('.divider.new').waitFor();
    await page.getByRole('link', { name: '#cellar › juice' }).waitFor();
    await open.expectAccessible();
    await sendTo(app, max, kitchen, 'drums', 'Boom again');
    await sendTo(app, max, kitchen, 'tea', 'Or black');
    const newest = page.locator('.message', { hasText: 'Or black' });
    await newest.waitFor();
    expect(await page.getByText('Boom').count()).toBe(0);
    await newest.focus();
    await page.keyboard.press('r');
    await page.getByRole('heading', { level: 1, name: 'tea' }).waitFor();
    await page.locator('.composer textarea:focus').waitFor();
  });

  it('fits a phone', async () => {
    const { mia, max } = app.cast;
    await sendTo(app, max, kitchen, 'a topic with a name as long as they come, or nearly', 'x'.repeat(300));
    const open = await run.signedIn(mia, '/console', PHONE);
    for (const path of ['/console', '/console/recent']) {
      await open.page.goto(path);
      await rows(open.page).first().getByText('xxx').waitFor();
      expect(Number(await open.page.evaluate('document.documentElement.scrollWidth'))).toBe(390);
      await open.expectAccessible();
    }
    await rows(open.page).first().tap();
    await open.page.getByRole('heading', { level: 1, name: /^a topic/ }).waitFor();
  });
});
