import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');
const sources = join(root, 'src');
const folder = join(root, 'node_modules/.cache/compiled-server');
const HOUR_MS = 3_600_000;
/** It takes less on any machine. */
const GIVEN_UP_MS = 180_000;

/**
 * Translates the server once for each state of its sources, so that processes which tests start are up in a second.
 * Of test files that run side by side, one does it, and the others wait.
 * @returns the path of `main.js`
 */
export function compiledServer(): string {
  const program = join(folder, stateOfSources());
  mkdirSync(folder, { recursive: true });
  while (!existsSync(program)) {
    if (take(`${program}.claim`)) compile(program);
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  }
  return join(program, 'main.js');
}

/** Whether nobody else has taken it, but for one who was ended before it was done. */
function take(claim: string): boolean {
  try {
    mkdirSync(claim);
    return true;
  } catch {
    const since = statSync(claim, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - since > GIVEN_UP_MS) rmSync(claim, { recursive: true, force: true });
    return false;
  }
}

function compile(program: string): void {
  const unfinished = `${program}.${process.pid}`;
  const options = [
    '--noCheck',
    '--incremental',
    'false',
    '--tsBuildInfoFile',
    'null',
    '--outDir',
    unfinished,
  ];
  const tsc = require.resolve('typescript/bin/tsc');
  try {
    // The one before may have been done just now.
    if (existsSync(program)) return;
    removeOld();
    execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', ...options], { cwd: root });
    renameSync(unfinished, program);
  } finally {
    rmSync(`${program}.claim`, { recursive: true, force: true });
  }
}

function stateOfSources(): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(sources, { recursive: true, encoding: 'utf8' }).sort()) {
    const { mtimeMs, size } = statSync(join(sources, name));
    hash.update(`${name} ${mtimeMs} ${size}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

function removeOld(): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (Date.now() - statSync(path).mtimeMs > HOUR_MS) rmSync(path, { recursive: true, force: true });
  }
}
