import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** The program, in the language in which it runs. */
export const PROGRAM = resolve(__dirname, '../..');

/** What is kept between starts lies where only the user can write. */
export const KEPT_FOLDER = join(homedir(), '.cache', 'parley', 'test-server');

/** Older files belong to programs that are no longer used. */
const KEPT_DAYS = 14;
const DAY_MS = 86_400_000;

/** Differs wherever any file of the program does. */
export function stateOfProgram(): string {
  const hash = createHash('sha256');
  const build = statSync(join(PROGRAM, 'tsconfig.build.tsbuildinfo'), { throwIfNoEntry: false });
  // What the compiler writes with every change says it all, and looking at each file takes a while.
  if (build) return hash.update(`${PROGRAM} ${build.mtimeMs} ${build.size}`).digest('hex').slice(0, 24);
  for (const name of readdirSync(PROGRAM, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!/\.(js|ts|json)$/.test(name)) continue;
    const { mtimeMs, size } = statSync(join(PROGRAM, name));
    hash.update(`${name} ${mtimeMs} ${size}\n`);
  }
  return hash.digest('hex').slice(0, 24);
}

/** Makes the folder of what is kept, and removes what is old. */
export function tidyKept(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const kept = statSync(path, { throwIfNoEntry: false });
    if (kept && Date.now() - kept.mtimeMs > KEPT_DAYS * DAY_MS) rmSync(path, { force: true });
  }
}

/** Writes a file at once, since two that start at the same time write the same. */
export function writeKept(path: string, fill: (draft: string) => void): void {
  const draft = `${path}.${randomUUID()}`;
  fill(draft);
  renameSync(draft, path);
}
