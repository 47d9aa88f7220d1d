import { spawn, spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** The files for `--changed`: those that differ from where this branch left `main`, committed or not. */
function changedFiles(): string[] {
  const git = (...args: string[]) =>
    spawnSync('git', args, { encoding: 'utf8' }).stdout.split('\n').filter(Boolean);
  const [base = 'HEAD'] = ['main', 'origin/main'].flatMap((branch) => git('merge-base', 'HEAD', branch));
  return [
    ...git('diff', '--name-only', '--diff-filter=d', base),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
}

/**
 * All static checks, as `npm run check`. The steps run concurrently; only failing ones print their output, and the
 * check of names, which lists long files. With `--changed`, lint and format check only changed files, and unused code
 * is not checked.
 */
function stepsFor(changed: readonly string[] | null): Record<string, string> {
  const listed = (files: readonly string[]) => files.map((file) => `'${file}'`).join(' ');
  const all = listed(changed ?? ['.']);
  const code = changed ? listed(changed.filter((file) => /\.[cm]?[jt]sx?$/.test(file))) : all;
  return {
    types: 'tsc --noEmit -p tsconfig.json --tsBuildInfoFile node_modules/.cache/check.tsbuildinfo',
    'types of the console': 'tsc -p console/tsconfig.json && tsc -p console/worker/tsconfig.json',
    ...(code !== '' && { lint: `ts-node scripts/check-lint.ts ${code}` }),
    ...(all !== '' && {
      format: `prettier ${all} --check --ignore-unknown --cache --cache-location node_modules/.cache/prettier/checked --log-level warn`,
    }),
    imports: 'depcruise src console --config .dependency-cruiser.cjs --output-type err-long',
    ...(!changed && { unused: 'knip --cache --cache-location node_modules/.cache/knip --no-progress' }),
    names: 'ts-node scripts/check-names.ts',
    structure: 'ts-node scripts/check-structure.ts',
    advisories: 'ts-node scripts/check-advisories.ts',
  };
}

interface Outcome {
  readonly name: string;
  readonly passed: boolean;
  readonly seconds: string;
  readonly output: string;
}

/** Runs a command line with the binaries of node_modules on the path, as npm does. */
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

/** Runs all steps, as many at a time as there are processors, and prints each outcome as it arrives. */
async function main(): Promise<void> {
  const changed = process.argv.includes('--changed') ? changedFiles() : null;
  const waiting = Object.entries(stepsFor(changed));
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
