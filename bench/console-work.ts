import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { BenchClient } from './comparison';
import { fillOrganization, LARGE_CHANNEL, PATTERN } from './fill';
import { makePattern, PATTERN_PASSWORD } from './growth';
import { BenchOrganization } from './organization';

/** Sizes at which dependencies on them would show. */
const SIZE = { people: 10_000, subscribers: 200, messages: 100_000 };
const PORT = 9815;
const TOPICS = 30;
const KEYS = 200;
const ARRIVALS = Number(process.env.BENCH_ARRIVALS ?? 5000);
/** Number of senders at a time. */
const SENDERS = 8;

/** A measured value of the console, and its maximum. */
export interface Budgeted {
  readonly name: string;
  readonly value: number;
  readonly budget: number;
  readonly unit: string;
}

/** Opens topics one after the other by links, as people do. @returns how long each took to show its first messages */
const SWITCH = (paths: readonly string[]) => `(async () => {
  const times = [];
  for (const [path, title] of ${JSON.stringify(paths.map((path) => [path, decodeURIComponent(path.split('/').at(-1)!)]))}) {
    const link = Object.assign(document.createElement('a'), { href: path });
    document.body.append(link);
    const begun = performance.now();
    link.click();
    link.remove();
    do await new Promise(requestAnimationFrame);
    while (document.querySelector('h1')?.textContent !== title || !document.querySelector('.message'));
    times.push(performance.now() - begun);
  }
  return times.sort((one, other) => one - other);
})()`;

/** Records key presses that were painted late, and long tasks. */
const WATCH = `window.slow = []; window.tasks = [];
  new PerformanceObserver((list) => slow.push(...list.getEntries().filter(({ name }) => name === 'keydown')
    .map(({ duration }) => duration))).observe({ type: 'event', durationThreshold: 16 });
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask' });`;

/** The 95th percentile of key press times; those shorter than 16 ms are not recorded. */
async function pressKeys(page: Page, text: string, count: number): Promise<number> {
  await page.locator('.composer textarea').fill('');
  await page.evaluate('window.slow.length = 0');
  for (let key = 0; key < count; key++) {
    await page.keyboard.press(text[key % text.length]!);
    await sleep(30);
  }
  const slow = (await page.evaluate<number[]>('window.slow')).sort((one, other) => other - one);
  return slow[Math.floor(count / 20)] ?? 16;
}

/** Size of the page's heap after garbage collection. */
async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'JSHeapUsedSize')!.value;
}

async function arrive(client: BenchClient): Promise<void> {
  let left = ARRIVALS;
  const send = async () => {
    while (left-- > 0)
      await client.post('/messages', {
        type: 'channel',
        to: LARGE_CHANNEL,
        topic: 'arrivals',
        content: `Number ${left}`,
      });
  };
  await Promise.all(Array.from({ length: SENDERS }, send));
}

/** Measures the console in a large organization. */
export async function measureWork(browser: Browser): Promise<Budgeted[]> {
  const organization = await BenchOrganization.create('sqlite');
  await makePattern(organization);
  const { channelId } = await organization.reach((db) => fillOrganization(db, SIZE));
  const server = await organization.serve(PORT);
  try {
    const page = await (await browser.newContext()).newPage();
    const topic = (name: string) => `/console/channels/${channelId}/topic/${encodeURIComponent(name)}`;
    await page.goto(server.url + topic('arrivals'));
    await page.getByLabel('Email address').fill(PATTERN);
    await page.getByLabel('Password').fill(PATTERN_PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('.composer textarea').waitFor({ timeout: 120_000 });
    await page.evaluate(WATCH);
    const client = new BenchClient(PORT, organization.owner);
    const { topics } = (await client.get(`/users/me/${channelId}/topics`)) as { topics: { name: string }[] };
    const paths = topics.slice(0, TOPICS).map(({ name }) => topic(name));
    const median = (times: readonly number[]) => times[times.length >> 1]!;
    const first = median(await page.evaluate<number[]>(SWITCH(paths)));
    const again = median(await page.evaluate<number[]>(SWITCH(paths)));
    const letters = await pressKeys(page, 'the heron waits ', KEYS);
    const mentions = await pressKeys(page, '@copy ', KEYS);
    await client.post('/messages', {
      type: 'channel',
      to: LARGE_CHANNEL,
      topic: 'arrivals',
      content: 'The first',
    });
    await page.goto(server.url + topic('arrivals'));
    await page.locator('.message').first().waitFor();
    await page.evaluate(WATCH);
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    const before = await heapOf(session);
    await arrive(client);
    await page.locator('.message', { hasText: 'Number 0' }).last().waitFor({ timeout: 120_000 });
    const grown = ((await heapOf(session)) - before) / 1e6;
    const rows = await page.locator('.message').count();
    const task = Math.max(0, ...(await page.evaluate<number[]>('window.tasks')));
    const figure = (name: string, value: number, budget: number, unit: string) => ({
      name,
      value,
      budget,
      unit,
    });
    return [
      figure('topic opened, from the server', first, 150, 'ms'),
      figure('topic opened, from the cache', again, 50, 'ms'),
      figure('letter painted after its key, 95 %', letters, 16, 'ms'),
      figure('the same while a mention is completed', mentions, 32, 'ms'),
      figure(`messages on the page after ${ARRIVALS} arrivals`, rows, 400, ''),
      figure('memory that they cost', grown, 10, 'MB'),
      figure('longest task meanwhile', task, 50, 'ms'),
    ];
  } finally {
    await server.stop();
    await organization.drop();
  }
}
