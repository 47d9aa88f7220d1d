import type { Page } from 'playwright-core';
import { BROWSER_TIMEOUT_MS, describeInBrowser, signIn } from '../support/browser';
import { startKitchen } from '../support/kitchen';
import { sendTo } from '../support/message-setup';

jest.setTimeout(BROWSER_TIMEOUT_MS);

/** Requests of a page to an endpoint. */
function requestsOf(page: Page, pattern: RegExp): string[] {
  const found: string[] = [];
  page.on('request', (request) => {
    if (pattern.test(request.url())) found.push(request.url());
  });
  return found;
}

describeInBrowser('several tabs', () => {
  const kitchen = startKitchen();

  /** So many tabs of Mia on one topic, in the order in which they were opened. */
  async function tabsOn(topic: string, count: number) {
    const path = kitchen.topicPath(topic);
    const open = await kitchen.run.visitor();
    const { page: first } = open;
    const tabs = [
      {
        open,
        page: first,
        registered: requestsOf(first, /json\/register/),
        polls: requestsOf(first, /json\/events/),
      },
    ];
    await first.goto(path);
    await signIn(first, kitchen.app.cast.mia);
    await isLive(first);
    while (tabs.length < count) {
      const page = await first.context().newPage();
      tabs.push({
        open,
        page,
        registered: requestsOf(page, /json\/register/),
        polls: requestsOf(page, /json\/events/),
      });
      await page.goto(path);
      await isLive(page);
    }
    return tabs;
  }
  const isLive = (page: Page) => page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
  const say = (topic: string, content: string) =>
    sendTo(kitchen.app, kitchen.app.cast.max, kitchen.channel, topic, content);
  const hears = (page: Page, content: string) => page.locator('.message', { hasText: content }).waitFor();

  it('share one queue and one poll, and hear all the same', async () => {
    const tabs = await tabsOn('sharing', 3);
    await say('sharing', 'Soup is ready');
    for (const { page } of tabs) await hears(page, 'Soup is ready');
    expect(tabs.map(({ registered }) => registered.length)).toEqual([1, 0, 0]);
    expect(tabs.map(({ polls }) => polls.length > 0)).toEqual([true, false, false]);
    // What two of them send at once is not taken for one message.
    for (const { page } of tabs.slice(1)) {
      await page.bringToFront();
      await page.locator('.composer textarea').fill(`From tab ${tabs.findIndex((tab) => tab.page === page)}`);
      await page.keyboard.press('Control+Enter');
    }
    for (const { page } of tabs) {
      await hears(page, 'From tab 1');
      await hears(page, 'From tab 2');
      expect(await page.locator('.message', { hasText: 'From tab' }).count()).toBe(2);
    }
  });

  it('lose no message when the one that polls is closed', async () => {
    const [leader, ...others] = await tabsOn('closing', 3);
    await say('closing', 'before');
    for (const { page } of others) await hears(page, 'before');
    await Promise.all([
      leader!.page.close(),
      ...Array.from({ length: 5 }, (_, at) => say('closing', `while ${at}`)),
    ]);
    await say('closing', 'after');
    for (const { page } of others) {
      await hears(page, 'after');
      expect(await page.locator('.message', { hasText: 'while' }).count()).toBe(5);
    }
    expect(others.map(({ registered }) => registered.length)).toEqual([0, 0]);
    expect(others.filter(({ polls }) => polls.length > 0)).toHaveLength(1);
  });

  it('take over from one that is frozen, which catches up when it wakes', async () => {
    const [leader, other] = await tabsOn('freezing', 2);
    const session = await leader!.page.context().newCDPSession(leader!.page);
    await session.send('Debugger.enable');
    await session.send('Debugger.pause');
    const paused = new Promise((resolve) => session.once('Debugger.paused', resolve));
    void leader!.page.evaluate('0');
    await paused;
    const { page } = other!;
    const polls = page.waitForRequest(/json\/events/);
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await polls;
    await say('freezing', 'while it slept');
    await hears(page, 'while it slept');
    await session.send('Debugger.resume');
    await session.detach();
    await hears(leader!.page, 'while it slept');
    await say('freezing', 'once awake');
    for (const each of [page, leader!.page]) await hears(each, 'once awake');
    expect(await leader!.page.locator('.message', { hasText: 'while it slept' }).count()).toBe(1);
  });

  it('are not set back by what one knew before it slept, and share a queue by script', async () => {
    const [leader, other] = await tabsOn('waking', 2);
    // As a tab that took part would say it.
    const script = await leader!.page.evaluate<string>(`(async () => {
      const { held } = await navigator.locks.query();
      const { name } = held.find(({ name }) => name.startsWith('parley '));
      window.channel = new BroadcastChannel(name);
      window.said = [];
      const answer = new Promise((resolve) => {
        channel.onmessage = ({ data }) => {
          said.push(data.kind);
          if (data.kind === 'state') resolve(data);
        };
      });
      channel.postMessage({ kind: 'ask', at: null });
      window.old = await answer;
      return name.split(' ')[1];
    })()`);
    expect(await leader!.page.locator(`script[src="${new URL(script).pathname}"]`).count()).toBe(1);
    const { page } = other!;
    await page.bringToFront();
    await say('waking', 'before');
    await hears(page, 'before');
    await leader!.page.evaluate('said.length = 0; channel.postMessage(old)');
    await say('waking', 'after');
    await hears(page, 'after');
    await hears(leader!.page, 'after');
    expect(await leader!.page.evaluate<string[]>('said')).not.toContain('ask');
  });

  it('all lead to where one signs in, once one of them has signed out', async () => {
    const tabs = await tabsOn('leaving', 3);
    await tabs[1]!.page.getByRole('button', { name: 'Sign out' }).click();
    for (const { page } of tabs) await page.waitForURL(/\/login\//);
    expect(tabs.map(({ page }) => new URL(page.url()).pathname)).toEqual(['/login/', '/login/', '/login/']);
    tabs[0]!.open.forgive(/status of 401/);
  });
});
