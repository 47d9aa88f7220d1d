import type { Page } from 'playwright-core';
import { Jobs } from '../../src/platform/jobs/jobs.service';
import {
  BROWSER_TIMEOUT_MS,
  BrowserRun,
  describeInBrowser,
  holds,
  type OpenPage,
  signOut,
} from '../support/browser';
import { browserOf } from '../support/browser-client';
import { createChannelWith } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { makeGroup } from '../support/group-setup';
import { LocalReceiver } from '../support/local-receiver';
import { sendDirect, sendTo } from '../support/message-setup';
import type { TestApp } from '../support/test-app';

jest.setTimeout(BROWSER_TIMEOUT_MS);

const HTML = '<img src=x onerror=alert(1)>';
/** Without what names may not hold; whatever follows in the page would close it. */
const NAME = '<img src=x onerror=alert(1) x';
const BREAKOUT = `"'></title></textarea></script><svg onload=alert(1)>`;

/** What the page has that no page of the console has, and a text would have brought into it. */
const intruders = (page: Page) =>
  page.evaluate(`[...document.querySelectorAll('*')]
    .filter((each) => each.matches('img[src=x], svg[onload], script:not([src])') ||
      each.getAttributeNames().some((name) => name.startsWith('on')) || /^javascript:/i.test(each.href ?? ''))
    .map((each) => each.outerHTML)`);

