import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

const USAGE = 'npm run stress -- <test file> [times]';
const TIMES = 20;

/** Keeps a processor busy until it is killed. */
const BURNER = 'for (;;) Math.random();';

interface Outcome {
  readonly passed: boolean;
  readonly output: string;
}

function runTest(file: string): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn('npx', ['jest', '--maxWorkers=1', '--runTestsByPath', file]);
    const output: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ passed: code === 0, output: Buffer.concat(output).toString() }));
  });
}

/** Runs a test file repeatedly on a machine with twice as many busy processes as processors, as `npm run stress`. */
async function main([file, times = String(TIMES)]: readonly string[]): Promise<void> {
  const total = Number(times);
  if (file === undefined || !Number.isInteger(total) || total < 1) throw new Error(`Usage: ${USAGE}`);
  const burners = Array.from(
    { length: 2 * availableParallelism() },
    () => new Worker(BURNER, { eval: true }),
  );
  let failed = 0;
  try {
    for (let time = 1; time <= total; time += 1) {
      const startedMs = performance.now();
      const { passed, output } = await runTest(file);
      const seconds = Math.round((performance.now() - startedMs) / 1000);
      console.log(`${passed ? 'ok    ' : 'FAILED'} ${time} of ${total} (${seconds} s)`);
      if (passed) continue;
      failed += 1;
      console.log(output);
    }
  } finally {
    await Promise.all(burners.map((burner) => burner.terminate()));
  }
  console.log(`${file}: failed ${failed} of ${total} times under load`);
  if (failed > 0) process.exitCode = 1;
}

void main(process.argv.slice(2));
