import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import {
  becomesEmpty,
  BROWSER_TIMEOUT_MS,
  describeInBrowser,
  holds,
  signIn,
  signOut,
} from '../support/browser';
import type { Member } from '../support/cast';
import { expectSuccess } from '../support/expect-answer';
import { startKitchen } from '../support/kitchen';

jest.setTimeout(BROWSER_TIMEOUT_MS);

const composer = (page: Page) => page.locator('.composer textarea');
const row = (page: Page, text: string) => page.locator('.unsent-row', { hasText: text });
const link = (page: Page, name: string | RegExp) =>
  page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name });

describeInBrowser('drafts in the console', () => {
  const kitchen = startKitchen();
  const { topicPath } = kitchen;

  afterEach(async () => {
    for (const { id } of await draftsOf(kitchen.app.cast.mia))
      await kitchen.app.as(kitchen.app.cast.mia).delete(`/drafts/${id}`);
  });

  async function draftsOf(member: Member): Promise<{ id: number; content: string; topic: string }[]> {
    return expectSuccess(await kitchen.app.as(member).get('/drafts')).drafts as never;
  }

  /** Waits until the server has these drafts and no others. */
  async function hasDrafts(member: Member, ...contents: string[]): Promise<void> {
    let found = ['not looked yet'];
    for (let look = 0; look < 300 && found.join() !== [...contents].sort().join(); look++) {
      await pause(100);
      found = (await draftsOf(member)).map(({ content }) => content).sort();
    }
    expect(found).toEqual([...contents].sort());
  }

  it('are the same in every window, until one of them sends the message', async () => {
    const { mia } = kitchen.app.cast;
    const { page: one } = await kitchen.run.signedIn(mia, topicPath('soup'));
    const { page: other } = await kitchen.run.signedIn(mia);
    await composer(one).fill('Soup at no');
    await link(other, /^Drafts 1$/).waitFor();
    await other.keyboard.press('d');
    await other.getByRole('heading', { level: 1, name: 'Drafts' }).waitFor();
    await row(other, 'Soup at no').getByText('#kitchen › soup').waitFor();
    await row(other, 'Soup at no').getByRole('button', { name: 'Open draft' }).click();
    await other.locator('.composer textarea:focus').waitFor();
    expect(await composer(other).inputValue()).toBe('Soup at no');
    await composer(other).pressSequentially('on?');
    await holds(composer(one), 'Soup at noon?');
    await composer(one).press('Control+Enter');
    await becomesEmpty(composer(other));
    await hasDrafts(mia);
    await link(other, /^Drafts$/).waitFor();
  });

  it('outlast closing the window and signing in elsewhere, with their topic, and none is left by signing out', async () => {
    const { mia } = kitchen.app.cast;
    const { page } = await kitchen.run.signedIn(mia, `/console/channels/${kitchen.channel}`);
    await page.getByRole('textbox', { name: 'Topic', exact: true }).fill('bread');
    await composer(page).fill('Closed at once');
    const context = page.context();
    await page.close({ runBeforeUnload: true });
    const again = await context.newPage();
    await again.goto(`/console/channels/${kitchen.channel}`);
    await holds(composer(again), 'Closed at once');
    await hasDrafts(mia, 'Closed at once');
    const { page: elsewhere } = await kitchen.run.signedIn(mia, topicPath('bread'));
    await holds(composer(elsewhere), 'Closed at once');
    const stored = () =>
      again.evaluate('Object.keys(localStorage).filter((key) => /^draft/.test(key)).length');
    expect(await stored()).toBeGreaterThan(0);
    await signOut(again);
    await again.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    expect(await stored()).toBe(0);
    await signIn(again, mia);
    await again.goto(topicPath('bread'));
    await holds(composer(again), 'Closed at once');
    await composer(again).fill('');
    await hasDrafts(mia);
  });

  it('that were written at the same time are both kept, found, exchanged, deleted and brought back', async () => {
    const { mia, max } = kitchen.app.cast;
    const open = await kitchen.run.signedIn(mia, `/console/direct/${max.id}`);
    const { page } = open;
    await composer(page).fill('Written here');
    const draft = { type: 'private', to: [max.id], topic: '', content: 'Written on the phone' };
    expectSuccess(await kitchen.app.as(mia).post('/drafts', { drafts: [draft] }));
    await hasDrafts(mia, 'Written here', 'Written on the phone');
    expect(await composer(page).inputValue()).toBe('Written here');
    await link(page, /^Drafts 2$/).click();
    await row(page, 'Written here').waitFor();
    await open.expectAccessible();
    await row(page, 'on the phone').getByRole('button', { name: 'Open draft' }).click();
    await holds(composer(page), 'Written on the phone');
    await page.keyboard.press('Escape');
    await link(page, /^Drafts 2$/).click();
    await page.getByRole('searchbox', { name: 'Filter drafts' }).fill('HERE');
    await row(page, 'on the phone').waitFor({ state: 'detached' });
    await row(page, 'Written here').getByRole('button', { name: 'Delete draft' }).click();
    await hasDrafts(mia, 'Written on the phone');
    await open.expectAccessible();
    await page.getByRole('button', { name: 'Undo' }).click();
    await hasDrafts(mia, 'Written here', 'Written on the phone');
    for (const { id } of await draftsOf(mia))
      expectSuccess(await kitchen.app.as(mia).delete(`/drafts/${id}`));
    await page.getByText('No drafts. Unsent text').waitFor();
  });

  it('are not replaced by others before they are stored, and say where restoring fails', async () => {
    const { mia, max } = kitchen.app.cast;
    const open = await kitchen.run.signedIn(mia, `/console/direct/${max.id}`);
    const { page } = open;
    await composer(page).fill('One');
    await hasDrafts(mia, 'One');
    const id = (await draftsOf(mia))[0]!.id;
    await page.route(/\/json\/drafts/, (route) =>
      route.request().method() === 'GET' ? route.continue() : route.abort(),
    );
    await composer(page).fill('One and two');
    await page.reload();
    await holds(composer(page), 'One and two');
    const draft = { type: 'private', to: [max.id], topic: '', content: 'Another' };
    expectSuccess(await kitchen.app.as(mia).patch(`/drafts/${id}`, { draft }));
    await link(page, /^Drafts 2$/).waitFor();
    expect(await composer(page).inputValue()).toBe('One and two');
    await page.unroute(/\/json\/drafts/);
    await page.reload();
    await hasDrafts(mia, 'Another', 'One and two');
    await link(page, /^Drafts 2$/).click();
    await row(page, 'Another').getByRole('button', { name: 'Delete draft' }).click();
    await hasDrafts(mia, 'One and two');
    await page.route(/\/json\/drafts/, (route) => route.abort());
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Can’t reach the server. Try again in a moment.').waitFor();
    await page.unroute(/\/json\/drafts/);
    open.forgive(/ERR_FAILED/);
  });

  it('are forgotten where only a topic was named', async () => {
    const { page } = await kitchen.run.signedIn(kitchen.app.cast.mia, `/console/channels/${kitchen.channel}`);
    const topic = page.getByRole('textbox', { name: 'Topic', exact: true });
    await topic.fill('bread');
    await link(page, 'Mentions').click();
    await page.getByRole('heading', { level: 1, name: 'Mentions' }).waitFor();
    await page.goBack();
    expect(await topic.inputValue()).toBe('');
  });

  it('stay on the device where their owner wants that', async () => {
    const { mia } = kitchen.app.cast;
    const open = await kitchen.run.signedIn(mia, topicPath('private'));
    const { page } = open;
    const set = async (isOn: boolean) =>
      expectSuccess(await kitchen.app.as(mia).patch('/settings', { enable_drafts_synchronization: isOn }));
    await set(false);
    // What the server would refuse is a complaint of the page.
    await composer(page).fill('For me alone');
    await link(page, 'Mentions').click();
    await page.getByRole('heading', { level: 1, name: 'Mentions' }).waitFor();
    await page.goto(topicPath('private'));
    await holds(composer(page), 'For me alone');
    await set(true);
  });
});
