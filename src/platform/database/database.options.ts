import { join } from 'node:path';
import type { MigrationInterface } from 'typeorm';
import type { Config } from '../config/config';
import type { AppliedMigration, ModuleTables } from './modules/module-tables';

/** Entities are plain classes that TypeORM fills. */
export type EntityClass = new () => object;

/** A step of the tables, whose class name ends with its place among all of them. */
export type MigrationClass = new () => MigrationInterface;

/** What features have in the database. */
export interface FeatureTables {
  readonly entities?: readonly EntityClass[];
  /** Those that lie in the folder of the feature; earlier ones are in `migrations/index.ts`. */
  readonly migrations?: readonly MigrationClass[];
}

/** How writes wait for each other. */
export interface WriteLimits {
  /** Writes that may wait; further ones are refused. */
  readonly maxWaiting: number;
  /** Most writes that share one commit on SQLite. */
  readonly maxWritesPerCommit: number;
  /** After this long, a commit on SQLite takes in no further writes. Milliseconds. */
  readonly maxCommitMs: number;
  /** A transaction still open after this long is rolled back. Milliseconds. */
  readonly maxTransactionMs: number;
  /** How often PostgreSQL may refuse a transaction for the sake of another before the caller hears of it. */
  readonly maxAttempts: number;
}

/** How callers of the database wait for each other. */
export interface DatabaseLimits extends WriteLimits {
  /** A read that takes longer is given up. Milliseconds. */
  readonly maxReadMs: number;
  /** Snapshots that may be open at a time; on PostgreSQL, half of the connections that read are enough. */
  readonly maxSnapshots: number;
  /** A snapshot that is still open after this long ends. Milliseconds. */
  readonly maxSnapshotMs: number;
  /** Where statements may take long, PostgreSQL has to be seen at work within this time. Milliseconds. */
  readonly maxSilenceMs: number;
}

/** Limits unless others are given. */
export const DEFAULT_LIMITS: DatabaseLimits = {
  maxWaiting: 10_000,
  maxWritesPerCommit: 128,
  maxCommitMs: 10,
  maxTransactionMs: 15_000,
  maxAttempts: 5,
  maxReadMs: 10_000,
  maxSnapshots: 4,
  maxSnapshotMs: 25_000,
  maxSilenceMs: 60_000,
};

interface CommonOptions {
  /** Of the program and of its modules. */
  readonly entities: readonly EntityClass[];
  /** Of features; what the platform and earlier releases made is known already. */
  readonly migrations?: readonly MigrationClass[];
  /** What modules bring along. */
  readonly modules?: readonly ModuleTables[];
  /** Replaces some of {@link DEFAULT_LIMITS}. */
  readonly limits?: Partial<DatabaseLimits>;
  /** Is told of each migration that opening the database applies. */
  readonly onApplied?: (migration: AppliedMigration) => void;
}

/** Where the file is and how it is opened. */
export interface SqliteOptions extends CommonOptions {
  readonly engine: 'sqlite';
  readonly file: string;
  readonly driver: 'auto' | 'better-sqlite3' | 'libsql';
  /** With `normal`, a power cut may undo the last moments. */
  readonly synchronous: 'full' | 'normal';
}

/** Where the server is and how many connections it is asked for. */
export interface PostgresOptions extends CommonOptions {
  readonly engine: 'postgres';
  readonly url: string;
  /** Most connections at a time, for reads and writes together. */
  readonly poolSize: number;
  /** Whether a pooler gives each transaction another connection, and if so, whether it keeps prepared statements. */
  readonly pooler: Config['databasePooler'];
  readonly connectTimeoutMs: number;
  /** A replica that takes reads; null where there is none. */
  readonly replicaUrl?: string | null;
}

/** One of the two engines. */
export type DatabaseOptions = SqliteOptions | PostgresOptions;

/** What the operator configured, for the tables of the given features and modules. */
export function databaseOptions(
  config: Config,
  { entities: ofFeatures = [], migrations = [] }: FeatureTables,
  modules: readonly ModuleTables[] = [],
): DatabaseOptions {
  const entities = [...ofFeatures, ...modules.flatMap(({ entities }) => entities)];
  if (config.databaseUrl !== null) {
    return {
      engine: 'postgres',
      url: config.databaseUrl,
      poolSize: config.databasePoolSize,
      pooler: config.databasePooler,
      connectTimeoutMs: config.databaseConnectTimeoutSeconds * 1000,
      replicaUrl: config.databaseReplicaUrl,
      limits: {
        maxReadMs: config.databaseReadTimeoutSeconds * 1000,
        maxTransactionMs: config.databaseWriteTimeoutSeconds * 1000,
      },
      entities,
      migrations,
      modules,
    };
  }
  return {
    engine: 'sqlite',
    file: join(config.dataDir, 'parley.db'),
    driver: config.sqliteDriver,
    synchronous: config.sqliteSynchronous,
    entities,
    migrations,
    modules,
  };
}
