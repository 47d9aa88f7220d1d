import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { chromium, type Page } from 'playwright-core';
import sharp from 'sharp';

const PORT = '9873';
const SITE = `http://127.0.0.1:${PORT}`;
const PASSWORD = 'seven quiet herons in the reeds';
const PICTURE = join(__dirname, '../docs/console.png');
/** The picture stands in the README smaller than it is, so that it is sharp on every screen. */
const WINDOW = { viewport: { width: 1200, height: 720 }, deviceScaleFactor: 1.5 };

async function untilReady(server: ChildProcess): Promise<void> {
  while (server.exitCode === null) {
    const answer = await fetch(`${SITE}/health/ready`).catch(() => null);
    if (answer?.ok) return;
    await pause(200);
  }
  throw new Error('The server has ended. Run npm run build first.');
}

async function show(page: Page): Promise<void> {
  await page.goto(`${SITE}/login/?next=/console`);
  await page.getByLabel('Email address').fill('owner@parley.localhost');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: /^backend/ }).click();
  await page.getByRole('heading', { level: 1, name: '#backend' }).waitFor();
  await page.locator('.message').last().waitFor();
  await page.getByRole('textbox', { name: 'Topic', exact: true }).fill('time zones');
  await page.locator('.composer textarea').fill('I can look into it after lunch, @**Grace Ito**.');
  await page.mouse.move(0, 0);
}

/**
 * Draws `docs/console.png`, the picture of the console in the README: a new server with the sample organization, seen
 * by its owner. It wants a build, Chromium (`PARLEY_TEST_BROWSER`), and a font with emoji.
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
    const page = await (await browser.newContext(WINDOW)).newPage();
    await show(page);
    // A palette of 128 colours is enough for a page, and a third of the size.
    writeFileSync(
      PICTURE,
      await sharp(await page.screenshot())
        .png({ palette: true, colours: 128, effort: 10 })
        .toBuffer(),
    );
  } finally {
    await browser.close();
    const ended = once(server, 'exit');
    if (server.kill()) await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

void main();
