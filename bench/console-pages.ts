import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Page } from 'playwright-core';
import { measureWork } from './console-work';
import { ServerProcess } from './server-process';

/**
 * Measures the console: how long a browser takes from requesting a page to showing {@link SHOWN} messages on it, the
 * cost of working in a large organization, and start time and memory of the server with and without it. Run as `npm run
 * bench:console`; it needs Chromium (`PARLEY_TEST_BROWSER`) and an otherwise idle machine. Prints medians and maxima.
 * `BENCH_BASE` names the folder with a build of another revision, to compare starts with.
 */
const TIMES = Number(process.env.BENCH_TIMES ?? 15);
const { BENCH_BASE: BASE } = process.env;
const SHOWN = 20;
const PORT = 9814;
const PASSWORD = 'seven quiet herons in the reeds';

const top = join(__dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));

const environment = (name: string, more: Readonly<Record<string, string>> = {}) => ({
  DATA_DIR: join(folder, name),
  PORT: String(PORT),
  OWNER_PASSWORD: PASSWORD,
  RATE_LIMIT_PER_MINUTE: '0',
  LOG_LEVEL: 'error',
  ...more,
});

const serve = (env: Readonly<Record<string, string>>, tree = top) =>
  ServerProcess.start([join(tree, 'dist/main.js')], env, PORT, '/health/live');

function print(name: string, figures: readonly number[], unit: string): void {
  const [median, worst] = [
    figures.toSorted((one, other) => one - other).at(figures.length >> 1),
    Math.max(...figures),
  ];
  process.stdout.write(
    `${name.padEnd(44)}${median?.toFixed(0).padStart(7)}${worst.toFixed(0).padStart(7)} ${unit}\n`,
  );
}

/** Records when this many messages are on the page, in milliseconds after the request. */
const NOTE = `new MutationObserver((_, observer) => {
  if (document.querySelectorAll('.message').length < ${SHOWN}) return;
  observer.disconnect();
  requestAnimationFrame(() => (window.shownAt = performance.now()));
}).observe(document, { childList: true, subtree: true });`;

async function timeOf(page: Page, url: string): Promise<number> {
  await page.goto(url, { waitUntil: 'commit' });
  for (;;) {
    const at = Number(await page.evaluate('window.shownAt ?? 0'));
    if (at > 0) return at;
    await sleep(20);
  }
}

/** A channel of the sample organization, first in browsers without a cache, then in one with cached files. */
async function measurePages(): Promise<void> {
  const env = environment('pages');
  const server = await serve(env);
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const executablePath = process.env.PARLEY_TEST_BROWSER ?? '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args });
  try {
    execFileSync(process.execPath, [join(top, 'dist/cli/main.js'), 'demo'], {
      env: { ...process.env, ...env },
    });
    const signedIn = await browser.newContext();
    const first = await signedIn.newPage();
    await first.goto(`${server.url}/login/?next=/console`);
    await first.getByLabel('Email address').fill('owner@parley.localhost');
    await first.getByLabel('Password').fill(PASSWORD);
    await first.getByRole('button', { name: 'Sign in' }).click();
    const link = first.getByRole('navigation').getByRole('link', { name: /^backend/ });
    const url = server.url + String(await link.getAttribute('href'));
    const storageState = await signedIn.storageState();
    const [cold, warm]: [number[], number[]] = [[], []];
    for (let time = 0; time < TIMES; time++) {
      const context = await browser.newContext({ storageState });
      await context.addInitScript(NOTE);
      const page = await context.newPage();
      cold.push(await timeOf(page, url));
      warm.push(await timeOf(page, url));
      await context.close();
    }
    print(`${SHOWN} messages shown, nothing cached`, cold, 'ms');
    print(`${SHOWN} messages shown, files cached`, warm, 'ms');
    for (const { name, value, budget, unit } of await measureWork(browser)) {
      const verdict = value <= budget ? '' : ' (too much)';
      process.stdout.write(
        `${name.padEnd(44)}${value.toFixed(0).padStart(7)} of ${budget} ${unit}${verdict}\n`,
      );
    }
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** In turns, so that both have the same conditions. */
async function measureServer(): Promise<void> {
  const ways = [
    { name: 'CONSOLE=on', console: 'on', tree: top },
    { name: 'CONSOLE=off', console: 'off', tree: top },
    ...(BASE ? [{ name: 'the other tree', console: 'on', tree: BASE }] : []),
  ].map((way) => ({ ...way, start: [] as number[], memory: [] as number[] }));
  const started = ({ name, console, tree }: (typeof ways)[number]) =>
    serve(environment(name, { CONSOLE: console }), tree);
  for (const way of ways) await (await started(way)).stop();
  for (let time = 0; time < TIMES; time++) {
    for (const way of ways) {
      const server = await started(way);
      way.start.push(server.cpuMicroseconds() / 1000);
      await sleep(2000);
      way.memory.push(server.residentMib() * 1024);
      await server.stop();
    }
  }
  for (const { name, start, memory } of ways) {
    print(`start with ${name}, processor time`, start, 'ms');
    print(`memory when idle with ${name}`, memory, 'KiB');
  }
}

async function main(): Promise<void> {
  process.stdout.write(`${' '.repeat(44)} median  worst\n`);
  await measurePages();
  await measureServer();
}

main()
  .catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  })
  .finally(() => rmSync(folder, { recursive: true }));
