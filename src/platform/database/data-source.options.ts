import type { Pool } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { postgresAddresses } from '../config/server-addresses';
import { DEFAULT_LIMITS, type PostgresOptions, type SqliteOptions } from './database.options';
import { knownMigrations } from './known-migrations';
import { clientOf, pg, PostgresHosts } from './postgres/postgres-hosts';
import type { SqliteConnection, SqliteDriver } from './sqlite/sqlite-driver';

const BUSY_TIMEOUT_MS = 5_000;

/** The order matters. */
function writePragmas(synchronous: SqliteOptions['synchronous']): string[] {
  return [
    // First, because even the next pragma may have to wait for a process that inspects the file.
    `busy_timeout = ${BUSY_TIMEOUT_MS}`,
    // Readers and the writer do not block each other, and a commit is one append.
    'journal_mode = WAL',
    // With FULL, each commit reaches the disk before it is acknowledged: it survives a power cut.
    `synchronous = ${synchronous}`,
    // Off by default, for each connection.
    'foreign_keys = ON',
    // Otherwise, savepoints of more than a few pages would go to a file.
    'temp_store = MEMORY',
  ];
}

/** For a connection that only waits for its turn; it writes to a different file. */
export const WAITING_PRAGMAS = [`busy_timeout = ${BUSY_TIMEOUT_MS}`];

/** The writer has already set the journal mode of the file; nothing may bypass the write queue. */
export const READ_PRAGMAS = [`busy_timeout = ${BUSY_TIMEOUT_MS}`, 'query_only = ON'];

/** Options of one of the two connections to a SQLite file. */
export function sqliteDataSource(
  options: SqliteOptions,
  driver: SqliteDriver,
  purpose: 'read' | 'write',
): DataSourceOptions {
  const pragmas = purpose === 'write' ? writePragmas(options.synchronous) : READ_PRAGMAS;
  return {
    type: 'better-sqlite3',
    database: options.file,
    driver: driver.Connection,
    statementCacheSize: 500,
    prepareDatabase: (connection: SqliteConnection) => {
      for (const pragma of pragmas) connection.pragma(pragma);
    },
    entities: [...options.entities],
    migrations: purpose === 'write' ? knownMigrations(options) : [],
  };
}

const INT8 = 20;
const NUMERIC = 1700;

/** Returns IDs, counts, times and their sums as numbers; all stay below 2^53. */
function numbersAsNumbers() {
  const { types } = pg();
  return {
    getTypeParser: (type: number, format?: 'text' | 'binary'): unknown =>
      type === INT8 || type === NUMERIC ? Number : types.getTypeParser(type, format),
  };
}

/** How many connections each pool of a node may open. */
export function poolSizes({ poolSize }: PostgresOptions): Record<'read' | 'write' | 'migrate', number> {
  const half = poolSize / 2;
  return {
    // A snapshot may occupy one.
    read: Math.max(2, Math.ceil(half)),
    // One settles the event log.
    write: Math.max(2, Math.floor(half)),
    migrate: 2,
  };
}

/** After this long without traffic, either end of a PostgreSQL connection probes the other (TCP keepalive). */
const KEEP_ALIVE_SECONDS = 10;

/**
 * Options of a PostgreSQL pool. As on SQLite, reads have a separate pool: they continue while writers wait for each
 * other, and cannot write. Migrations may take long, so their pool has no limits.
 */
export function postgresDataSource(
  options: PostgresOptions,
  purpose: 'read' | 'write' | 'migrate',
  hosts = postgresHosts(options),
): DataSourceOptions {
  const size = poolSizes(options)[purpose];
  return {
    type: 'postgres',
    url: hosts.addresses[0],
    poolSize: size,
    applicationName: 'parley',
    connectTimeoutMS: options.connectTimeoutMs,
    entities: [...options.entities],
    migrations: purpose === 'migrate' ? knownMigrations(options) : [],
    extra: {
      ...clientSettings(),
      ...(hosts.addresses.length > 1 && { Client: clientOf(hosts) }),
      // A pooler that reassigns connections after each transaction refuses session settings.
      ...(options.pooler === 'none' && sessionSettings(options, purpose)),
    },
  };
}

/** Settings of every connection of a node. */
function clientSettings(): object {
  return {
    types: numbersAsNumbers(),
    // Lets the last statement of a transaction and its COMMIT travel together.
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_SECONDS * 1000,
  };
}

/** A read that gets no replica connection within this time uses the primary. */
const REPLICA_CONNECT_MS = 500;

/**
 * Connections to a replica: either a single one that monitors its position and may take longer to connect, or those
 * that serve reads.
 */
export function replicaPool(options: PostgresOptions, url: string, purpose: 'look' | 'read'): Pool {
  const isLook = purpose === 'look';
  return new (pg().Pool)({
    connectionString: url,
    max: isLook ? 1 : poolSizes(options).read,
    application_name: 'parley',
    connectionTimeoutMillis: isLook ? options.connectTimeoutMs : REPLICA_CONNECT_MS,
    ...clientSettings(),
    ...sessionSettings(options, 'read'),
  });
}

/** The servers named in the database URL. */
export function postgresHosts({ url }: Pick<PostgresOptions, 'url'>): PostgresHosts {
  return new PostgresHosts(postgresAddresses(url) ?? [url]);
}

function sessionSettings(options: PostgresOptions, purpose: 'read' | 'write' | 'migrate'): object {
  const { maxTransactionMs, maxReadMs } = { ...DEFAULT_LIMITS, ...options.limits };
  return {
    options: [
      purpose === 'read'
        ? '-c default_transaction_read_only=on'
        : '-c default_transaction_isolation=read\\ committed',
      // PostgreSQL notices within half a minute that a node is gone, and releases its locks.
      `-c tcp_keepalives_idle=${KEEP_ALIVE_SECONDS} -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3`,
      // Many requests run concurrently, so queries use neither parallel workers nor JIT compilation, which takes
      // milliseconds.
      ...(purpose === 'migrate' ? [] : ['-c max_parallel_workers_per_gather=0 -c jit=off']),
    ].join(' '),
    ...(purpose !== 'migrate' && {
      statement_timeout: purpose === 'read' ? maxReadMs : maxTransactionMs,
      // Releases the locks of a stalled node.
      idle_in_transaction_session_timeout: 2 * maxTransactionMs,
    }),
  };
}

/** The statement that begins a transaction. Behind a pooler it also sets the limits. */
export function beginStatement({ pooler, limits }: PostgresOptions, purpose: 'write' | 'snapshot'): string {
  const begin = purpose === 'write' ? 'BEGIN' : 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';
  if (pooler === 'none') return begin;
  const { maxTransactionMs, maxReadMs } = { ...DEFAULT_LIMITS, ...limits };
  return `${begin}; SET LOCAL statement_timeout = ${purpose === 'write' ? maxTransactionMs : maxReadMs};
    SET LOCAL idle_in_transaction_session_timeout = ${2 * maxTransactionMs}`;
}
