import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');
const sources = join(root, 'src');
const folder = join(root, 'node_modules/.cache/compiled-server');
const HOUR_MS = 3_600_000;

/**
 * Translates the server once for each state of its sources, so that processes which tests start are up in a second.
 * Test files that run side by side may both do it; the first to finish is taken.
 * @returns the path of `main.js`
 */
export function compiledServer(): string {
  const program = join(folder, stateOfSources());
  if (!existsSync(program)) {
    const unfinished = `${program}.${process.pid}`;
    mkdirSync(folder, { recursive: true });
    removeOld();
    const options = [
      '--noCheck',
      '--incremental',
      'false',
      '--tsBuildInfoFile',
      'null',
      '--outDir',
      unfinished,
    ];
    execFileSync(
      process.execPath,
      [require.resolve('typescript/bin/tsc'), '-p', 'tsconfig.build.json', ...options],
      {
        cwd: root,
      },
    );
    if (existsSync(program)) rmSync(unfinished, { recursive: true });
    else renameSync(unfinished, program);
  }
  return join(program, 'main.js');
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
