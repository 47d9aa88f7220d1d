import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config';
import { StartRefused } from '../config/start-refused';

/** There is a secret, and not the database whose keys were derived from it. A new organization would cover that up. */
export class DatabaseMissing extends StartRefused {
  /** @param trouble what is wrong, as a sentence */
  constructor(trouble: string, { dataDir }: Pick<Config, 'dataDir'>) {
    super(
      `${trouble} The secret of an organization is in ${join(dataDir, 'secret')}, so no new one is made beside it. Put ` +
        'the database back, or move the data folder away and restore a backup. If a new organization is meant: make it ' +
        'with this secret by "parley init --keep-secret" (or KEEP_SECRET=true), or with another one by moving the file ' +
        'away first.',
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
  throw new DatabaseMissing(`There is no database ${file}.`, config);
}
