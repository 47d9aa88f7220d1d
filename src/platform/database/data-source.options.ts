import type { Pool } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { postgresAddresses } from '../config/server-addresses';
import { DEFAULT_LIMITS, type PostgresOptions, type SqliteOptions } from './database.options';
import { knownMigrations } from './known-migrations';
import { clientOf, pg, PostgresHosts } from './postgres/postgres-hosts';
import type { SqliteConnection, SqliteDriver } from './sqlite/sqlite-driver';

const BUSY_TIMEOUT_MS = 5_000;

/** In this order. */
function writePragmas(synchronous: SqliteOptions['synchronous']): string[] {
  return [
    // First, as even the next pragma may have to wait for a process that inspects the file.
    `busy_timeout = ${BUSY_TIMEOUT_MS}`,
    // Readers and the writer do not wait for each other, and a commit is one append.
    'journal_mode = WAL',
    // With FULL, each commit reaches the disk before it is acknowledged: it survives a power cut.
    `synchronous = ${synchronous}`,
    // Off unless asked for, for each connection.
    'foreign_keys = ON',
    // What a savepoint may have to restore would else go to a file once it is more than a few pages.
    'temp_store = MEMORY',
  ];
}

/** For a connection that only waits for its turn: it writes into another file. */
export const WAITING_PRAGMAS = [`busy_timeout = ${BUSY_TIMEOUT_MS}`];

/** The file has its journal mode from the writer; nothing may be written past the queue. */
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

/** IDs, counts, times and sums of them come as numbers; all stay below 2^53. */
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
    // One may be kept by a snapshot.
    read: Math.max(2, Math.ceil(half)),
    // One settles the event log.
    write: Math.max(2, Math.floor(half)),
    migrate: 2,
  };
}

/** After this much silence, either end of a PostgreSQL connection probes the other (TCP keepalive). */
const KEEP_ALIVE_SECONDS = 10;

/**
 * Options of a PostgreSQL pool. Reads have one of their own, as on SQLite: they go on while writers wait
 * for each other, and cannot write. Migrations may take their time, so they have one without limits.
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
      // A pooler that gives connections to others after each transaction refuses what is meant for all of them.
      ...(options.pooler === 'none' && sessionSettings(options, purpose)),
    },
  };
}

/** What each connection of a node has. */
function clientSettings(): object {
  return {
    types: numbersAsNumbers(),
    // Lets the last statement of a transaction and its COMMIT travel together.
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_SECONDS * 1000,
  };
}

/** A read that gets no connection to the replica in this time goes to the primary. */
const REPLICA_CONNECT_MS = 500;

/** Connections to a replica: a single one that tells how far it is, with time to be made, or those that are read on. */
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

/** The servers that the address of the database names. */
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
      // Has PostgreSQL notice within half a minute that a node is gone, and free what it had locked.
      `-c tcp_keepalives_idle=${KEEP_ALIVE_SECONDS} -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3`,
      // Many requests run concurrently, so no query gets a second processor, nor JIT compilation, which takes
      // milliseconds.
      ...(purpose === 'migrate' ? [] : ['-c max_parallel_workers_per_gather=0 -c jit=off']),
    ].join(' '),
    ...(purpose !== 'migrate' && {
      statement_timeout: purpose === 'read' ? maxReadMs : maxTransactionMs,
      // Frees the locks of a node that stands still.
      idle_in_transaction_session_timeout: 2 * maxTransactionMs,
    }),
  };
}

/** What a transaction begins with. Behind a pooler it brings its limits with it. */
export function beginStatement({ pooler, limits }: PostgresOptions, purpose: 'write' | 'snapshot'): string {
  const begin = purpose === 'write' ? 'BEGIN' : 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';
  if (pooler === 'none') return begin;
  const { maxTransactionMs, maxReadMs } = { ...DEFAULT_LIMITS, ...limits };
  return `${begin}; SET LOCAL statement_timeout = ${purpose === 'write' ? maxTransactionMs : maxReadMs};
    SET LOCAL idle_in_transaction_session_timeout = ${2 * maxTransactionMs}`;
}
