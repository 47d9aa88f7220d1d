import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config';
import { StartRefused } from '../config/start-refused';

/** There is a secret, and not the database whose keys were derived from it. A new organization would cover that up. */
export class DatabaseMissing extends StartRefused {
  /** @param trouble what is wrong, as a sentence */
  constructor(trouble: string, { dataDir }: Pick<Config, 'dataDir'>) {
    super(
      `${trouble} ${join(dataDir, 'secret')} contains the secret of an existing organization, so no new one is created. Put ` +
        'the database back, or move the data folder away and restore a backup. To create a new organization, keep this ' +
        'secret with "parley init --keep-secret" (or KEEP_SECRET=true), or move the file away to generate a new ' +
        'one.',
    );
  }
}

/**
 * Looks before a database file is made: SQLite would take away what is left of the one that is missing.
 * @throws {DatabaseMissing}
 */
export function requireDatabaseOfSecret(
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'keepSecret'>,
): void {
  const { dataDir, databaseUrl, keepSecret } = config;
  const file = join(dataDir, 'parley.db');
  if (databaseUrl !== null || keepSecret || existsSync(file) || !existsSync(join(dataDir, 'secret'))) return;
  throw new DatabaseMissing(`The database ${file} does not exist.`, config);
}