describeInBrowser('texts that people can set', () => {
  let run: BrowserRun;
  let app: TestApp;
  let receiver: LocalReceiver;
  let open: OpenPage;
  let page: Page;

  beforeAll(async () => {
    receiver = await LocalReceiver.start();
    run = await BrowserRun.start({ env: { OUTGOING_WEBHOOKS_PRIVATE_NETWORKS: '127.0.0.1' } });
    app = run.app;
    const { olivia, mia } = app.cast;
    expectSuccess(await app.as(mia).patch('/settings', { full_name: NAME }));
    expectSuccess(await app.as(olivia).patch('/realm', { name: `${BREAKOUT.slice(0, 30)}` }));
  });

  beforeEach(async () => {
    open = await run.signedIn(app.cast.olivia);
    ({ page } = open);
  });

  afterEach(async () => {
    expect(await intruders(page)).toEqual([]);
    await run.closeAll();
  });

  afterAll(async () => {
    await run.stop();
    await receiver.stop();
  });

  async function show(path: string, text: string): Promise<void> {
    await page.goto(path);
    await page.getByText(text).first().waitFor({ state: 'attached' });
    expect(await intruders(page)).toEqual([]);
  }

  it('are letters where they name conversations and who is in them', async () => {
    const { olivia, mia } = app.cast;
    const channel = await createChannelWith(app, olivia, [mia], BREAKOUT);
    const id = await sendTo(app, mia, channel, HTML, `${HTML} ${BREAKOUT} @**${NAME}|${mia.id}**`);
    await app.as(mia).post(`/messages/${id}/reactions`, { emoji_name: 'tada' });
    await sendDirect(app, mia, [olivia], HTML);
    await app.as(mia).patch(`/messages/${id}`, { content: `${HTML} edited` });
    for (const path of ['', '/mentions', `/direct/${mia.id}`]) await show(`/console${path}`, NAME);
    for (const path of ['', '/topics', `/topic/${encodeURIComponent(HTML)}`]) {
      await show(`/console/channels/${channel}${path}`, HTML);
    }
    // What is made of a message where one writes.
    const message = page.locator('.message').first();
    await message.hover();
    await message.getByRole('button', { name: 'Quote' }).click();
    await page.locator('.composer textarea').press('End');
    await page.locator('.composer textarea').pressSequentially(' @<img');
    await page.getByRole('option', { name: NAME }).waitFor();
    expect(await intruders(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.locator('.composer textarea').press('Control+Enter');
    await page.locator('.message blockquote').waitFor();
  });

  it('are letters in what files are called', async () => {
    const { olivia } = app.cast;
    await page.goto(`/console/direct/${olivia.id}`);
    await page.locator('input[type=file]').setInputFiles({
      name: `${HTML}](javascript:alert(1)).html`,
      mimeType: 'text/html',
      buffer: Buffer.from('<script>alert(1)</script>'),
    });
    await holds(page.locator('.composer textarea'), '/user_uploads/');
    await page.locator('.composer textarea').press('Control+Enter');
    await page.locator('.message a[href*="user_uploads"]').waitFor();
    expect(await intruders(page)).toEqual([]);
  });

  it('are letters in addresses, filters and fields', async () => {
    const { mia } = app.cast;
    const text = encodeURIComponent(BREAKOUT);
    for (const path of ['people?q=', 'audit-log?action=', 'search?q=', 'groups?q=', 'organization?q=']) {
      await page.goto(`/console/${path}${text}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await intruders(page)).toEqual([]);
    }
    await page.goto('/console/people/import');
    await page.getByLabel('People').fill(`"${HTML}",${HTML},${HTML}\n${HTML}`);
    await page.getByRole('rowheader', { name: HTML }).first().waitFor();
    expect(await intruders(page)).toEqual([]);
    await page.goto('/console/linkifiers');
    await page.getByLabel('Pattern').fill('(?P<id>.+)');
    await page.getByLabel('URL template').fill('javascript:{+id}');
    await page.getByLabel('Test text').fill(HTML);
    await page.locator('main code').getByText(HTML).first().waitFor();
    expect(await intruders(page)).toEqual([]);
    await show(`/console/people/${mia.id}`, NAME);
    await show(`/console/why?user=${mia.id}`, NAME);
    // There is no such action, which the browser says where it stays long enough to hear it.
    open.forgive(/status of 422 .*audit-log/);
  });

  it('are letters in the lists of the administration', async () => {
    const { olivia, mia } = app.cast;
    const group = await makeGroup(app, olivia, HTML, { members: [mia.id], description: BREAKOUT });
    await browserOf(app, mia, { 'user-agent': HTML });
    for (const path of ['groups', `groups/${group}`]) await show(`/console/${path}`, HTML);
    await show(`/console/people/${mia.id}`, HTML);
    await show(`/console/why?user=${mia.id}&group=${group}`, HTML);
    await show('/console/audit-log', NAME);
    await page.locator('.audit li').filter({ hasText: NAME }).first().waitFor();
    expect(await intruders(page)).toEqual([]);
  });

  it('are letters in what bots are called, and in what their services answer', async () => {
    const { olivia } = app.cast;
    receiver.answer(`${HTML}${BREAKOUT}`, 400);
    const bot = {
      full_name: `${NAME} bot`,
      short_name: 'evil',
      bot_type: 3,
      payload_url: `${receiver.origin}/?${encodeURIComponent(HTML)}`,
    };
    const id = expectSuccess(await app.as(olivia).post('/bots', bot)).user_id as number;
    await app.as(olivia).post('/messages', { type: 'direct', to: [id], content: 'Hello' });
    await app.get(Jobs).runDue();
    await show('/console/bots', `${NAME} bot`);
    await show(`/console/bots/${id}`, `${NAME} bot`);
    await page.getByText('Response', { exact: true }).click();
    await page.locator('main code', { hasText: HTML }).waitFor();
    expect(await intruders(page)).toEqual([]);
    // The owner of the bot is told as well.
    await show('/console/search?q=response', HTML);
  });

  it('are letters on pages without the script of the console', async () => {
    const { mia } = app.cast;
    await page.goto('/api/docs');
    const operation = page.locator('article[data-method][id="usersGet"]');
    await operation.getByRole('button', { name: /^Try it/ }).click();
    await operation.getByLabel('user_id (required)').fill(String(mia.id));
    await operation.getByRole('button', { name: 'Send' }).click();
    await operation.getByLabel('Answer').getByText(NAME).waitFor();
    expect(await intruders(page)).toEqual([]);
    await page.goto('/console');
    await signOut(page);
    await page.waitForURL(/\/login\//);
    for (const path of ['/', `/login/?next=${encodeURIComponent(`/${BREAKOUT}`)}`]) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await intruders(page)).toEqual([]);
    }
    open.forgive(/status of 401/);
  });
});
