import { mkdirSync } from 'node:fs';
import type { Config } from './config';
import { StartRefused } from './start-refused';

/**
 * Makes the data folder where it is missing, for its owner only.
 * @throws {StartRefused}
 */
export function makeDataFolder({ dataDir }: Pick<Config, 'dataDir'>): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new StartRefused(
      `The data folder ${dataDir} cannot be made (${reason}): set DATA_DIR to a folder this user may write to.`,
    );
  }
}
