import type { Page } from 'playwright-core';
import { BROWSER_TIMEOUT_MS, describeInBrowser, holds } from '../support/browser';
import { createChannelWith } from '../support/channel-setup';
import { startKitchen } from '../support/kitchen';
import { copyMessage, sendTo } from '../support/message-setup';
import { picturesDone, plainPicture } from '../support/picture-setup';
import { upload } from '../support/upload-setup';

jest.setTimeout(BROWSER_TIMEOUT_MS);

const message = (page: Page, text: string) => page.locator('.message', { hasText: text });
const composer = (page: Page) => page.locator('.composer textarea');

/** Until nothing is being loaded and nothing moves. */
const QUIET = `(async () => {
  const log = document.querySelector('.log');
  for (let quiet = 0, before = NaN; quiet < 5; quiet++) {
    await new Promise(requestAnimationFrame);
    if (log.getAttribute('aria-busy') === 'true' || log.scrollTop !== before) quiet = 0;
    before = log.scrollTop;
  }
})()`;

/** How far above the end one is. */
const LEFT = `(() => {
  const { scrollHeight, scrollTop, clientHeight } = document.querySelector('.log');
  return Math.round(scrollHeight - scrollTop - clientHeight);
})()`;

describeInBrowser('reading in the console', () => {
  const kitchen = startKitchen();
  const { topicPath } = kitchen;

  beforeAll(async () => {
    const { mia } = kitchen.app.cast;
    const content = await plainPicture(800, 600).png().toBuffer();
    const url = await upload(kitchen.app, mia, { name: 'p.png', type: 'image/png', content });
    for (let at = 1; at <= 8; at++) {
      await sendTo(kitchen.app, mia, kitchen.channel, 'pictures', `Picture ${at} [p.png](${url})`, {
        read_by_sender: true,
      });
      await sendTo(kitchen.app, mia, kitchen.channel, 'pictures', `Words ${at}`, { read_by_sender: true });
    }
    await picturesDone(kitchen.app);
  });

  it('begins at the end, and stays there and anywhere else while pictures come in', async () => {
    const { page } = await kitchen.run.signedIn(kitchen.app.cast.mia);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(/user_uploads/, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(topicPath('pictures'));
    await message(page, 'Words 8').waitFor();
    await page.evaluate(QUIET);
    expect(await page.evaluate(LEFT)).toBe(0);
    const height = "document.querySelector('.message:last-of-type').parentElement.offsetHeight";
    const reserved = await page.evaluate(height);
    release();
    await page.evaluate(`Promise.all([...document.querySelectorAll('.log img')].map((each) => {
      each.loading = 'eager';
      return each.decode();
    }))`);
    expect(await page.evaluate(height)).toBe(reserved);

    // As where its size is not known before it is there. The browser may have scrolled in the same moment.
    const grow = (height: string) => `(() => {
      const log = document.querySelector('.log');
      document.querySelector('.log img').style.minHeight = '${height}';
      log.dispatchEvent(new Event('scroll'));
    })()`;
    await page.evaluate(grow('20rem'));
    await page.evaluate(QUIET);
    expect(await page.evaluate(LEFT)).toBe(0);
    await page.evaluate("document.querySelector('.log').scrollTop -= 300");
    await page.evaluate(QUIET);
    const y = async () => Math.round(Number((await message(page, 'Words 8').boundingBox())?.y));
    const before = await y();
    for (const height of ['30rem', '20rem']) {
      await page.evaluate(grow(height));
      await page.evaluate(QUIET);
      expect(await y()).toBe(before);
    }
  });

  it('leads to uploaded files from every page, however their addresses begin', async () => {
    const { mia } = kitchen.app.cast;
    const url = await upload(kitchen.app, mia, { name: 'list.txt', type: 'text/plain', content: 'soup' });
    await sendTo(kitchen.app, mia, kitchen.channel, 'files', `[list](${url.slice(1)})`);
    const { page } = await kitchen.run.signedIn(mia, topicPath('files'));
    const href = await page.locator('.message a', { hasText: 'list' }).getAttribute('href');
    expect(href).toBe(`${new URL(page.url()).origin}${url}`);
  });

  it('goes where a topic goes, with what is being written', async () => {
    const { mia, olivia } = kitchen.app.cast;
    const id = await sendTo(kitchen.app, mia, kitchen.channel, 'old name', 'Hello there', {
      read_by_sender: true,
    });
    const { page } = await kitchen.run.signedIn(mia, topicPath('old name'));
    await message(page, 'Hello there').waitFor();
    await composer(page).fill('Half a sentence');
    await kitchen.app
      .as(olivia)
      .patch(`/messages/${id}`, { topic: 'new name', propagate_mode: 'change_all' });
    await page.getByRole('heading', { level: 1, name: 'new name' }).waitFor();
    await message(page, 'Hello there').waitFor();
    expect(new URL(page.url()).pathname).toBe(topicPath('new name'));
    await holds(composer(page), 'Half a sentence');
    await composer(page).press('Control+Enter');
    await message(page, 'Half a sentence').waitFor();
  });

  it('shows what comes into a channel from another one', async () => {
    const { mia, max, olivia } = kitchen.app.cast;
    const cellar = await createChannelWith(kitchen.app, olivia, [mia, max], 'cellar');
    await sendTo(kitchen.app, mia, cellar, 'wine', 'Here already', { read_by_sender: true });
    const id = await sendTo(kitchen.app, mia, kitchen.channel, 'beer', 'Goes down', { read_by_sender: true });
    const { page } = await kitchen.run.signedIn(mia, `/console/channels/${cellar}`);
    await message(page, 'Here already').waitFor();
    await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
    await kitchen.app
      .as(olivia)
      .patch(`/messages/${id}`, { stream_id: cellar, propagate_mode: 'change_all' });
    await message(page, 'Goes down').waitFor();
    await page.getByRole('link', { name: '#cellar › beer' }).waitFor();
  });

  it('stays where one has gone while a link to a moved message was slow', async () => {
    const { mia } = kitchen.app.cast;
    const id = await sendTo(kitchen.app, mia, kitchen.channel, 'here', 'Was moved', { read_by_sender: true });
    const { page } = await kitchen.run.signedIn(mia);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const isMessage = (url: string) => url.includes(`/json/messages/${id}`);
    await page.route(
      (url) => isMessage(url.href),
      async (route) => {
        await held;
        await route.continue();
      },
    );
    const asked = page.waitForRequest((request) => isMessage(request.url()));
    await page.goto(`${topicPath('gone')}?near=${id}`);
    await asked;
    await page
      .getByRole('navigation', { name: 'Main navigation' })
      .getByRole('link', { name: 'Mentions' })
      .click();
    await page.getByRole('heading', { level: 1, name: 'Mentions' }).waitFor();
    const answered = page.waitForResponse((response) => isMessage(response.url()));
    release();
    await (await answered).finished();
    await page.evaluate(QUIET);
    expect(new URL(page.url()).pathname).toBe('/console/mentions');
  });

  /** Signs in where there are more messages than fit, and scrolls up. */
  async function readAbove(topic: string) {
    const { mia } = kitchen.app.cast;
    const first = await sendTo(kitchen.app, mia, kitchen.channel, topic, 'One of many', {
      read_by_sender: true,
    });
    await copyMessage(kitchen.app, first, 60);
    await sendTo(kitchen.app, mia, kitchen.channel, topic, 'The last one', { read_by_sender: true });
    await kitchen.app.as(mia).post('/mark_topic_as_read', { stream_id: kitchen.channel, topic_name: topic });
    const open = await kitchen.run.signedIn(mia, topicPath(topic));
    await message(open.page, 'The last one').waitFor();
    await open.page.evaluate(QUIET);
    await open.page.evaluate("document.querySelector('.log').scrollTop -= 900");
    await open.page.evaluate(QUIET);
    return { page: open.page, open };
  }

  it('goes on where one was, and with what one edits, after events were missed', async () => {
    const { mia, max } = kitchen.app.cast;
    const { page, open } = await readAbove('missed');
    const id = await page.evaluate<string>(
      "document.elementFromPoint(600, 300).closest('.message').dataset.id",
    );
    const own = page.locator(`.message[data-id="${id}"]`);
    await own.hover();
    await own.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Message text' }).fill('Half a sentence');
    await page.evaluate(QUIET);
    const before = await own.boundingBox();
    await page.route(
      /json\/events\?/,
      async (route) => {
        const msg = 'Bad event queue ID';
        await sendTo(kitchen.app, max, kitchen.channel, 'missed', 'Sent meanwhile');
        await route.fulfill({ status: 400, json: { result: 'error', msg, code: 'BAD_EVENT_QUEUE_ID' } });
      },
      { times: 1 },
    );
    await sendTo(kitchen.app, mia, kitchen.channel, 'elsewhere', 'Ends the poll', { read_by_sender: true });
    await message(page, 'Sent meanwhile').waitFor({ state: 'attached' });
    await page.evaluate(QUIET);
    await holds(page.getByRole('textbox', { name: 'Message text' }), 'Half a sentence');
    expect(Math.round(Number((await own.boundingBox())?.y))).toBe(Math.round(Number(before?.y)));
    open.forgive(/status of 400/);
  });

  it('says how much is new below, and leaves as unread what was marked so elsewhere', async () => {
    const { mia, max } = kitchen.app.cast;
    const { page, open } = await readAbove('below');
    await page.context().setOffline(true);
    await page.getByText('Connection lost. Reconnecting…').waitFor();
    const ids: number[] = [];
    for (let count = 0; count < 5; count++)
      ids.push(await sendTo(kitchen.app, max, kitchen.channel, 'below', 'More'));
    await page.context().setOffline(false);
    await page.getByRole('button', { name: '5 new messages' }).click();
    const line = (name: RegExp) =>
      page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name });
    await line(/^below$/).waitFor();
    await kitchen.app.as(mia).post('/messages/flags', { messages: ids, op: 'remove', flag: 'read' });
    await line(/^below 5 unread/).waitFor();
    // What is seen after them is marked as read, and nothing with it.
    await sendTo(kitchen.app, max, kitchen.channel, 'below', 'The newest');
    await message(page, 'The newest').waitFor();
    await page.locator('.message:not([data-unread])', { hasText: 'The newest' }).waitFor();
    await line(/^below 5 unread/).waitFor();
    open.forgive(/ERR_INTERNET_DISCONNECTED/);
  });

  it('leaves messages unread where one wants to mark them by hand', async () => {
    const { app, channel } = kitchen;
    const { mia, olivia } = app.cast;
    const choose = (web_mark_read_on_scroll_policy: number) =>
      app.as(mia).patch('/settings', { web_mark_read_on_scroll_policy });
    await choose(3);
    const open = await kitchen.run.signedIn(mia);
    const { page } = open;
    const marked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/messages/flags')) marked.push(new URL(request.url()).pathname);
    });
    const unread = page.locator('[data-unread]');
    const note = page.getByText('Messages here stay unread until you mark them.');
    await page.goto(topicPath('by hand'));
    for (const content of ['One', 'Two']) await sendTo(app, olivia, channel, 'by hand', content);
    await unread.nth(1).waitFor();
    await open.expectAccessible();
    await note.getByRole('button', { name: 'Mark as read' }).click();
    await note.waitFor({ state: 'detached' });
    expect(await unread.count()).toBe(0);
    await choose(2);
    await page.goto(`/console/channels/${channel}`);
    await sendTo(app, olivia, channel, 'by hand', 'Three');
    await note.waitFor();
    expect(marked).toEqual(['/json/messages/flags/narrow']);
    await page.goto(topicPath('by hand'));
    await message(page, 'Three').waitFor();
    await unread.waitFor({ state: 'detached' });
    await choose(1);
    open.expectClean();
  });

  it('names each day with its year', async () => {
    const { mia } = kitchen.app.cast;
    await sendTo(kitchen.app, mia, kitchen.channel, 'old', 'From long ago', { read_by_sender: true });
    await sendTo(kitchen.app, mia, kitchen.channel, 'old', 'From today', { read_by_sender: true });
    const { page } = await kitchen.run.signedIn(mia);
    await page.route(/json\/messages\?/, async (route) => {
      const response = await route.fetch();
      const found = (await response.json()) as { messages: { timestamp: number }[] };
      found.messages[0]!.timestamp = Date.UTC(2019, 4, 14, 12) / 1000;
      await route.fulfill({ response, json: found });
    });
    await page.goto(topicPath('old'));
    await message(page, 'From today').waitFor();
    const days = await page.locator('.divider').allInnerTexts();
    expect(days).toEqual([
      expect.stringMatching(/May 14, 2019$/),
      expect.stringMatching(new RegExp(`${new Date().getFullYear()}$`)),
    ]);
  });
});
