import { BROWSER_TIMEOUT_MS, describeInBrowser, PHONE } from '../support/browser';
import { startKitchen } from '../support/kitchen';
import { sendTo } from '../support/message-setup';

jest.setTimeout(BROWSER_TIMEOUT_MS);

describeInBrowser('who uses the console, and with what', () => {
  const kitchen = startKitchen();

  beforeAll(async () => {
    const { mia, max } = kitchen.app.cast;
    await sendTo(
      kitchen.app,
      max,
      kitchen.channel,
      'lunch',
      'Soup **at noon**? `code` [link](https://example.com) @**Mia Member**',
    );
    await sendTo(
      kitchen.app,
      max,
      kitchen.channel,
      'lunch',
      `> quoted\n\n~~~python\nprint(${'1'.repeat(300)})\n~~~\n| a | b |\n|--|--|\n| 1 | 2 |`,
    );
    const first = await sendTo(kitchen.app, max, kitchen.channel, 'dinner', 'Bread :bread:');
    await kitchen.app.as(max).post(`/messages/${first}/reactions`, { emoji_name: 'tada' });
    await kitchen.app.as(max).post('/messages', { type: 'direct', to: [mia.id], content: 'Just us' });
  });

  const pages = (): string[] => [
    '/console',
    '/console/recent',
    '/console/channels?part=all',
    '/console/feed',
    '/console/mentions',
    '/console/starred',
    '/console/drafts',
    '/console/scheduled',
    '/console/reminders',
    '/console/search?q=soup',
    '/console/direct',
    '/console/own/channels',
    '/console/own/messages',
    '/console/search',
    ...[
      'profile',
      'account',
      'security',
      'keys',
      'devices',
      'preferences',
      'notifications',
      'privacy',
      'muted',
    ].map((name) => `/console/settings/${name}`),
    `/console/direct/${kitchen.app.cast.max.id}`,
    `/console/channels/${kitchen.channel}`,
    `/console/channels/${kitchen.channel}/topics`,
    `/console/channels/${kitchen.channel}/topic/lunch`,
    '/console/nowhere',
  ];

  it.each([
    ['on light pages', { colorScheme: 'light' }],
    ['on dark pages', { colorScheme: 'dark' }],
    ['on a phone', PHONE],
  ] as const)('nothing hinders people %s', async (_, options) => {
    const open = await kitchen.run.signedIn(kitchen.app.cast.mia, '/console', options);
    for (const path of pages()) {
      await open.page.goto(path);
      await open.page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
      await open.page.getByRole('heading', { level: 1 }).waitFor();
      await open.page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
      await open.expectAccessible();
    }
  });

  it('nothing hinders people in windows above the page', async () => {
    const open = await kitchen.run.signedIn(
      kitchen.app.cast.mia,
      `/console/channels/${kitchen.channel}/topic/dinner`,
    );
    const { page } = open;
    await page.locator('.message').first().hover();
    await page.getByRole('button', { name: 'Add reaction' }).click();
    await page.getByRole('dialog').waitFor();
    await page.getByLabel('Search emoji').fill('bread');
    await page.getByRole('button', { name: 'bread' }).first().waitFor();
    await open.expectAccessible();
  });

  it('a phone shows one thing at a time, and nothing wider than itself', async () => {
    const open = await kitchen.run.signedIn(kitchen.app.cast.mia, '/console', PHONE);
    const { page } = open;
    for (const path of pages()) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
      const width = await page.evaluate('document.documentElement.scrollWidth');
      expect([path, Number(width) <= 390]).toEqual([path, true]);
    }
    const inbox = page
      .getByRole('navigation', { name: 'Main navigation' })
      .getByRole('link', { name: 'Inbox' });
    await page.getByText('Menu').tap();
    await inbox.waitFor();
    await open.expectAccessible();
    await page.touchscreen.tap(200, 780);
    await inbox.waitFor({ state: 'hidden' });
    await page.getByText('Menu').tap();
    await page.getByRole('link', { name: /^kitchen/ }).tap();
    await page.getByRole('heading', { level: 1, name: '#kitchen' }).waitFor();
    // The navigation has closed, and the conversation fills the window.
    await inbox.waitFor({ state: 'hidden' });
    await page.getByRole('navigation', { name: 'Tabs' }).waitFor({ state: 'hidden' });
    await page.locator('.message').first().tap();
    await page.getByRole('button', { name: 'Add reaction' }).first().waitFor();
  });

  it('what administrators choose from lies side by side on a wide window, and below each other on a phone', async () => {
    const { olivia, mia } = kitchen.app.cast;
    for (const options of [{ viewport: { width: 1280, height: 850 } }, PHONE]) {
      const { page } = await kitchen.run.signedIn(olivia, '/console', options);
      for (const path of ['people', 'audit-log', `why?user=${mia.id}&channel=${kitchen.channel}`]) {
        await page.goto(`/console/${path}`);
        await page.locator('main :is(table, .audit)').first().waitFor();
        const hidden = await page.evaluate(
          "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('main'))",
        );
        expect([path, hidden]).toEqual([path, 0]);
      }
    }
  });

  it('follows the light of the system, or what its owner has set', async () => {
    const { mia } = kitchen.app.cast;
    const background = 'getComputedStyle(document.body).backgroundColor';
    const dark = 'rgb(21, 26, 34)';
    const { page } = await kitchen.run.signedIn(mia, '/console', { colorScheme: 'dark' });
    expect(await page.evaluate(background)).toBe(dark);
    await kitchen.app.as(mia).patch('/settings', { color_scheme: 3 });
    await page.locator('html.light').waitFor({ state: 'attached' });
    expect(await page.evaluate(background)).toBe('rgb(255, 255, 255)');
    await kitchen.app.as(mia).patch('/settings', { color_scheme: 1 });
  });

  it('the keyboard alone is enough', async () => {
    const { page } = await kitchen.run.signedIn(kitchen.app.cast.mia);
    const { keyboard } = page;
    /** Goes on until what has the focus is called so. */
    const tabTo = async (name: RegExp): Promise<void> => {
      const passed: string[] = [];
      for (let step = 0; step < 80; step++) {
        await keyboard.press('Tab');
        const focused = String(
          await page.evaluate(
            "(document.activeElement.getAttribute('aria-label') || document.activeElement.textContent || '').trim()",
          ),
        );
        if (name.test(focused)) return;
        passed.push(focused);
      }
      throw new Error(`${name} is not among ${passed.join(' | ')}`);
    };
    await page.locator('body').press('Tab');
    await tabTo(/^kitchen/);
    await keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: '#kitchen' }).waitFor();
    // Whoever listens is at the heading of the new page.
    expect(await page.evaluate('document.activeElement.textContent')).toBe('#kitchen');
    await tabTo(/^Add reaction$/);
    await keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe('Add reaction');
    await tabTo(/^Topic$/);
    await keyboard.type('by hand');
    await tabTo(/^New topic$/);
    await keyboard.type('Written with the keyboard');
    await tabTo(/^Send$/);
    await keyboard.press('Enter');
    await page.locator('.message', { hasText: 'Written with the keyboard' }).waitFor();
  });
});
