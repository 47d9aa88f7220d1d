import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  realpathSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import * as fs from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { tables } from '../../app.module';
import type { Config } from '../../platform/config/config';
import { environment, loadConfigWith } from '../../platform/config/load-config';
import { postgresHosts } from '../../platform/database/data-source.options';
import {
  databaseOptions,
  type PostgresOptions,
  type SqliteOptions,
} from '../../platform/database/database.options';
import { dumpPostgres, restorePostgres } from '../../platform/database/postgres/postgres-dump';
import { pg } from '../../platform/database/postgres/postgres-hosts';
import { loadSqliteDriver } from '../../platform/database/sqlite/sqlite-driver';
import { CommandRefused } from '../../platform/operator/operator-commands';

const FOLDER_PREFIX = '.rehearsal-';
const DATABASE_PREFIX = 'parley_rehearsal_';

/** In the folder of a copy: the ID of the server process that uses it. */
const SERVER_FILE = 'server.pid';

/** The server of a killed command ends by itself within this time. */
const ENDING_MS = 20_000;
const LOOK_EVERY_MS = 50;

/** PostgreSQL's code for a missing privilege. */
const INSUFFICIENT_PRIVILEGE = '42501';

const MIB = 1024 ** 2;

/** The copy, and the same again for writes of migrations. */
const SPACE_FACTOR = 2;

/** Environment variables; undefined ones are unset. */
type Variables = Readonly<Record<string, string | undefined>>;

/** Restricts a server on the copy to this machine, and separates it from everything that the original uses. */
const ISOLATED: Variables = {
  HOST: '127.0.0.1',
  PORT: '0',
  WORKERS: undefined,
  LISTEN_FDS: undefined,
  DATABASE_REPLICA_URL: undefined,
  REDIS_URL: undefined,
  FILES_URL: undefined,
  SMTP_URL: undefined,
  LDAP_DIRECTORY: undefined,
  IDENTITY_PROVIDERS: undefined,
  TLS_CERT: undefined,
  TLS_KEY: undefined,
  LOG_LEVEL: 'info',
  RATE_LIMIT_PER_MINUTE: '0',
};

/** A copy of an installation's database, in a separate data folder. Uploaded files are not copied. */
export class DatabaseCopy {
  private constructor(
    private readonly folder: string,
    private readonly variables: Variables,
    /** On PostgreSQL; null on SQLite, whose file is in the folder. */
    private readonly database: PostgresCopy | null,
  ) {}

