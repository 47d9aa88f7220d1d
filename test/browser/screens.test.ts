import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { BROWSER_TIMEOUT_MS, describeInBrowser } from '../support/browser';
import { expectSuccess } from '../support/expect-answer';
import { startKitchen } from '../support/kitchen';
import { sendDirect, sendTo } from '../support/message-setup';

jest.setTimeout(BROWSER_TIMEOUT_MS);

const FILE = join(__dirname, '../spec/console-screens.txt');
/** Writes down what the screens look like now, to be committed after a look at the changes. */
const isUpdate = process.env['UPDATE_SCREENS'] === '1';

/** How long a screen may take to look as it did, on a machine that is busy. */
const PATIENCE_MS = 20_000;

/** What stands on a screen: where, in pixels, on which ground, and how much of it is painted. */
interface Box {
  readonly what: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly ground: string;
  /** Percent of pixels that differ from the ground. */
  readonly ink: number;
}

const WINDOWS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};

/** Parts of the page, with names that no clock changes. */
const PARTS = `[...document.querySelectorAll(
  'body, header, nav, main, aside, dialog[open], [popover]:popover-open, [role=log], h1, h2, table, textarea, select, main input, .message, .composer'
)].map((element) => {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const name = element.getAttribute('aria-label') ?? (/^H\\d$/.test(element.tagName) ? element.textContent : '');
  const kind = element.getAttribute('role') ?? (element.classList.contains('message') ? 'message'
    : element.classList.contains('composer') ? 'composer' : element.localName);
  const x = Math.max(0, Math.round(left)), y = Math.max(0, Math.round(top));
  return {
    what: (kind + ' ' + name.trim().slice(0, 40)).trim(), x, y,
    width: Math.min(innerWidth, Math.round(right)) - x, height: Math.min(innerHeight, Math.round(bottom)) - y,
    isShown: element.checkVisibility({ visibilityProperty: true, opacityProperty: true }),
  };
}).filter(({ isShown, width, height }) => isShown && width > 1 && height > 1)`;

/** Looks at a screen: where its parts are by the page, and how they look by its picture. */
async function look(page: Page): Promise<Box[]> {
  const parts = await page.evaluate<Omit<Box, 'ground' | 'ink'>[]>(PARTS);
  const picture = await page.screenshot({ animations: 'disabled', caret: 'hide', scale: 'css' });
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return parts.map(({ what, x, y, width, height }) => {
    const counts = new Map<number, number>();
    for (let row = y; row < Math.min(y + height, info.height); row++) {
      for (let column = x; column < Math.min(x + width, info.width); column++) {
        const color = data.readUIntBE((row * info.width + column) * 3, 3);
        counts.set(color, (counts.get(color) ?? 0) + 1);
      }
    }
    const [ground = 0, count = 0] = [...counts].reduce(
      (most, each) => (each[1] > most[1] ? each : most),
      [0, 0],
    );
    const ink = Math.round(100 - (100 * count) / (width * height));
    return { what, x, y, width, height, ground: `#${ground.toString(16).padStart(6, '0')}`, ink };
  });
}

/** Looks until nothing moves any more. */
async function lookAtRest(page: Page): Promise<Box[]> {
  for (let before = ''; ;) {
    const boxes = await look(page);
    const now = JSON.stringify(boxes);
    if (now === before) return boxes;
    before = now;
  }
}

const written = ({ what, x, y, width, height, ground, ink }: Box) =>
  `${what} | ${x},${y} ${width}x${height} | ${ground} ${ink}%`;

