import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { BROWSER_TIMEOUT_MS, describeInBrowser, holds } from '../support/browser';
import { createChannelWith } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { startKitchen } from '../support/kitchen';
import { copyMessage, fetchMessages, sendDirect, sendTo } from '../support/message-setup';

jest.setTimeout(BROWSER_TIMEOUT_MS);

const message = (page: Page, text: string) => page.locator('.message', { hasText: text });
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search messages' });
const offer = (page: Page, name: string | RegExp) => page.getByRole('option', { name });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

/** How much two colors differ in light, from 1 to 21; the first is that of an element, the second of the page. */
const contrastOf = (page: Page, selector: string) =>
  page.evaluate<number>(`(() => {
    const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const light = (color) => {
      context.fillStyle = color;
      context.fillRect(0, 0, 1, 1);
      const [r, g, b] = [...context.getImageData(0, 0, 1, 1).data].map((part) => {
        const share = part / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
    };
    const found = document.querySelector('${selector}');
    const [one, other] = [light(getComputedStyle(found).color), light(getComputedStyle(document.body).backgroundColor)];
    return Math.max(one, other) / Math.min(one, other);
  })()`);

describeInBrowser('getting around in the console', () => {
  const kitchen = startKitchen();
  const { topicPath } = kitchen;
  let office: number;

  beforeAll(async () => {
    const { mia, max, olivia } = kitchen.app.cast;
    office = await createChannelWith(kitchen.app, olivia, [mia, max], 'back office');
  });

  it('completes search operators and what they apply to, by keys alone', async () => {
    const { mia, max, olivia } = kitchen.app.cast;
    const id = await sendTo(kitchen.app, max, kitchen.channel, 'weekly plan', 'The heron brought soup');
    await sendTo(kitchen.app, olivia, kitchen.channel, 'weekly plan', 'The heron left');
    await sendTo(kitchen.app, max, office, 'other', 'A heron, too');
    expectSuccess(
      await kitchen.app.as(mia).post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' }),
    );
    const open = await kitchen.run.signedIn(mia, '/console/starred');
    const { page } = open;
    await heading(page, 'Starred').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('heron sen');
    await offer(page, /^sender:/).waitFor();
    await open.expectAccessible();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.type('max');
    await offer(page, /Max Member/).waitFor();
    await page.keyboard.press('Tab');
    await holds(search(page), 'heron sender:"Max Member" ');
    await page.keyboard.type('chan');
    await offer(page, /^channel:/).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('kit');
    await offer(page, 'channel:kitchen').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await message(page, 'brought soup').waitFor();
    expect(await page.locator('.message').count()).toBe(1);
    expect(await page.locator('.message .highlight').innerText()).toBe('heron');
    await open.expectAccessible();

    // Kinds, and what is not wanted.
    await search(page).fill('heron -is:star');
    await offer(page, 'is:starred').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await holds(search(page), 'heron -is:starred ');
    await page.keyboard.press('Enter');
    await message(page, 'The heron left').waitFor();
    await message(page, 'A heron, too').waitFor();
    expect(await page.locator('.message').count()).toBe(2);

    // What names a conversation leads to its page.
    await search(page).fill('channel:kitchen topic:week');
    await offer(page, 'topic:weekly plan').waitFor();
    await page.keyboard.press('Tab');
    await holds(search(page), 'topic:"weekly plan"');
    await page.keyboard.press('Enter');
    await heading(page, 'weekly plan').waitFor();
    await search(page).click();
    await offer(page, /In this conversation/).click();
    await holds(search(page), 'channel:kitchen topic:"weekly plan" ');
    await page.keyboard.type('left');
    await page.keyboard.press('Enter');
    await message(page, 'The heron left').waitFor();
    expect(await page.locator('.message').count()).toBe(1);
    await page.goto(`/console/search?q=${encodeURIComponent(`near:${id} heron`)}`);
    await page.locator('.message[aria-current]', { hasText: 'brought soup' }).waitFor();
  });

  it('looks for words before a colon that are no operators', async () => {
    const { mia, max } = kitchen.app.cast;
    await sendTo(kitchen.app, max, kitchen.channel, 'words', 'constructor:soup');
    const { page } = await kitchen.run.signedIn(mia, '/console/search?q=constructor:soup');
    await message(page, 'constructor:soup').waitFor();
  });

  it('forwards a message with a quote and a link, to a topic and to a person', async () => {
    const { mia, max } = kitchen.app.cast;
    const id = await sendTo(kitchen.app, max, kitchen.channel, 'news', 'Soup is **ready**');
    const open = await kitchen.run.signedIn(mia, topicPath('news'));
    const { page } = open;
    await message(page, 'Soup is ready').focus();
    await page.keyboard.press('<');
    const dialog = page.getByRole('dialog', { name: 'Forward message' });
    await dialog.getByText('Soup is ready').waitFor();
    await dialog.getByRole('button', { name: 'Forward' }).click();
    await dialog.getByText('Choose a channel or a person.').waitFor();
    await dialog.getByRole('searchbox').fill('offi');
    await offer(page, '#back office').waitFor();
    await page.keyboard.press('Enter');
    await open.expectAccessible();
    await dialog.getByRole('button', { name: 'Remove #back office' }).press('Enter');
    await dialog.locator('input[type=search]:focus').waitFor();
    await page.keyboard.type('offi');
    await offer(page, '#back office').waitFor();
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Topic').fill('lunch');
    await dialog.getByLabel('Comment').fill('Have a look:');
    await dialog.getByRole('button', { name: 'Forward' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'View', exact: true }).click();
    await heading(page, 'lunch').waitFor();
    await message(page, 'Have a look:').waitFor();
    const link = `${kitchen.run.site}/#narrow/channel/${kitchen.channel}-kitchen/topic/news/near/${id}`;
    const { messages } = expectSuccess(
      await fetchMessages(kitchen.app, mia, [{ operator: 'channel', operand: office }], {
        apply_markdown: false,
      }),
    );
    expect(messages.at(-1)).toMatchObject({
      subject: 'lunch',
      content: `Have a look:\n\n@_**Max Member|${max.id}** [said](${link}):\n\`\`\`quote\nSoup is **ready**\n\`\`\``,
    });

    await message(page, 'Have a look:').hover();
    await message(page, 'Have a look:').getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Forward' }).click();
    await dialog.getByRole('searchbox').fill('max');
    await offer(page, 'Max Member').first().click();
    await dialog.getByRole('button', { name: 'Forward' }).click();
    await page.getByRole('status').getByText('Forwarded to Max Member').waitFor();
    const { page: his } = await kitchen.run.signedIn(max, `/console/direct/${mia.id}`);
    await message(his, 'Have a look:').waitFor();
  });

  it.each(['light', 'dark'] as const)(
    'gives channels colors that can be seen on %s pages',
    async (colorScheme) => {
      const { mia, max } = kitchen.app.cast;
      await sendTo(kitchen.app, max, kitchen.channel, 'colors', 'In color');
      const open = await kitchen.run.signedIn(mia, `/console/channels/${kitchen.channel}`, { colorScheme });
      const { page } = open;
      for (const name of ['Lemon', 'Brown', 'Violet']) {
        await page.getByRole('button', { name: 'Channel actions' }).click();
        await page.getByRole('menuitem', { name: 'Channel color' }).click();
        const dialog = page.getByRole('dialog', { name: 'Channel color' });
        await dialog.getByRole('radio', { name }).check();
        await open.expectAccessible();
        await dialog.getByRole('button', { name: 'Set color' }).click();
        await dialog.waitFor({ state: 'detached' });
        const { subscriptions } = expectSuccess(await kitchen.app.as(mia).get('/users/me/subscriptions'));
        const { color } = subscriptions.find(
          (each: { stream_id: number }) => each.stream_id === kitchen.channel,
        );
        const line = `a[href="/console/channels/${kitchen.channel}"] .channel-icon`;
        await page.locator(`${line}[style*="${color}"]`).first().waitFor({ state: 'attached' });
        expect(await contrastOf(page, `${line} .icon`)).toBeGreaterThanOrEqual(3);
      }
      await page.goto('/console/feed');
      await page.locator('.place[style*="--channel"]').first().waitFor();
    },
  );

  it('shows at once what was visited before, where one was, and with what has come since', async () => {
    const { mia, max } = kitchen.app.cast;
    const one = await sendTo(kitchen.app, max, kitchen.channel, 'long', 'One line of many', {
      read_by_sender: true,
    });
    await copyMessage(kitchen.app, one, 120);
    await sendTo(kitchen.app, max, kitchen.channel, 'short', 'Something else');
    expectSuccess(await kitchen.app.as(mia).post('/mark_all_as_read'));
    const { page } = await kitchen.run.signedIn(mia, topicPath('long'));
    const rest = () => page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
    const goTo = async (topic: string) => {
      const nav = page.getByRole('navigation', { name: 'Main navigation' });
      await nav.getByRole('link', { name: new RegExp(`^${topic}`) }).click();
      await heading(page, topic).waitFor();
    };
    await message(page, 'One line of many').first().waitFor();
    await rest();
    await page.evaluate("document.querySelector('.log').scrollTop -= 900");
    await pause(300);
    await rest();
    const place = () =>
      page.evaluate(`(() => {
        const { top } = document.querySelector('.log').getBoundingClientRect();
        const boxes = [...document.querySelectorAll('.message')].map((each) => [each.dataset.id, each.getBoundingClientRect()]);
        const [id, box] = boxes.find(([, { bottom }]) => bottom > top);
        return [id, Math.round(box.top - top)];
      })()`);
    const before = await place();
    await goTo('short');
    await message(page, 'Something else').waitFor();
    await rest();
    // Without another request.
    let asked = 0;
    await page.route(/\/json\/messages\?/, (route) => {
      asked++;
      return route.continue();
    });
    await goTo('long');
    expect(await place()).toEqual(before);
    await goTo('short');
    await sendTo(kitchen.app, max, kitchen.channel, 'long', 'Come since');
    const nav = page.getByRole('navigation', { name: 'Main navigation' });
    await nav.getByRole('link', { name: /^long 1 unread/ }).waitFor();
    await goTo('long');
    await message(page, 'Come since').waitFor();
    await nav.getByRole('link', { name: /^long$/ }).waitFor();
    expect(asked).toBe(0);
    // What events do not tell all of is shown at once as well, and asked for again.
    await sendDirect(kitchen.app, max, [mia], 'Just us');
    await nav.getByRole('link', { name: 'Combined feed' }).click();
    await message(page, 'Just us').waitFor();
    await rest();
    await goTo('Starred');
    await rest();
    const once = asked;
    await nav.getByRole('link', { name: 'Combined feed' }).click();
    await message(page, 'Just us').waitFor();
    while (asked === once) await pause(20);
  });
});
