import type { Page } from 'playwright-core';
import { BROWSER_TIMEOUT_MS, BrowserRun, describeInBrowser } from '../support/browser';
import { createChannelWith } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { sendTo } from '../support/message-setup';
import type { TestApp } from '../support/test-app';

jest.setTimeout(BROWSER_TIMEOUT_MS);

const PHONE = { viewport: { width: 375, height: 700 }, hasTouch: true, isMobile: true };
const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunte';
const ARABIC = 'مرحبا بالعالم';

const composer = (page: Page) => page.locator('.composer textarea');
const pages = (page: Page) => page.getByRole('navigation', { name: 'Main navigation' });

describeInBrowser('what is long, many or unusual in the console', () => {
  let run: BrowserRun;
  let app: TestApp;
  let channel: number;

  const topicPath = (topic: string) => `/console/channels/${channel}/topic/${encodeURIComponent(topic)}`;

  beforeAll(async () => {
    run = await BrowserRun.start();
    app = run.app;
    const { mia, max, olivia } = app.cast;
    channel = await createChannelWith(app, olivia, [mia, max], LONG);
    expectSuccess(await app.as(olivia).patch(`/streams/${channel}`, { description: 'x'.repeat(900) }));
  });

  afterEach(() => run.closeAll());
  afterAll(() => run.stop());

  it('a phone shows names without a space, and no page of it is wider than the phone', async () => {
    const { mia, max, olivia } = app.cast;
    expectSuccess(await app.as(max).patch('/settings', { full_name: LONG }));
    const { page } = await run.signedIn(mia, '/console', PHONE);
    const show = async () => {
      for (const path of [
        '',
        `/channels/${channel}`,
        `/channels/${channel}/topics`,
        `/channel-settings/${channel}`,
        `/direct/${max.id},${olivia.id}`,
        '/direct',
        '/search?q=zzz',
      ]) {
        await page.goto(`/console${path}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
        const hidden = await page.evaluate(
          "[document.documentElement, document.querySelector('main')].map((each) => each.scrollWidth - each.clientWidth)",
        );
        expect([path, hidden]).toEqual([path, [0, 0]]);
      }
    };
    // Nothing is unread, and the channels are listed.
    await show();
    await sendTo(app, max, channel, 'y'.repeat(60), 'z'.repeat(10_000));
    await show();
  });

  it('texts run the way that their letters do, and code does not', async () => {
    const { mia, max } = app.cast;
    await sendTo(app, max, channel, ARABIC, `${ARABIC}\n\n* ${ARABIC}\n\n\`\`\`\nlet x = 1;\n\`\`\``);
    await sendTo(app, mia, channel, ARABIC, `Hello, ${ARABIC}`);
    const { page } = await run.signedIn(mia, topicPath(ARABIC));
    const directions = (selector: string) =>
      page
        .locator(selector)
        .evaluateAll((found) =>
          found.map(
            (each) =>
              (
                globalThis as unknown as { getComputedStyle: (of: unknown) => { direction: string } }
              ).getComputedStyle(each).direction,
          ),
        );
    await page.getByText('Hello').waitFor();
    expect(await directions('.message .rendered')).toEqual(['rtl', 'ltr']);
    expect(await directions('.message pre')).toEqual(['ltr']);
    await composer(page).fill(ARABIC);
    expect(await directions('.composer textarea')).toEqual(['rtl']);
  });

  it.each(['.', '..', 'a/b', '100%', '%2E', '?q#h', 'a\\b', ''])(
    'a topic called "%s" has a page, where links and the address lead',
    async (topic) => {
      const { mia } = app.cast;
      const place = await createChannelWith(app, app.cast.olivia, [mia], `topic ${topic}`);
      await sendTo(app, mia, place, topic, 'This one');
      await sendTo(app, mia, place, 'another', 'Not this one');
      const { page } = await run.signedIn(mia, `/console/channels/${place}/topics`);
      const name = topic === '' ? 'general chat' : topic;
      await page.getByRole('main').getByRole('link', { name, exact: true }).click();
      for (const again of [false, true]) {
        if (again) await page.reload();
        await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
        await page.locator('.message', { hasText: 'This one' }).waitFor();
        expect(await page.locator('.message').count()).toBe(1);
      }
    },
  );

  it('a text that the server would cut is not sent, and stays', async () => {
    const { page } = await run.signedIn(app.cast.mia, topicPath('longest'));
    await composer(page).fill('n'.repeat(10_001));
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('alert').getByText('Message too long: 10001').waitFor();
    expect(await composer(page).inputValue()).toHaveLength(10_001);
    // Characters are counted, and not what they are made of.
    await composer(page).fill('😀'.repeat(10_000));
    await page.getByRole('button', { name: 'Send' }).click();
    const message = page.locator('.message');
    await message.waitFor();
    await message.hover();
    await message.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Message text' }).fill('n'.repeat(10_002));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('Message too long: 10002').waitFor();
  });

  it('many channels leave room for what stands below them', async () => {
    const { mia, olivia } = app.cast;
    const subscriptions = Array.from({ length: 120 }, (_, index) => ({ name: `many ${index}` }));
    await app.as(olivia).post('/users/me/subscriptions', { subscriptions, principals: [mia.id] });
    const last = await createChannelWith(app, olivia, [mia], 'z last');
    const fresh = await createChannelWith(app, olivia, [mia], 'z new');
    await sendTo(app, olivia, fresh, 'lunch', 'Soup');
    const { page } = await run.signedIn(mia, `/console/channels/${last}`);
    const lines = pages(page).locator(`a[href^="/console/channels/"]:not([href*="topic"])`);
    await pages(page)
      .getByText(/more\. Refine your search/)
      .waitFor();
    expect(await lines.count()).toBe(100);
    // Where one is, and what is new, are among them.
    await pages(page).getByRole('link', { name: 'z last' }).waitFor();
    await pages(page)
      .getByRole('link', { name: /^z new 1/ })
      .waitFor();
    await page.getByLabel('Find a channel').fill('many 119');
    await pages(page).getByRole('link', { name: 'many 119' }).click();
    await page.getByRole('heading', { level: 1, name: '#many 119' }).waitFor();
    expect(await lines.count()).toBe(1);
  });

  it('everything is marked as read at once, when somebody says so', async () => {
    const { mia, max } = app.cast;
    for (const topic of ['one', 'two']) await sendTo(app, max, channel, topic, 'News');
    await app.as(max).post('/messages', { type: 'direct', to: [mia.id], content: 'News' });
    const { page } = await run.signedIn(mia);
    await pages(page)
      .getByRole('link', { name: /^Inbox \d+ unread$/ })
      .waitFor();
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await page.getByText('No unread messages.').waitFor();
    await pages(page).getByRole('link', { name: 'Inbox', exact: true }).waitFor();
    // And as before, when somebody has thought better of it.
    await page
      .getByRole('status')
      .getByText(/^Marked \d+ messages as read/)
      .waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('News').first().waitFor();
    await pages(page)
      .getByRole('link', { name: /^Inbox \d+ unread$/ })
      .waitFor();
  });
});
