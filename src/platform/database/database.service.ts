import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DataSource, type QueryRunner } from 'typeorm';
import { DatabaseUnavailable, driverCode, sqliteFileTrouble } from './database.errors';
import {
  READ_PRAGMAS,
  WAITING_PRAGMAS,
  beginStatement,
  poolSizes,
  postgresDataSource,
  postgresHosts,
  sqliteDataSource,
} from './data-source.options';
import {
  type DatabaseLimits,
  type DatabaseOptions,
  DEFAULT_LIMITS,
  type PostgresOptions,
  type SqliteOptions,
} from './database.options';
import {
  type DatabaseSnapshot,
  PostgresViews,
  SnapshotLine,
  SqliteViews,
  type ViewOpener,
} from './snapshots/database-snapshot';
import { CommittedReads, type Engine, type Queryable } from '../sql/queryable';
import { RunnerQueryable, throughRunner } from './query-runner';
import { readingSource } from './read-source';
import { type DatabasePlace, setFileAside, SqliteFileWatch, SqliteOwnerLock } from './sqlite/sqlite-file';
import { type SqliteDriver, loadSqliteDriver } from './sqlite/sqlite-driver';
import { SqliteReadThread, threadRunner } from './sqlite/sqlite-read-thread';
import type { ReadWorkerData } from './sqlite/sqlite-read-worker';
import { applyMigrations, refuseNewerDatabase } from './applied-migrations';
import { knownMigrations } from './known-migrations';
import { PatientSource } from './patient-source';
import { connect, poolOf, prepareNothing, throughPool } from './postgres/postgres-client';
import { dumpPostgres } from './postgres/postgres-dump';
import { type PostgresHosts, PostgresProcesses } from './postgres/postgres-hosts';
import { SilenceWatch } from './postgres/silence-watch';
import { ReplicaReads } from './replica/replica-reads';

/** Serializes the migrations of nodes that start at the same time. */
const MIGRATION_LOCK = 7_275_271;

const BROKEN_OFF = 'PostgreSQL disconnected during a schema migration. Try again once it is reachable.';

/** How much later than its own limit PostgreSQL may report that a read timed out. */
const LATE_MS = 1_500;

/** Whether long work sees the newest version of each row, or all rows as of its start. */
type LongReads = 'newest rows' | 'snapshot';

interface Parts {
  readonly engine: Engine;
  readonly driver: SqliteDriver['name'] | 'pg';
  readonly read: Queryable;
  readonly background: Queryable;
  readonly replica: ReplicaReads | null;
  readonly views: ViewOpener;
  /** Maximum number of snapshots that its connections allow. */
  readonly maxSnapshots: number;
  readonly readSource: DataSource;
  readonly writeSource: DataSource;
  readonly begin: string;
  readonly place: DatabasePlace;
  readonly copyTo: (path: string) => Promise<void>;
  readonly longReads: <T>(work: (db: Queryable) => Promise<T>, begin: LongReads) => Promise<T>;
  readonly renameWhenClosed: () => void;
  readonly close: () => Promise<void>;
}

/**
 * The open database. Features read through {@link read}, {@link background} and {@link openSnapshot}, and
 * write through `TransactionService`; nothing else opens a connection.
 */
export class Database extends CommittedReads {
  readonly engine: Engine;
  /** The driver in use; on SQLite it depends on what is installed. */
  readonly driver: SqliteDriver['name'] | 'pg';
  readonly read: Queryable;
  /**
   * Also committed rows, for reads that may take more than a few milliseconds. On SQLite they run one after the other
   * in a separate thread, and their rows are copied. On both engines, a read that exceeds the limit fails with {@link
   * RequestTookTooLong}.
   */
  readonly background: Queryable;
  /** For `ReplicaReader` only; null if no replica is configured. */
  readonly replica: ReplicaReads | null;
  readonly limits: DatabaseLimits;
  /** Names of the migrations in this release. */
  readonly migrations: ReadonlySet<string>;
  /** Checks the database file before a write is acknowledged. */
  readonly place: DatabasePlace;
  /** The source of injected repositories. */
  readonly reading: DataSource;
  /** For `TransactionService` only. */
  readonly writeSource: DataSource;
  /** The statement that begins a write transaction. */
  readonly begin: string;
  private readonly snapshots: SnapshotLine;
  private readonly parts: Parts;

  private constructor(parts: Parts, options: DatabaseOptions) {
    super();
    this.engine = parts.engine;
    this.driver = parts.driver;
    this.read = parts.read;
    this.place = parts.place;
    this.reading = readingSource(parts.readSource);
    this.writeSource = parts.writeSource;
    this.begin = parts.begin;
    this.parts = parts;
    this.background = parts.background;
    this.replica = parts.replica;
    this.migrations = new Set(knownMigrations(options).map(({ name }) => name));
    const wanted = { ...DEFAULT_LIMITS, ...options.limits };
    this.limits = { ...wanted, maxSnapshots: Math.min(wanted.maxSnapshots, parts.maxSnapshots) };
    this.snapshots = new SnapshotLine(parts.engine, parts.views, this.limits);
  }

