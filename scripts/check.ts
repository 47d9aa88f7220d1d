import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** The cache does not know of types from other files, so what fails with it is looked at again without. */
const lint = 'eslint . --max-warnings 0';

/**
 * Everything a machine can check without running the program, as `npm run check`. The steps run side by side; only
 * those that fail print what they have to say, and the check of names, which lists long files.
 */
const steps: Record<string, string> = {
  types: 'tsc --noEmit --incremental false -p tsconfig.json',
  lint: `${lint} --cache --cache-strategy content --cache-location node_modules/.cache/eslint/ > /dev/null || ${lint}`,
  format: 'prettier . --check --cache --cache-location node_modules/.cache/prettier/checked --log-level warn',
  imports: 'depcruise src --config .dependency-cruiser.cjs --output-type err-long',
  unused: 'knip --cache --cache-location node_modules/.cache/knip --no-progress',
  names: 'ts-node scripts/check-names.ts',
};

interface Outcome {
  readonly name: string;
  readonly passed: boolean;
  readonly seconds: string;
  readonly output: string;
}

/** Runs one command line; the binaries of node_modules are on the path, as npm puts them there. */
function run(name: string, command: string): Promise<Outcome> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(command, { shell: true });
    const output: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      resolve({ name, passed: code === 0, seconds, output: Buffer.concat(output).toString() });
    });
  });
}

/** Runs all steps, as many at a time as there are processors, and prints each outcome as it comes in. */
async function main(): Promise<void> {
  const waiting = Object.entries(steps);
  let failed = 0;
  const worker = async (): Promise<void> => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const { name, passed, seconds, output } = await run(...step);
      console.log(`${passed ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
      if (!passed) failed += 1;
      if (!passed || (name === 'names' && output !== '')) console.log(output.trimEnd());
    }
  };
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, worker));
  if (failed > 0) process.exitCode = 1;
}

void main();
