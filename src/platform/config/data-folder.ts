import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Config } from './config';
import { StartRefused } from './start-refused';

/**
 * Makes the data folder where it is missing, for its owner only, and sees that this user may write there.
 * @throws {StartRefused}
 */
export function makeDataFolder({ dataDir }: Pick<Config, 'dataDir'>): void {
  try {
    makeFolder(dataDir);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new StartRefused(
      `The data folder ${dataDir} cannot be made (${reason}): set DATA_DIR to a folder this user may write to.`,
    );
  }
  requireAccess(dataDir);
}

/**
 * Sees whether the data folder is there.
 * @throws {StartRefused} where it is, and this user may not use it
 */
export function isDataFolderThere({ dataDir }: Pick<Config, 'dataDir'>): boolean {
  // Other than `existsSync`, this fails where a folder above it is closed to this user.
  const found = statSync(dataDir, { throwIfNoEntry: false });
  if (found) requireAccess(dataDir);
  return found !== undefined;
}

/** @throws {StartRefused} */
function requireAccess(dataDir: string): void {
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new StartRefused(
      `This user may not write in the data folder ${dataDir} (${reason}): run this as the user it belongs to, or set ` +
        'DATA_DIR to another folder.',
    );
  }
}

/** Not with `recursive`: where a parent is there and yet refuses with ENOENT, as in `/proc`, that never returns. */
function makeFolder(path: string): void {
  if (existsSync(path) && statSync(path).isDirectory()) return;
  const parent = dirname(path);
  if (!existsSync(parent)) makeFolder(parent);
  mkdirSync(path, { mode: 0o700 });
}
