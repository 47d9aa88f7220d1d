import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import sharp from 'sharp';

const PORT = '9873';
const SITE = `http://127.0.0.1:${PORT}`;
const PASSWORD = 'seven quiet herons in the reeds';
const FOLDER = join(__dirname, '../docs');
/** Documents show pictures at reduced size, so that they are sharp on every screen. */
const DESKTOP = { viewport: { width: 1200, height: 720 }, deviceScaleFactor: 1.5 };
const PHONE = { viewport: { width: 390, height: 780 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };

/** A picture: its file, its window, and its content. */
interface Picture {
  readonly file: string;
  readonly window: BrowserContextOptions;
  readonly show: (page: Page) => Promise<void>;
}

async function untilReady(server: ChildProcess): Promise<void> {
  while (server.exitCode === null) {
    const answer = await fetch(`${SITE}/health/ready`).catch(() => null);
    if (answer?.ok) return;
    await pause(200);
  }
  throw new Error('The server has ended. Run npm run build first.');
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(`${SITE}/login/?next=${encodeURIComponent(path)}`);
  await page.getByLabel('Email address').fill('owner@parley.localhost');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** The fullest channel of the sample organization. */
const CHANNEL = '/console/channels/3';

/** A channel with its topics, and a message being written. */
async function channel(page: Page): Promise<void> {
  await open(page, CHANNEL);
  await page.getByRole('heading', { level: 1, name: '#backend' }).waitFor();
  await page.locator('.message').last().waitFor();
  await page.getByRole('textbox', { name: 'Topic', exact: true }).fill('time zones');
  await page.locator('.composer textarea').fill('I can look into it after lunch, @**Grace Ito**.');
  await page.mouse.move(0, 0);
  await page.evaluate(TOPIC_AT_THE_TOP);
}

/** Topic headings stick to the top: scrolls so that none is cut off. */
const TOPIC_AT_THE_TOP = `(() => {
  const log = document.querySelector('.log');
  const below = (place) => place.getBoundingClientRect().top - log.getBoundingClientRect().top;
  const next = [...log.querySelectorAll('.place')].find((place) => below(place) > 1);
  log.scrollTop += below(next);
})()`;

/** A topic on a phone. */
async function topic(page: Page): Promise<void> {
  await open(page, `${CHANNEL}/topic/${encodeURIComponent('slow search')}`);
  await page.getByRole('heading', { level: 1, name: /slow search/ }).waitFor();
  await page.locator('.message').last().waitFor();
}

/** The inbox. */
async function inbox(page: Page): Promise<void> {
  await open(page, '/console');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page
    .getByRole('link', { name: /^backend/ })
    .first()
    .waitFor({ state: 'attached' });
}

/** A separate page, once it has loaded its data. */
const at = (path: string) => async (page: Page) => {
  await open(page, path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle').catch(() => undefined);
};

const PICTURES: readonly Picture[] = [
  { file: 'console.png', window: DESKTOP, show: channel },
  { file: 'console/light.png', window: DESKTOP, show: inbox },
  { file: 'console/dark.png', window: { ...DESKTOP, colorScheme: 'dark' }, show: channel },
  { file: 'console/phone.png', window: PHONE, show: topic },
  { file: 'console/settings.png', window: DESKTOP, show: at('/console/settings') },
  { file: 'console/people.png', window: DESKTOP, show: at('/console/people') },
  { file: 'console/health.png', window: DESKTOP, show: at('/console/health') },
];

/** A palette of 128 colors is enough for a page, at a third of the size. */
async function draw(browser: Browser, { file, window, show }: Picture): Promise<void> {
  const context = await browser.newContext(window);
  const page = await context.newPage();
  await show(page);
  const bytes = await sharp(await page.screenshot())
    .png({ palette: true, colours: 128, effort: 10 })
    .toBuffer();
  const path = join(FOLDER, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  await context.close();
}

/**
 * Draws the pictures of the console in the README and `docs/console`: a new server with the sample organization, seen
 * by its owner. It requires a build, Chromium (`PARLEY_TEST_BROWSER`), and a font with emoji.
 */
async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-picture-'));
  const env = {
    ...process.env,
    DATA_DIR: folder,
    PORT,
    OWNER_PASSWORD: PASSWORD,
    ORGANIZATION_NAME: 'Acme',
    LOG_LEVEL: 'error',
  };
  const server = spawn(process.execPath, ['dist/main.js'], { env, stdio: 'inherit' });
  const browser = await chromium.launch({
    executablePath: process.env['PARLEY_TEST_BROWSER'] ?? '/usr/bin/chromium',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    await untilReady(server);
    execFileSync(process.execPath, ['dist/cli/main.js', 'demo'], { env, stdio: 'inherit' });
    for (const picture of PICTURES) await draw(browser, picture);
  } finally {
    await browser.close();
    const ended = once(server, 'exit');
    if (server.kill()) await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

void main();
