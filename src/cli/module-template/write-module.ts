import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { CommandRefused } from '../../platform/operator/operator-command';
import { PROGRAM_VERSION } from '../../platform/version';
import { packageFiles } from './package-files';
import { sourceFiles } from './source-files';

/** The folder of the package that this program is in. */
const PACKAGE = resolve(__dirname, '../../..');

/** What was written. */
interface WrittenModule {
  readonly folder: string;
  /** Relative to where the command was given. */
  readonly files: readonly string[];
}

/**
 * Writes a module that keeps things with a name: everybody lists and adds them, administrators remove them.
 * @param one what one of the things is called
 * @throws CommandRefused where there is such a folder already
 */
export function writeModule(name: string, one: string, place: string): WrittenModule {
  if (!/^[a-z][a-z0-9]*$/.test(one) || one === name) {
    throw new CommandRefused(
      `Cannot derive the singular of ${name}. Add it: parley module new ${name} <singular>.`,
    );
  }
  const folder = join(place, name);
  if (existsSync(folder)) throw new CommandRefused(`The folder ${folder} already exists.`);
  const files = {
    ...packageFiles({ name, version: PROGRAM_VERSION, parley: PACKAGE }),
    ...sourceFiles(name, one),
  };
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text.trimStart());
  }
  const shown = Object.keys(files).map((path) => relative(process.cwd(), join(folder, path)));
  return { folder: relative(process.cwd(), folder) || '.', files: shown };
}
