import type { Page } from 'playwright-core';
import { BROWSER_TIMEOUT_MS, describeInBrowser, type OpenPage, PHONE } from '../support/browser';
import { startKitchen } from '../support/kitchen';
import { sendTo } from '../support/message-setup';
import { picturesDone, plainPicture } from '../support/picture-setup';
import { upload } from '../support/upload-setup';

jest.setTimeout(BROWSER_TIMEOUT_MS);

const message = (page: Page, text: string) => page.locator('.message', { hasText: text });
/** What is asked of the first element that fits. */
const ask = (page: Page, selector: string, question: string) =>
  page.evaluate(`((each) => ${question})(document.querySelector('${selector}'))`);
/** What has the focus, by what it leads to. */
const focusedHref = (page: Page) => page.evaluate('document.activeElement.getAttribute("href")');

describeInBrowser('what is in messages of the console', () => {
  const kitchen = startKitchen();
  const { topicPath } = kitchen;

  const picture = async (name: string, color: string): Promise<string> => {
    const content = await plainPicture(400, 300, color).png().toBuffer();
    return upload(kitchen.app, kitchen.app.cast.max, { name, type: 'image/png', content });
  };

  it('shows pictures large, one after the other, and gives the focus back', async () => {
    const { mia, max } = kitchen.app.cast;
    const [red, blue, green] = [
      await picture('red.png', '#aa3333'),
      await picture('blue.png', '#3333aa'),
      await picture('green.png', '#33aa33'),
    ];
    await sendTo(kitchen.app, max, kitchen.channel, 'pictures', `Two: [red](${red}) [blue](${blue})`);
    await sendTo(kitchen.app, max, kitchen.channel, 'pictures', `One: ![green](${green})`);
    await picturesDone(kitchen.app);
    const open = await kitchen.run.signedIn(mia, topicPath('pictures'), { colorScheme: 'light' });
    const { page } = open;
    const viewer = page.getByRole('dialog', { name: 'Picture viewer' });
    const shown = (name: string) => viewer.getByRole('img', { name });
    await message(page, 'Two:').getByRole('link', { name: 'blue' }).last().click();
    await shown('blue').waitFor();
    expect(await shown('blue').getAttribute('src')).toContain(blue);
    await viewer.getByText('2 of 3').waitFor();
    await viewer.getByText(max.fullName).waitFor();
    await open.expectAccessible();
    await page.keyboard.press('ArrowRight');
    await shown('green').waitFor();
    await page.keyboard.press('ArrowRight');
    await viewer.getByRole('button', { name: 'Previous picture' }).click();
    await viewer.getByRole('button', { name: 'Previous picture' }).click();
    await shown('red').waitFor();
    expect(await viewer.getByRole('link', { name: 'Open original' }).getAttribute('href')).toContain(red);
    const width = async () => (await shown('red').boundingBox())!.width;
    const before = await width();
    await page.keyboard.press('+');
    expect(await width()).toBeGreaterThan(before);
    await page.keyboard.press('0');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      viewer.getByRole('link', { name: 'Download' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/red/);
    await page.keyboard.press('Escape');
    await viewer.waitFor({ state: 'detached' });
    expect(await focusedHref(page)).toContain(blue);

    // By keys alone: of the message that has the focus.
    await page.getByRole('heading', { level: 1 }).focus();
    await message(page, 'One:').focus();
    await page.keyboard.press('v');
    await shown('green').waitFor();
    await page.keyboard.press('v');
    await viewer.waitFor({ state: 'detached' });
  });

  it('shows pictures on a phone', async () => {
    const open = await kitchen.run.signedIn(kitchen.app.cast.mia, topicPath('pictures'), PHONE);
    const { page } = open;
    await message(page, 'One:').getByRole('link', { name: 'green' }).click();
    await page.getByRole('dialog').getByRole('img', { name: 'green' }).waitFor();
    await open.expectAccessible();
    expect(
      await page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth'),
    ).toBe(true);
    const session = await page.context().newCDPSession(page);
    const swipe = async (from: number, to: number) => {
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) =>
        session.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: x === undefined ? [] : [{ x, y: 400 }],
        });
      await touch('touchStart', from);
      await touch('touchMove', (from + to) / 2);
      await touch('touchMove', to);
      await touch('touchEnd');
    };
    await swipe(290, 300);
    await page.getByRole('dialog').getByText('3 of 3').waitFor();
    await swipe(100, 300);
    await page.getByRole('dialog').getByText('2 of 3').waitFor();
    await swipe(300, 100);
    await page.getByRole('dialog').getByRole('img', { name: 'green' }).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('plays sound and film where they stand', async () => {
    const { mia, max } = kitchen.app.cast;
    const song = await upload(kitchen.app, max, { name: 'song.mp3', type: 'audio/mpeg', content: 'no song' });
    const film = await upload(kitchen.app, max, { name: 'film.mp4', type: 'video/mp4', content: 'no film' });
    await sendTo(kitchen.app, max, kitchen.channel, 'media', `![song](${song}) and [film](${film})`);
    const open = await kitchen.run.signedIn(mia, topicPath('media'));
    const { page } = open;
    for (const kind of ['audio', 'video']) {
      const player = message(page, 'and').locator(kind);
      await player.waitFor();
      expect(await ask(page, `.message ${kind}`, '[each.controls, each.closest("a")]')).toEqual([true, null]);
      expect(await player.getAttribute('aria-label')).toMatch(kind === 'audio' ? /song/ : /film/);
    }
    await open.expectAccessible();
    open.forgive(/404|Failed to load|media/i);
  });

  const CODE =
    '~~~python\n# greets\nclass Cook:\n    def greet(self, n=12):\n        return len("soup")\n~~~';

  it.each(['light', 'dark'] as const)(
    'colors code so that it can be read on %s pages',
    async (colorScheme) => {
      const { mia, max } = kitchen.app.cast;
      await sendTo(kitchen.app, max, kitchen.channel, 'code', CODE);
      const open = await kitchen.run.signedIn(mia, topicPath('code'), { colorScheme });
      const { page } = open;
      const block = page.locator('.codehilite').first();
      await block.getByText('Python').waitFor();
      const colorOf = (kind: string) => ask(page, `.codehilite pre ${kind}`, 'getComputedStyle(each).color');
      const colors = await Promise.all(['.k', '.s', '.mi', '.c1', '.nb', 'code'].map(colorOf));
      expect(new Set(colors).size).toBe(colors.length);
      await open.expectAccessible();
    },
  );

  it('copies code with a button', async () => {
    const { mia, max } = kitchen.app.cast;
    await sendTo(kitchen.app, max, kitchen.channel, 'copying', CODE);
    const open = await kitchen.run.signedIn(mia, topicPath('copying'), {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await open.page.getByRole('button', { name: 'Copy code' }).click();
    await open.page.getByText('Code copied').waitFor();
    expect(await open.page.evaluate('navigator.clipboard.readText()')).toBe(
      CODE.split('\n').slice(1, -1).join('\n'),
    );
  });

  /** Of one message, whatever it holds. */
  async function shownTo(reader: 'mia', text: string, topic: string): Promise<OpenPage> {
    await sendTo(kitchen.app, kitchen.app.cast.max, kitchen.channel, topic, text);
    return kitchen.run.signedIn(kitchen.app.cast[reader], topicPath(topic));
  }

  it('hides spoilers until they are opened, and from lists', async () => {
    const open = await shownTo('mia', '```spoiler The end\nThe cook did it\n```', 'crime');
    const { page } = open;
    const secret = page.getByText('The cook did it');
    await page.getByText('The end').click();
    await secret.waitFor();
    await page.getByText('The end').click();
    await secret.waitFor({ state: 'hidden' });
    await page.keyboard.press('Enter');
    await secret.waitFor();
    await open.expectAccessible();
    await page.goto('/console/recent');
    const row = page.locator('.places li', { hasText: 'crime' });
    await row.getByText('The end').waitFor();
    expect(await row.innerText()).not.toContain('cook');
  });

  it('scrolls wide tables by themselves, and aligns their columns', async () => {
    const cells = Array.from({ length: 30 }, (_, at) => `column${at}`);
    const line = (each: (text: string) => string) => `|${cells.map(each).join('|')}|`;
    const text = [line((name) => name), line(() => '--:'), line((name) => name)].join('\n');
    const open = await shownTo('mia', text, 'table');
    const { page } = open;
    const table = page.locator('.table-frame');
    await table.focus();
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction('document.querySelector(".table-frame").scrollLeft > 0');
    expect(await ask(page, '.table-frame td', 'getComputedStyle(each).textAlign')).toBe('right');
    expect(await ask(page, '.log', 'each.scrollWidth <= each.clientWidth')).toBe(true);
    await open.expectAccessible();
  });

  it('shows what people do with their names before it', async () => {
    const { max } = kitchen.app.cast;
    await sendTo(kitchen.app, max, kitchen.channel, 'doing', 'Hello');
    const open = await shownTo('mia', '/me stirs the soup', 'doing');
    await sendTo(kitchen.app, max, kitchen.channel, 'doing', 'Goodbye');
    const { page } = open;
    const doing = message(page, 'stirs the soup');
    await message(page, 'Goodbye').waitFor();
    const [name, text] = [doing.locator('.sender'), doing.locator('.rendered')];
    expect(await text.innerText()).toBe('stirs the soup');
    const boxes = [await name.boundingBox(), await text.boundingBox()] as const;
    expect(boxes[1]!.x).toBeGreaterThanOrEqual(boxes[0]!.x + boxes[0]!.width);
    expect(Math.abs(boxes[1]!.y - boxes[0]!.y)).toBeLessThan(8);
    // Neither goes on from the one above it.
    expect(await message(page, 'Goodbye').locator('button.sender').count()).toBe(1);
    await open.expectAccessible();
  });
});
