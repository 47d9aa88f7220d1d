import type { Page } from 'playwright-core';
import { BROWSER_TIMEOUT_MS, describeInBrowser, signIn, signOut } from '../support/browser';
import { startKitchen } from '../support/kitchen';
import { sendDirect, sendTo } from '../support/message-setup';

jest.setTimeout(BROWSER_TIMEOUT_MS);

/** Counts what people would see and hear. */
const TOLD = `window.told = { notices: [], sounds: 0 };
window.Notification = class {
  static permission = 'granted';
  constructor(title, { body }) { window.told.notices.push(body); }
  close() {}
};
window.AudioContext = class extends AudioContext {
  constructor() { super(); window.told.sounds++; }
};`;

interface Told {
  readonly notices: readonly string[];
  readonly sounds: number;
}

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

  it('tell of a message once, and not at all where it is before the reader', async () => {
    const { mia, max } = kitchen.app.cast;
    const { page: first } = await kitchen.run.visitor();
    const context = first.context();
    await context.addInitScript(TOLD);
    const pages = [first, await context.newPage(), await context.newPage()];
    for (const page of pages) {
      await page.goto('/console/starred');
      if (page === first) await signIn(page, mia);
      await isLive(page);
      // Browsers play nothing on pages that were not touched.
      await page.getByRole('heading', { level: 1, name: 'Starred' }).click();
    }
    const told = async () => {
      const all = await Promise.all(pages.map((page) => page.evaluate<Told>('told')));
      return { notices: all.flatMap(({ notices }) => notices), sounds: all.map(({ sounds }) => sounds) };
    };
    const isTold = async (body: string): Promise<void> =>
      (await told()).notices.includes(body) ? undefined : isTold(body);
    await sendDirect(kitchen.app, max, [mia], 'Once');
    await isTold('Once');
    for (const page of pages) {
      await page.getByRole('link', { name: /^Max.* 1 unread/ }).waitFor();
      // What the tab has asked the browser for is answered by now.
      await page.evaluate("navigator.locks.request('any', () => navigator.locks.query())");
    }
    const { notices, sounds } = await told();
    expect(notices).toEqual(['Once']);
    expect(sounds.reduce((one, other) => one + other)).toBe(1);
    // The second tab has the topic open: what is said there is seen.
    await pages[1]!.goto(kitchen.topicPath('soup'));
    await pages[1]!.locator('.composer textarea').waitFor();
    await isLive(pages[1]!);
    await say('soup', 'Hot, @**Mia Member**');
    await hears(pages[1]!, 'Hot');
    await sendDirect(kitchen.app, max, [mia], 'Twice');
    await isTold('Twice');
    expect((await told()).notices.filter((body) => /Hot|Twice/.test(body))).toEqual(['Twice']);
  });

  it('all lead to where one signs in, once one of them has signed out', async () => {
    const tabs = await tabsOn('leaving', 3);
    await signOut(tabs[1]!.page);
    for (const { page } of tabs) await page.waitForURL(/\/login\//);
    expect(tabs.map(({ page }) => new URL(page.url()).pathname)).toEqual(['/login/', '/login/', '/login/']);
    tabs[0]!.open.forgive(/status of 401/);
  });
});
