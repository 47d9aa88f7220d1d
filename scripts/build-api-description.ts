import 'reflect-metadata';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from './build-console';

const root = join(__dirname, '..');
const folder = join(root, 'dist/api-description');
const STATE = join(folder, 'state');

/** The sources whose changes count: all of them, or those that mostly determine a description. */
const SOURCES = {
  all: /(?<!\.spec)\.ts$/,
  describing:
    /\.(api|controller|decorator|dto|entity|errors|events|module|wire)\.ts$|^platform\/(http\/parameters\/|version\.ts$)|^features\/web\/api-description\//,
} as const;

/**
 * Writes `dist/api-description/openapi.json`, the OpenAPI document of both interfaces, and `page.html`, the same for
 * people, unless they are newer than their sources.
 * @param counting `describing` misses types declared in other files, and does not rebuild for test runs after most
 *   changes
 */
export async function buildApiDescription(counting: keyof typeof SOURCES): Promise<void> {
  const state = { all: stateOf(SOURCES.all), describing: stateOf(SOURCES.describing) };
  if (lastState()[counting] === state[counting]) return;
  // Loading the program takes seconds, which most runs spare.
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- see above
  const program = require('./api-description/document') as typeof import('./api-description/document');
  const document = await program.describeProgram();
  mkdirSync(folder, { recursive: true });
  replaceFile(join(folder, 'openapi.json'), JSON.stringify(document));
  replaceFile(join(folder, 'page.html'), program.renderPage(document));
  replaceFile(STATE, JSON.stringify(state));
}

function lastState(): Partial<Record<keyof typeof SOURCES, string>> {
  try {
    return JSON.parse(readFileSync(STATE, 'utf8')) as Record<keyof typeof SOURCES, string>;
  } catch {
    return {};
  }
}

function stateOf(counted: RegExp): string {
  const hash = createHash('sha256');
  for (const sources of ['src', 'scripts/api-description']) {
    for (const name of readdirSync(join(root, sources), { recursive: true, encoding: 'utf8' }).sort()) {
      if (sources === 'src' && !counted.test(name)) continue;
      const { mtimeMs, size } = statSync(join(root, sources, name));
      hash.update(`${name} ${mtimeMs} ${size}\n`);
    }
  }
  return hash.digest('hex').slice(0, 16);
}