  /**
   * Connects and brings the tables up to date.
   * @throws {DatabaseInUse} when another process has the SQLite file
   * @throws {DatabaseUnavailable} when there is no driver or no server
   */
  static async open(options: DatabaseOptions): Promise<Database> {
    const parts = options.engine === 'sqlite' ? await openSqlite(options) : await openPostgres(options);
    return new Database(parts, options);
  }

  /**
   * One consistent view, with its position in the event log and the version of the directories. The number of open
   * snapshots is limited and further requests queue; one held too long is ended.
   * @throws {ServerBusy} when too many wait
   */
  openSnapshot(): Promise<DatabaseSnapshot> {
    return this.snapshots.open();
  }

  /** Committed rows for operator commands, which may take long and do not block requests. */
  longReads<T>(work: (db: Queryable) => Promise<T>): Promise<T> {
    return this.parts.longReads(work, 'newest rows');
  }

  /** The same, in one snapshot. */
  longSnapshot<T>(work: (db: Queryable) => Promise<T>): Promise<T> {
    return this.parts.longReads(work, 'snapshot');
  }

  /**
   * Writes a consistent copy of everything committed to a new file, while reads and writes continue: a database file on
   * SQLite, a dump for `pg_restore` on PostgreSQL.
   * @throws {DumpFailed} if the PostgreSQL tools fail
   */
  copyTo(path: string): Promise<void> {
    return this.parts.copyTo(path);
  }

  /**
   * Makes the database file be renamed after it is closed, before another process can open it. Call it when everything
   * has been moved to another database.
   */
  renameWhenClosed(): void {
    this.parts.renameWhenClosed();
  }

  /** Call it after the last write was answered. */
  async close(): Promise<void> {
    await this.snapshots.close();
    await this.parts.close();
  }
}

async function openSqlite(options: SqliteOptions): Promise<Parts> {
  try {
    return await openSqliteParts(options);
  } catch (error) {
    const sentence = sqliteFileTrouble(driverCode(error), options.file);
    throw sentence === undefined ? error : new DatabaseUnavailable(sentence, error);
  }
}

async function openSqliteParts(options: SqliteOptions): Promise<Parts> {
  const driver = loadSqliteDriver(options.driver);
  await mkdir(dirname(options.file), { recursive: true });
  const lock = SqliteOwnerLock.acquire(driver, options.file);
  const writeSource = new DataSource(sqliteDataSource(options, driver, 'write'));
  const readSource = new DataSource(sqliteDataSource(options, driver, 'read'));
  const place = new SqliteFileWatch(options.file);
  const thread = { driver: driver.name, file: options.file, pragmas: READ_PRAGMAS };
  const limitMs = options.limits?.maxReadMs ?? DEFAULT_LIMITS.maxReadMs;
  const backgroundThread = new SqliteReadThread(thread, place, limitMs);
  // A second thread, so that a connecting client does not wait for a search.
  const snapshotThread = new SqliteReadThread(thread, place);
  let isMoved = false;
  const close = async () => {
    await backgroundThread.close();
    await snapshotThread.close();
    // The writer closes last, since that empties the write-ahead log into the file.
    if (readSource.isInitialized) await readSource.destroy();
    if (writeSource.isInitialized) await writeSource.destroy();
    if (isMoved) setFileAside(driver, options.file);
    lock.release();
  };
  try {
    await writeSource.initialize();
    await refuseNewerDatabase(writeSource, options);
    await applyMigrations(writeSource, options);
    await readSource.initialize();
    place.begin();
  } catch (error) {
    await close();
    throw error;
  }
  const through = (runner: QueryRunner) => new RunnerQueryable('sqlite', runner, throughRunner(runner));
  const readsOn = (one: SqliteReadThread) =>
    through(threadRunner(readSource, (text, values) => one.query(text, values)));
  return {
    engine: 'sqlite',
    driver: driver.name,
    read: through(readSource.createQueryRunner()),
    background: readsOn(backgroundThread),
    longReads: (work, begin) =>
      withThread(thread, place, async (one) => {
        if (begin === 'newest rows') return work(readsOn(one));
        // Only the thread that began the transaction has it.
        const running = one.running();
        const query = (text: string, values?: readonly unknown[]) => running.query(0, text, values);
        await query('BEGIN');
        await query('SELECT version FROM directory_version');
        return work(through(threadRunner(readSource, query)));
      }),
    replica: null,
    views: new SqliteViews(snapshotThread, readSource),
    maxSnapshots: Infinity,
    readSource,
    writeSource,
    begin: 'BEGIN IMMEDIATE',
    place,
    // It only reads, so it blocks no writer.
    copyTo: (path) =>
      withThread({ ...thread, pragmas: WAITING_PRAGMAS }, place, async (one) => {
        await one.query('VACUUM INTO ?', [path]);
      }),
    renameWhenClosed: () => void (isMoved = true),
    close,
  };
}

