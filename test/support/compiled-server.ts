import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { writeBuild } from '../../scripts/write-build';

const root = join(__dirname, '..', '..');
const sources = join(root, 'src');
const folder = join(root, 'node_modules/.cache/compiled-server');
const HOUR_MS = 3_600_000;
const LOOKS_AGAIN_AFTER_MS = 100;

/**
 * Compiles the server once for each state of its sources; concurrent test files wait for the first of them. Reading two
 * thousand files takes a second per process, so processes of tests read them as one file already compiled by V8, as
 * `parley test` does by default.
 * @returns the path of `main.js`
 */
export function compiledServer(): string {
  const program = join(folder, stateOfSources());
  mkdirSync(join(folder, 'dist'), { recursive: true });
  const lock = `${program}.lock`;
  while (!existsSync(program)) {
    if (!take(lock)) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOKS_AGAIN_AFTER_MS);
      continue;
    }
    try {
      compile(program);
    } finally {
      rmSync(lock, { force: true });
    }
  }
  return join(program, 'main.js');
}

/** A lock of a dead process is ignored. */
function take(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    try {
      process.kill(Number(readFileSync(lock, 'utf8')) || process.pid, 0);
    } catch {
      rmSync(lock, { force: true });
    }
    return false;
  }
}

function compile(program: string): void {
  removeOld();
  const unfinished = `${program}.${process.pid}`;
  const state = join(unfinished, 'tsconfig.build.tsbuildinfo');
  const options = [
    '-p',
    'tsconfig.build.json',
    '--noCheck',
    '--outDir',
    unfinished,
    '--tsBuildInfoFile',
    state,
  ];
  node(require.resolve('typescript/bin/tsc'), ...options);
  for (const entry of ['main.js', 'cli/main.js']) {
    const path = join(unfinished, entry);
    const up = entry.includes('/') ? '..' : '.';
    writeFileSync(path, readFileSync(path, 'utf8').replace('"use strict";', `$&\n${useKeptCode(up)}`));
  }
  writeBuild(unfinished);
  renameSync(unfinished, program);
  linkApiDescription();
  node('-e', KEEP_CODE, program);
}

/** The compiled server looks for it in `dist` next to its own folder. */
function linkApiDescription(): void {
  const link = join(folder, 'dist/api-description');
  if (!existsSync(link)) symlinkSync(join(root, 'dist/api-description'), link);
}

function node(...args: readonly string[]): void {
  execFileSync(process.execPath, args, { cwd: root });
}

/** The first lines of the program's entry files; `parley test` has its own cache folder. */
const useKeptCode = (up: string) =>
  `if (process.argv[2] !== 'test') require('${up}/platform/lifecycle/kept-code.js').useKeptCode(require('node:path').join(__dirname, '${up}/kept'));`;

const KEEP_CODE = `
  const { join } = require('node:path');
  const program = process.argv[1];
  const code = require(join(program, 'platform/lifecycle/kept-code.js')).useKeptCode(join(program, 'kept'));
  require(join(program, 'serve.js'));
  for (const name of require('node:fs').readdirSync(join(program, 'cli')))
    if (name.endsWith('.js') && name !== 'main.js') require(join(program, 'cli', name));
  code.keep();
`;

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
    if (name === 'dist') continue;
    const path = join(folder, name);
    if (Date.now() - statSync(path).mtimeMs > HOUR_MS) rmSync(path, { recursive: true, force: true });
  }
}
