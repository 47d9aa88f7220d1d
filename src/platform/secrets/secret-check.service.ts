import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { DerivedKeys, secretChanged, ServerSecret } from './server-secret';
import { Config } from '../config/config';
import { StartRefused } from '../config/start-refused';
import { Database } from '../database/database.service';
import { readState, writeState, writeStateOnce } from '../database/server-state';
import { movedFile } from '../database/sqlite/sqlite-file';
import { TransactionService } from '../database/transaction.service';
import { Hooks } from '../hooks/hooks';
import type { SqlRunner } from '../sql/queryable';

/** The secret exists, but the database whose keys were derived from it does not. A new organization would hide that. */
class DatabaseMissing extends StartRefused {
  /** @param trouble the problem, as a sentence */
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
 * Checks before a database file is created: SQLite would delete the remains of the missing one.
 * @throws {DatabaseMissing}
 * @throws {StartRefused} if it was moved
 */
export function requireDatabaseOfSecret(
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'keepSecret'>,
): void {
  const { dataDir, databaseUrl, keepSecret } = config;
  const file = join(dataDir, 'parley.db');
  if (databaseUrl !== null || keepSecret || existsSync(file) || !existsSync(join(dataDir, 'secret'))) return;
  const left = movedFile(file);
  if (existsSync(left)) {
    throw new StartRefused(
      `The data was moved to PostgreSQL; ${left} is what it was here before. Set DATABASE_URL to the address that ` +
        '"parley move" was given.',
    );
  }
  throw new DatabaseMissing(`The database ${file} does not exist.`, config);
}

const STATE_KEY = 'secret_fingerprint';

/** The fingerprint of the secret that the server last started with; null before the first start. */
export function readKnownFingerprint(db: SqlRunner): Promise<string | null> {
  return readState(db, STATE_KEY);
}

/** Maximum time of another node between creating the secret and recording it in the database. */
const PATIENCE_MS = 5_000;
const PAUSE_MS = 100;

/** The keys of this database were derived from another secret. */
export class SecretMismatch extends StartRefused {}

/**
 * Before the server serves anything, checks that its secret belongs to its database: another one would silently
 * invalidate every API key. The database stores a fingerprint, never the secret.
 */
@Injectable()
export class SecretCheckService implements OnApplicationBootstrap {
  private readonly logger = new Logger('Secret');

  constructor(
    private readonly config: Config,
    private readonly secret: ServerSecret,
    private readonly keys: DerivedKeys,
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly hooks: Hooks,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.requireItsDatabase();
    const current = this.keys.current('fingerprint').toString('hex');
    const known = await this.rememberFirst(current);
    if (known !== current) {
      if (known !== this.keys.previous('fingerprint')?.toString('hex')) this.refuse();
      await this.remember(current);
      this.logger.warn(
        'The secret was changed. API keys from the previous secret work until SECRET_KEY_PREVIOUS is removed, or ' +
          '"parley secret rotate --finish" is run.',
      );
    }
    if (this.secret.file !== null && this.config.databaseUrl !== null) {
      this.logger.warn(
        `SECRET_KEY is not set. Using the secret in ${this.secret.file}. Set SECRET_KEY to its content on every ` +
          'node that shares this database.',
      );
    }
  }

  /** A secret from before this start belongs to an existing database. @throws {DatabaseMissing} */
  private async requireItsDatabase(): Promise<void> {
    const { file, isNew } = this.secret;
    if (file === null || isNew || this.config.keepSecret) return;
    const until = performance.now() + (this.database.engine === 'sqlite' ? 0 : PATIENCE_MS);
    while ((await readState(this.database.read, STATE_KEY)) === null) {
      if (performance.now() >= until) {
        throw new DatabaseMissing('The database is empty: it contains no organization.', this.config);
      }
      await pause(PAUSE_MS);
    }
  }

  /** @returns the stored fingerprint, which is the given one on the first start */
  private async rememberFirst(fingerprint: string): Promise<string> {
    try {
      return await this.transactions.run((tx) => writeStateOnce(tx, STATE_KEY, fingerprint));
    } catch (error) {
      // Otherwise it would block the next start.
      this.secret.discardIfNew();
      throw error;
    }
  }

  private async remember(fingerprint: string): Promise<void> {
    await this.transactions.run(async (tx) => {
      await writeState(tx, STATE_KEY, fingerprint);
      await this.hooks.run(secretChanged, tx);
    });
  }

  private refuse(): never {
    const found =
      this.secret.file === null ? 'The secret in SECRET_KEY' : `The secret in ${this.secret.file}`;
    this.secret.discardIfNew();
    throw new SecretMismatch(
      `${found} does not belong to this database, and no API key would work with it. Put the previous ` +
        'secret back (SECRET_KEY, or the file "secret" in the data folder), or set SECRET_KEY_PREVIOUS to it if ' +
        'the change is intended.',
    );
  }
}
