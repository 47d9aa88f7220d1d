import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Config } from './config';
import { StartRefused } from './start-refused';
import { isDiskFull } from '../errors/outages';

/**
 * Creates the data folder if it is missing, accessible to its owner only, and checks that this user may write there.
 * @throws {StartRefused}
 */
export function makeDataFolder({ dataDir }: Pick<Config, 'dataDir'>): void {
  try {
    makeFolder(dataDir);
  } catch (error) {
    if (isDiskFull(error)) throw error;
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new StartRefused(
      `Cannot create the data folder ${dataDir} (${reason}). Set DATA_DIR to a folder this user can write to.`,
    );
  }
  requireAccess(dataDir);
}

/**
 * Whether the data folder exists.
 * @throws {StartRefused} if it exists but this user may not use it
 */
export function isDataFolderThere({ dataDir }: Pick<Config, 'dataDir'>): boolean {
  // Unlike `existsSync`, this fails when a parent folder is closed to this user.
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
      `This user cannot write to the data folder ${dataDir} (${reason}). Run this as its owner, or set ` +
        'DATA_DIR to another folder.',
    );
  }
}

/** Not `recursive`: if a parent exists but the system answers ENOENT, as in `/proc`, that never returns. */
function makeFolder(path: string): void {
  if (existsSync(path) && statSync(path).isDirectory()) return;
  const parent = dirname(path);
  if (!existsSync(parent)) makeFolder(parent);
  mkdirSync(path, { mode: 0o700 });
}