  /**
   * Copies the database while a server uses it, and opens neither: the copy has the tables of the release that wrote
   * it. Only one process at a time may do so, because leftovers of an earlier copy are removed.
   * @throws CommandRefused, DumpFailed
   */
  static async make(original: Config): Promise<DatabaseCopy> {
    const options = databaseOptions(original, tables);
    if (options.engine === 'sqlite') requireSpace(original, options);
    const database = options.engine === 'postgres' ? await PostgresCopy.of(original, options) : null;
    await removeLeftovers(original.dataDir);
    await database?.drop();
    const folder = mkdtempSync(join(original.dataDir, FOLDER_PREFIX));
    const variables = {
      ...ISOLATED,
      DATA_DIR: folder,
      EXTERNAL_URL: original.externalUrl,
      DATABASE_URL: database?.url,
    };
    const copy = new DatabaseCopy(folder, variables, database);
    try {
      const secret = join(original.dataDir, 'secret');
      if (existsSync(secret)) copyFileSync(secret, join(folder, 'secret'));
      if (options.engine === 'sqlite') copySqlite(options, join(folder, 'parley.db'));
      else await database?.fill(join(folder, 'parley.dump'));
      return copy;
    } catch (error) {
      await copy.remove().catch(() => undefined);
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

  /** Records which process serves the copy, so that its end can be awaited before the copy is removed. */
  noteServer(pid: number): void {
    writeFileSync(join(this.folder, SERVER_FILE), String(pid));
  }

  /** Size of the copied database in bytes. */
  async size(): Promise<number> {
    return this.database ? this.database.size() : statSync(join(this.folder, 'parley.db')).size;
  }

  /** Removes the folder, and on PostgreSQL the database. */
  async remove(): Promise<void> {
    try {
      await removeFolder(this.folder);
    } finally {
      await this.database?.drop();
    }
  }
}

/** A second database beside the original one, for the copy. Its name is always the same for one installation. */
class PostgresCopy {
  private constructor(
    private readonly original: string,
    private readonly name: string,
  ) {}

  /** @throws CommandRefused behind a pooler, which can reach only the original */
  static async of({ dataDir }: Config, { url, pooler }: PostgresOptions): Promise<PostgresCopy> {
    if (pooler !== 'none')
      throw new CommandRefused(
        'A rehearsal creates a database, which a pooler does not lead to. Run it with the address of PostgreSQL itself in DATABASE_URL, and without DATABASE_POOLER.',
      );
    const installation = [hostname(), realpathSync(dataDir), url].join('\n');
    const mark = createHash('sha256').update(installation).digest('hex').slice(0, 12);
    return new PostgresCopy(await postgresHosts({ url }).choose(), `${DATABASE_PREFIX}${mark}`);
  }

  get url(): string {
    const address = new URL(this.original);
    address.pathname = `/${this.name}`;
    return address.href;
  }

  /** @throws CommandRefused, DumpFailed */
  async fill(dump: string): Promise<void> {
    await onPostgres(this.original, `CREATE DATABASE ${this.name} TEMPLATE template0`).catch(
      ({ code, message }: Error & { code?: string }) => {
        const advice =
          code === INSUFFICIENT_PRIVILEGE
            ? ' Let the user in DATABASE_URL create databases (ALTER ROLE ... CREATEDB).'
            : '';
        throw new CommandRefused(
          `A rehearsal copies the database into another one, which could not be created: ${message}.${advice}`,
        );
      },
    );
    await dumpPostgres(this.original, dump);
    await restorePostgres(this.url, dump);
    await fs.rm(dump);
  }

  async size(): Promise<number> {
    const [row] = await onPostgres(this.url, 'SELECT pg_database_size(current_database()) AS size');
    return Number((row as { size: string }).size);
  }

  async drop(): Promise<void> {
    await onPostgres(this.original, `DROP DATABASE IF EXISTS ${this.name} WITH (FORCE)`);
  }
}

async function onPostgres(url: string, sql: string): Promise<object[]> {
  const client = new (pg().Client)({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<object>(sql)).rows;
  } finally {
    await client.end();
  }
}

function copySqlite({ driver, file }: SqliteOptions, to: string): void {
  const { Connection } = loadSqliteDriver(driver);
  const connection = new Connection(file, { timeout: 5_000 });
  try {
    connection.prepare('VACUUM INTO ?').run(to);
  } finally {
    connection.close();
  }
}

/** @throws CommandRefused */
function requireSpace({ dataDir }: Config, { file }: SqliteOptions): void {
  if (!existsSync(file))
    throw new CommandRefused(`No organization in ${dataDir}. Choose its folder with --data-dir.`);
  const { bavail, bsize } = statfsSync(dataDir);
  const needed = SPACE_FACTOR * statSync(file).size;
  if (bavail * bsize >= needed) return;
  throw new CommandRefused(
    `A rehearsal needs ${Math.ceil(needed / MIB)} MiB of free space in ${dataDir}, which has ${Math.floor((bavail * bsize) / MIB)} MiB.`,
  );
}

/** Removes leftovers of killed rehearsals. */
async function removeLeftovers(dataDir: string): Promise<void> {
  for (const name of await fs.readdir(dataDir))
    if (name.startsWith(FOLDER_PREFIX)) await removeFolder(join(dataDir, name));
}

/** Waits for a server that is still ending, which would write to the folder. */
async function removeFolder(folder: string): Promise<void> {
  const pid = Number(await fs.readFile(join(folder, SERVER_FILE), 'utf8').catch(() => ''));
  for (const until = performance.now() + ENDING_MS; isAlive(pid) && performance.now() < until;)
    await pause(LOOK_EVERY_MS);
  await fs.rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
