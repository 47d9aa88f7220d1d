import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config';
import { StartRefused } from '../config/start-refused';
import { leftFile } from '../database/sqlite/left-file';

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
 * @throws {StartRefused} where it was moved
 */
export function requireDatabaseOfSecret(
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'keepSecret'>,
): void {
  const { dataDir, databaseUrl, keepSecret } = config;
  const file = join(dataDir, 'parley.db');
  if (databaseUrl !== null || keepSecret || existsSync(file) || !existsSync(join(dataDir, 'secret'))) return;
  const left = leftFile(file);
  if (existsSync(left)) {
    throw new StartRefused(
      `The data was moved to PostgreSQL; ${left} is what it was here before. Set DATABASE_URL to the address that ` +
        '"parley move" was given.',
    );
  }
  throw new DatabaseMissing(`The database ${file} does not exist.`, config);
}
