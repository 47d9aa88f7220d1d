import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Build } from '../src/platform/version';

/** Run in a separate process, because it loads the compiled program. */
const PRINT_SCHEMA = `
  const { join } = require('node:path');
  const load = (path) => require(join(process.argv[1], path));
  const migrations = load('platform/database/known-migrations.js').knownMigrations(load('app.module.js').tables);
  console.log(migrations.at(-1).name);
`;

/** Writes the version information for `parley --version` beside a compiled program. */
export function writeBuild(program: string): void {
  const schema = execFileSync(process.execPath, ['-e', PRINT_SCHEMA, program], { encoding: 'utf8' }).trim();
  writeFileSync(join(program, 'build.json'), JSON.stringify({ commit: commit(), schema } satisfies Build));
}

/** Null outside a repository, for example in an unpacked source archive. */
function commit(): string | null {
  const describe = ['describe', '--always', '--abbrev=12', '--dirty', '--exclude', '*'];
  const { status, stdout } = spawnSync('git', describe, { cwd: __dirname, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}
