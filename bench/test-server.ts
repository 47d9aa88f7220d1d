import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Parley } from '../src/testing';

/**
 * Measures what a test waits for: a server in this process and a separate one, from the call to the first response, and
 * a reset after a change. Prints the median and the maximum. Run as `npm run bench:test-server`.
 */
const STARTS = 9;
const RESETS = 100;

const built = join(__dirname, '../dist');

type Testing = typeof import('../src/testing');

async function main(): Promise<void> {
  const { startParley } = (await import(join(built, 'testing/index.js'))) as Testing;
  // Caches the start for the others, and loads the program into this process.
  await (await startParley({ inProcess: true })).stop();

  await measure('in process, to the first answer', STARTS, () => startAndAsk(startParley, true));
  await measure('beside, to the first answer', STARTS, () => startAndAsk(startParley, false));
  await measure('parley test, to its line', STARTS, untilReady);

  const parley = await startParley();
  await measure('reset', RESETS, async () => {
    await parley.as('alice').send({ channel: 'lobby', topic: 'bench', content: 'Hello **there**' });
    const since = performance.now();
    await parley.reset();
    return performance.now() - since;
  });
  await parley.stop();
}

async function startAndAsk(start: Testing['startParley'], inProcess: boolean): Promise<number> {
  const since = performance.now();
  const parley: Parley = await start({ inProcess });
  await parley.as('alice').get('/users/me');
  const took = performance.now() - since;
  await parley.stop();
  return took;
}

async function untilReady(): Promise<number> {
  const since = performance.now();
  const child = spawn(process.execPath, [join(built, 'cli/main.js'), 'test', '--with-input']);
  await once(child.stdout, 'data');
  const took = performance.now() - since;
  child.stdin.end();
  await once(child, 'exit');
  return took;
}

/** @param work returns the measured milliseconds */
async function measure(name: string, times: number, work: () => Promise<number>): Promise<void> {
  const took: number[] = [];
  for (let at = 0; at < times; at++) took.push(await work());
  took.sort((a, b) => a - b);
  const [median, slowest] = [took[Math.floor(times / 2)] ?? 0, took.at(-1) ?? 0];
  process.stdout.write(
    `${name.padEnd(34)} p50 ${median.toFixed(1).padStart(7)} ms   slowest ${slowest.toFixed(1).padStart(7)} ms\n`,
  );
}

void main();