function readLine(line: string): Box {
  const [, what, ...rest] = /^(.*) \| (\d+),(\d+) (\d+)x(\d+) \| (#\w{6}) (\d+)%$/.exec(line)!;
  const [x, y, width, height] = rest.slice(0, 4).map(Number) as [number, number, number, number];
  return { what: what!, x, y, width, height, ground: rest[4]!, ink: Number(rest[5]) };
}

/** The screens that are written down, by their names. */
function known(): Map<string, Box[]> {
  const text = existsSync(FILE) ? readFileSync(FILE, 'utf8') : '';
  const screens = text.split('\n\n').filter(Boolean);
  return new Map(
    screens.map((screen) => {
      const [title = '', ...lines] = screen.trim().split('\n');
      return [title, lines.map(readLine)];
    }),
  );
}

/** Other fonts make lines wider and taller, the more of them the further down. */
const slack = (pixels: number) => 24 + pixels * 0.1;

/** Whether colors are the same, as far as drivers of screens agree. */
function isColorLike(one: string, other: string): boolean {
  return [1, 3, 5].every((at) => {
    const [a, b] = [one, other].map((color) => parseInt(color.slice(at, at + 2), 16));
    return Math.abs(a! - b!) <= 2;
  });
}

function isLike(box: Box, other: Box): boolean {
  const isNear = (name: 'x' | 'y' | 'width' | 'height') =>
    Math.abs(box[name] - other[name]) <= slack(name === 'x' || name === 'width' ? 0 : box.y + box.height);
  const isPainted = box.ink === 0 || (other.ink > 0 && Math.abs(box.ink - other.ink) <= 8 + box.ink / 2);
  return (
    box.what === other.what &&
    isColorLike(box.ground, other.ground) &&
    isPainted &&
    (['x', 'y', 'width', 'height'] as const).every(isNear)
  );
}

/** What is written down and not there, and what is there and not written down, unless it may lie below the edge. */
function differences(expected: readonly Box[], actual: readonly Box[], edge: number): string[] {
  const left = [...actual];
  const missing = expected.filter((box) => {
    const at = left.findIndex((other) => isLike(box, other));
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
  const isAbove = ({ y }: Box) => y + slack(y) < edge;
  return [
    ...missing.filter(isAbove).map((box) => `- ${written(box)}`),
    ...left.filter(isAbove).map((box) => `+ ${written(box)}`),
  ];
}

describeInBrowser('the screens of the console', () => {
  const kitchen = startKitchen();
  const screens = known();
  const sent: number[] = [];

  beforeAll(async () => {
    const { mia, max, olivia } = kitchen.app.cast;
    for (const topic of ['soup', 'bread']) {
      const question = `What about **${topic}**, @**Olivia Owner**?`;
      sent.push(await sendTo(kitchen.app, mia, kitchen.channel, topic, question));
      sent.push(
        await sendTo(kitchen.app, max, kitchen.channel, topic, 'Gladly.\n\n~~~python\nprint(1)\n~~~'),
      );
    }
    sent.push(await sendDirect(kitchen.app, max, [olivia], 'Just us'));
  });

  afterAll(() => {
    const all = [...screens].map(([title, boxes]) => `${[title, ...boxes.map(written)].join('\n')}\n`);
    if (isUpdate) writeFileSync(FILE, all.join('\n'));
  });

  const topic = () => kitchen.topicPath('soup');
  /** Where each screen is, what is on it once it has read all, and which key opens something above it. */
  const shown: Readonly<Record<string, readonly [path: () => string, ready: string, key?: string]>> = {
    inbox: [() => '/console', 'main li a'],
    recent: [() => '/console/recent', 'main li a'],
    topic: [topic, '.message'],
    'direct messages': [() => `/console/direct/${kitchen.app.cast.max.id}`, '.message'],
    search: [() => '/console/search?q=gladly', '.message'],
    notifications: [() => '/console/settings/notifications', 'main table'],
    people: [() => '/console/people', 'main table'],
    'channel settings': [() => `/console/channel-settings/${kitchen.channel}`, 'main select'],
    'message actions': [topic, '.message', 'i'],
    palette: [topic, '.message', 'Control+k'],
    shortcuts: [topic, '.message', '?'],
  };

  it.each(Object.keys(WINDOWS))('look as they did: %s', async (kind) => {
    const found: string[] = [];
    // Whatever the window before this one has read.
    const unread = { messages: sent, op: 'remove', flag: 'read' };
    expectSuccess(await kitchen.app.as(kitchen.app.cast.olivia).post('/messages/flags', unread));
    const { page } = await kitchen.run.signedIn(kitchen.app.cast.olivia, '/console', {
      ...WINDOWS[kind],
      reducedMotion: 'reduce',
    });
    for (const [name, [path, ready, key]] of Object.entries(shown)) {
      const title = `${name}, ${kind}`;
      // By now, the page has told the server that they are read, or has not.
      if (key) {
        const read = { messages: sent.slice(0, 2), op: 'add', flag: 'read' };
        expectSuccess(await kitchen.app.as(kitchen.app.cast.olivia).post('/messages/flags', read));
      }
      await page.goto(path());
      await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
      await page.locator(ready).first().waitFor();
      if (key) {
        await page.locator('.message').first().focus();
        await page.keyboard.press(key);
        await page.locator(':is(dialog[open], [popover]:popover-open)').first().waitFor();
      }
      if (isUpdate) screens.set(title, await lookAtRest(page));
      const edge = page.viewportSize()!.height;
      const compare = async () => differences(screens.get(title) ?? [], await look(page), edge);
      const until = Date.now() + PATIENCE_MS;
      let other = await compare();
      while (other.length > 0 && Date.now() < until) other = await compare();
      found.push(...other.map((line) => `${title}: ${line}`));
    }
    expect(found).toEqual([]);
  });

  it('would not look so without a panel, in other colors, or with a column elsewhere', async () => {
    const { page } = await kitchen.run.signedIn(kitchen.app.cast.olivia, topic(), WINDOWS['light']);
    await page.locator('.message').nth(1).waitFor();
    const before = await lookAtRest(page);
    const after = async (change: string) => {
      await page.evaluate(`document.querySelector(${change}`);
      return differences(before, await lookAtRest(page), 800);
    };
    expect(await after("'html')")).toEqual([]);
    expect((await after("'nav').style.visibility = 'hidden'")).join()).toMatch(/^- nav/);
    expect(await after("'nav').style.visibility = ''")).toEqual([]);
    expect((await after("'html').style.colorScheme = 'dark'")).length).toBeGreaterThan(before.length);
    expect(await after("'html').style.colorScheme = ''")).toEqual([]);
    expect((await after("'main').style.marginInlineStart = '2rem'")).join()).toMatch(/- main/);
    expect(await after("'main').style.marginInlineStart = ''")).toEqual([]);
    expect((await after("'.message').style.opacity = '0'")).join()).toMatch(/- message/);
  });
});