async function openPostgres(options: PostgresOptions): Promise<Parts> {
  const { maxReadMs, maxTransactionMs } = { ...DEFAULT_LIMITS, ...options.limits };
  const hosts = postgresHosts(options);
  await migratePostgres(options, hosts);
  const writeSource = new DataSource(postgresDataSource(options, 'write', hosts));
  const readSource = new DataSource(postgresDataSource(options, 'read', hosts));
  const watch = new SilenceWatch(options.pooler === 'none' ? new PostgresProcesses(hosts) : null);
  const readLimits = { limitMs: maxReadMs + LATE_MS, patienceMs: 0 };
  let replica: ReplicaReads | null = null;
  const close = async () => {
    await replica?.close();
    if (readSource.isInitialized) await readSource.destroy();
    if (writeSource.isInitialized) await writeSource.destroy();
    watch.close();
  };
  try {
    await writeSource.initialize();
    await readSource.initialize();
    if (options.replicaUrl)
      replica = await ReplicaReads.open(options, options.replicaUrl, readSource, readLimits);
  } catch (error) {
    await close();
    throw error;
  }
  if (options.pooler === 'transaction')
    for (const each of [readSource, writeSource]) prepareNothing(poolOf(each));
  watch.watch(poolOf(readSource), readLimits);
  watch.watch(poolOf(writeSource), { limitMs: maxTransactionMs + LATE_MS, patienceMs: 0 });
  const read = new RunnerQueryable('postgres', readSource, throughPool(readSource));
  return {
    engine: 'postgres',
    driver: 'pg',
    read,
    background: read,
    replica,
    longReads: (work, begin) => withPatience(readSource, watch, { work, begin }),
    views: new PostgresViews(writeSource, readSource, beginStatement(options, 'snapshot')),
    // Leaves connections for other reads.
    maxSnapshots: Math.floor(poolSizes(options).read / 2),
    readSource,
    writeSource,
    begin: beginStatement(options, 'write'),
    place: { assertInPlace: () => undefined },
    copyTo: (path) => dumpPostgres(options.url, path),
    renameWhenClosed: () => undefined,
    close,
  };
}

/** Runs slow work in a separate thread. */
async function withThread<T>(
  data: ReadWorkerData,
  place: DatabasePlace,
  work: (thread: SqliteReadThread) => Promise<T>,
): Promise<T> {
  const thread = new SqliteReadThread(data, place);
  try {
    return await work(thread);
  } finally {
    await thread.close();
  }
}

/** Runs long work on a connection without a statement timeout. */
async function withPatience<T>(
  source: DataSource,
  watch: SilenceWatch,
  { work, begin }: { work: (db: Queryable) => Promise<T>; begin: LongReads },
): Promise<T> {
  const runner = source.createQueryRunner();
  try {
    return await watch.overlooking(await connect(runner), async () => {
      // Behind a pooler, only a transaction keeps its connection and the settings made on it.
      await runner.query(
        `BEGIN ${begin === 'snapshot' ? 'ISOLATION LEVEL REPEATABLE READ ' : ''}READ ONLY;
         SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0`,
      );
      const db = new RunnerQueryable('postgres', runner, throughRunner(runner));
      return await work(db).finally(() => runner.query('ROLLBACK'));
    });
  } finally {
    await runner.release();
  }
}

async function migratePostgres(options: PostgresOptions, hosts: PostgresHosts): Promise<void> {
  const patient = await PatientSource.open(options, hosts).catch((error: unknown) => {
    const isPooled = error instanceof Error && error.message.includes('unsupported startup parameter');
    throw new DatabaseUnavailable(
      isPooled
        ? 'DATABASE_URL leads to a pooler: set DATABASE_POOLER=transaction.'
        : 'PostgreSQL cannot be reached under DATABASE_URL.',
      error,
    );
  });
  try {
    await migrate(patient, options);
  } catch (error) {
    throw patient.isBrokenOff ? new DatabaseUnavailable(BROKEN_OFF, error) : error;
  } finally {
    await patient.close();
  }
}

async function migrate(patient: PatientSource, options: PostgresOptions): Promise<void> {
  const { source } = patient;
  const runner = patient.connection();
  // Held to the end of the transaction; outside one, a pooler reassigns the connection.
  await runner.query(
    `BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0; SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`,
  );
  await refuseNewerDatabase(source, options);
  await applyMigrations(source, options);
  await runner.query('COMMIT');
  await runner.release();
}
