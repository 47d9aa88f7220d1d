import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, statfsSync, statSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { tables } from '../../app.module';
import type { Config } from '../../platform/config/config';
import { environment, loadConfigWith } from '../../platform/config/load-config';
import { postgresAddresses } from '../../platform/config/server-addresses';
import { databaseOptions, type DatabaseOptions } from '../../platform/database/database.options';
import { dumpPostgres, restorePostgres } from '../../platform/database/postgres/postgres-dump';
import { pg } from '../../platform/database/postgres/postgres-hosts';
import { loadSqliteDriver } from '../../platform/database/sqlite/sqlite-driver';
import { CommandRefused } from '../../platform/operator/operator-commands';

const FOLDER_PREFIX = '.rehearsal-';
const DATABASE_PREFIX = 'parley_rehearsal_';

const MIB = 1024 ** 2;

/** The copy, and as much again for what migrations write. */
const SPACE_FACTOR = 2;

/** Environment variables; undefined ones are unset. */
type Variables = Readonly<Record<string, string | undefined>>;

/** Keeps a server on the copy to this machine, and away from everything that the original uses. */
const ISOLATED: Variables = {
  HOST: '127.0.0.1',
  PORT: '0',
  WORKERS: undefined,
  LISTEN_FDS: undefined,
  DATABASE_REPLICA_URL: undefined,
  REDIS_URL: undefined,
  FILES_URL: undefined,
  SMTP_URL: undefined,
  TLS_CERT: undefined,
  TLS_KEY: undefined,
  LOG_LEVEL: 'info',
  RATE_LIMIT_PER_MINUTE: '0',
};

/** A copy of an installation's database, in a data folder of its own. Uploaded files are not copied. */
export class DatabaseCopy {
  private constructor(
    private readonly folder: string,
    private readonly variables: Variables,
    private readonly dropDatabase: () => Promise<void>,
  ) {}

  /**
   * Copies the database while a server uses it, and opens neither: the copy has the tables of the release that wrote it.
   * @throws CommandRefused, DumpFailed
   */
  static async make(original: Config): Promise<DatabaseCopy> {
    const options = databaseOptions(original, tables);
    await removeLeftovers(original);
    requireSpace(original, options);
    const folder = mkdtempSync(join(original.dataDir, FOLDER_PREFIX));
    const name = `${DATABASE_PREFIX}${randomBytes(6).toString('hex')}`;
    const copy = new DatabaseCopy(
      folder,
      {
        ...ISOLATED,
        DATA_DIR: folder,
        EXTERNAL_URL: original.externalUrl,
        DATABASE_URL: original.databaseUrl === null ? undefined : databaseBeside(original.databaseUrl, name),
      },
      async () => {
        if (original.databaseUrl !== null) await dropDatabase(original.databaseUrl, name);
      },
    );
    try {
      const secret = join(original.dataDir, 'secret');
      if (existsSync(secret)) copyFileSync(secret, join(folder, 'secret'));
      await copy.fill(options, name);
      return copy;
    } catch (error) {
      await copy.remove();
      throw error;
    }
  }

  /** Settings of a server on the copy. */
  get config(): Config {
    return loadConfigWith(this.variables);
  }

  /** The same as environment variables. */
  get environment(): NodeJS.ProcessEnv {
    const env = { ...environment(), ...this.variables };
    for (const variable of Object.keys(this.variables)) delete env[`${variable}_FILE`];
    return env;
  }

  /** How large the copied database is, in bytes. */
  async size(): Promise<number> {
    const { databaseUrl } = this.config;
    if (databaseUrl === null) return statSync(join(this.folder, 'parley.db')).size;
    const [row] = await onPostgres(databaseUrl, 'SELECT pg_database_size(current_database()) AS size');
    return Number((row as { size: string }).size);
  }

  /** Removes the folder, and on PostgreSQL the database. */
  async remove(): Promise<void> {
    await this.dropDatabase();
    await fs.rm(this.folder, { recursive: true, force: true });
  }

  private async fill(options: DatabaseOptions, name: string): Promise<void> {
    if (options.engine === 'sqlite') {
      copySqlite(options.driver, options.file, join(this.folder, 'parley.db'));
      return;
    }
    await createDatabase(options.url, name);
    const dump = join(this.folder, 'parley.dump');
    await dumpPostgres(options.url, dump);
    await restorePostgres(databaseBeside(options.url, name), dump);
    await fs.rm(dump);
  }
}

function copySqlite(driver: Parameters<typeof loadSqliteDriver>[0], from: string, to: string): void {
  const { Connection } = loadSqliteDriver(driver);
  const connection = new Connection(from, { timeout: 5_000 });
  try {
    connection.prepare('VACUUM INTO ?').run(to);
  } finally {
    connection.close();
  }
}

/** @throws CommandRefused */
function requireSpace({ dataDir }: Config, options: DatabaseOptions): void {
  if (options.engine === 'postgres') return;
  if (!existsSync(options.file))
    throw new CommandRefused(`No organization in ${dataDir}. Choose its folder with --data-dir.`);
  const { bavail, bsize } = statfsSync(dataDir);
  const needed = SPACE_FACTOR * statSync(options.file).size;
  if (bavail * bsize >= needed) return;
  throw new CommandRefused(
    `A rehearsal needs ${Math.ceil(needed / MIB)} MiB of free space in ${dataDir}, which has ${Math.floor((bavail * bsize) / MIB)} MiB.`,
  );
}

/** What a rehearsal that was killed has left. */
async function removeLeftovers({ dataDir, databaseUrl }: Config): Promise<void> {
  const names = existsSync(dataDir) ? await fs.readdir(dataDir) : [];
  for (const name of names.filter((each) => each.startsWith(FOLDER_PREFIX)))
    await fs.rm(join(dataDir, name), { recursive: true, force: true });
  if (databaseUrl === null) return;
  const found = await onPostgres(
    databaseUrl,
    `SELECT datname AS name FROM pg_database WHERE datname LIKE '${DATABASE_PREFIX.replaceAll('_', '\\_')}%'
     AND pg_get_userbyid(datdba) = current_user`,
  );
  for (const { name } of found as { name: string }[]) await dropDatabase(databaseUrl, name);
}

/** @throws CommandRefused */
async function createDatabase(url: string, name: string): Promise<void> {
  await onPostgres(url, `CREATE DATABASE ${name} TEMPLATE template0`).catch(
    (error: Error & { code?: string }) => {
      throw new CommandRefused(
        `A rehearsal copies the database into another one, which could not be created: ${error.message}. ` +
          'Let the user in DATABASE_URL create databases (ALTER ROLE ... CREATEDB).',
      );
    },
  );
}

async function dropDatabase(url: string, name: string): Promise<void> {
  await onPostgres(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

async function onPostgres(url: string, sql: string): Promise<object[]> {
  const client = new (pg().Client)({ connectionString: firstHost(url) });
  await client.connect();
  try {
    return (await client.query<object>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Of several hosts, the first that the address names. */
function firstHost(url: string): string {
  return (postgresAddresses(url) ?? [url])[0] as string;
}

/** The address of another database on the same server. */
function databaseBeside(url: string, name: string): string {
  const address = new URL(firstHost(url));
  address.pathname = `/${name}`;
  return address.href;
}
