import { join } from 'node:path';
import type { Type } from '@nestjs/common';
import { MODULE_METADATA } from '@nestjs/common/constants';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { Config } from '../config/config';

/** One migration of a module, written once for both engines. */
export interface ModuleMigration {
  /** Starts at 1 and increases by one. Must not change once released. */
  readonly number: number;
  /** Its purpose in a word or two. Must not change either. */
  readonly name: string;
  /**
   * Creates or changes tables, whose names start with `module_` and the module's name. Runs in a separate transaction.
   */
  up(tables: QueryRunner): Promise<void>;
}

/** The tables of a module. */
export interface ModuleTables {
  readonly name: string;
  readonly entities: readonly (new () => object)[];
  readonly migrations: readonly ModuleMigration[];
}

/** A migration that was just applied. */
export interface AppliedMigration {
  readonly name: string;
  readonly milliseconds: number;
}

/** Prefix of all table names of a module, so that they are unique. */
export function tablePrefix(module: string): string {
  return `module_${module}_`;
}

/** Title of a module's migration in lists. */
export function migrationTitle(
  module: string,
  { number, name }: Pick<ModuleMigration, 'number' | 'name'>,
): string {
  return `${module}/${number} ${name}`;
}

/** A plain class whose objects TypeORM fills. */
export type EntityClass = new () => object;

/** A migration, whose class name ends with its position among all of them. */
export type MigrationClass = new () => MigrationInterface;

/** The tables of features. */
export interface FeatureTables {
  readonly entities?: readonly EntityClass[];
  /** Those in the folder of the feature; earlier ones are in `migrations/index.ts`. */
  readonly migrations?: readonly MigrationClass[];
}

/** Limits of queued and concurrent writes. */
export interface WriteLimits {
  /** Maximum number of queued writes; further ones are refused. */
  readonly maxWaiting: number;
  /** Maximum number of writes that share a commit on SQLite. */
  readonly maxWritesPerCommit: number;
  /** After this long, a commit on SQLite accepts no further writes. Milliseconds. */
  readonly maxCommitMs: number;
  /** A transaction still open after this long is rolled back. Milliseconds. */
  readonly maxTransactionMs: number;
  /** How often a transaction that conflicts with another on PostgreSQL is tried before the caller gets the error. */
  readonly maxAttempts: number;
}

/** Limits of reads, writes and snapshots. */
export interface DatabaseLimits extends WriteLimits {
  /** A read that takes longer is canceled. Milliseconds. */
  readonly maxReadMs: number;
  /** Maximum number of open snapshots; on PostgreSQL, at most half of the read connections. */
  readonly maxSnapshots: number;
  /** A snapshot still open after this long is ended. Milliseconds. */
  readonly maxSnapshotMs: number;
  /** For statements that may take long: the maximum time during which PostgreSQL may appear idle. Milliseconds. */
  readonly maxSilenceMs: number;
}

/** Default limits. */
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
  /** Entities of the program and of its modules. */
  readonly entities: readonly EntityClass[];
  /** Migrations of features; those of the platform and of earlier releases are built in. */
  readonly migrations?: readonly MigrationClass[];
  /** The tables of modules. */
  readonly modules?: readonly ModuleTables[];
  /** Replaces some of {@link DEFAULT_LIMITS}. */
  readonly limits?: Partial<DatabaseLimits>;
  /** Called for each migration applied when the database opens. */
  readonly onApplied?: (migration: AppliedMigration) => void;
}

/** Where the file is and how it is opened. */
export interface SqliteOptions extends CommonOptions {
  readonly engine: 'sqlite';
  readonly file: string;
  readonly driver: 'auto' | 'better-sqlite3' | 'libsql';
  /** With `normal`, a power cut may lose the last moments. */
  readonly synchronous: 'full' | 'normal';
}

/** Where the server is, and how many connections to open. */
export interface PostgresOptions extends CommonOptions {
  readonly engine: 'postgres';
  readonly url: string;
  /** Maximum number of connections, for reads and writes together. */
  readonly poolSize: number;
  /** Whether a pooler assigns connections per transaction, and if so, whether it keeps prepared statements. */
  readonly pooler: Config['databasePooler'];
  readonly connectTimeoutMs: number;
  /** A replica that serves reads; null if none is configured. */
  readonly replicaUrl?: string | null;
}

/** One of the two engines. */
export type DatabaseOptions = SqliteOptions | PostgresOptions;

/** The configured options, for the tables of the given features and modules. */
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

const ownMigrations = new WeakMap<object, readonly MigrationClass[]>();

/**
 * Declares the migrations in a feature's folder on its module; earlier ones are in `migrations/index.ts`.
 * @public `npm run new-feature` writes it
 */
export function Migrations(...migrations: readonly MigrationClass[]): ClassDecorator {
  return (target) => {
    ownMigrations.set(target, migrations);
  };
}

/** The providers of `TypeOrmModule.forFeature`, reduced to what identifies the entity of a repository. */
interface RepositoryProvider {
  /** The entity's name and `Repository`. */
  readonly provide: string;
  /** Missing for a class without `@Entity()`. */
  readonly targetEntitySchema?: { readonly target: EntityClass };
}

/** The repositories that a Nest module imports by `TypeOrmModule.forFeature`. */
function repositoriesOf(module: Type): readonly RepositoryProvider[] {
  const imports = (Reflect.getMetadata(MODULE_METADATA.IMPORTS, module) ?? []) as readonly {
    readonly module?: unknown;
    readonly providers?: readonly RepositoryProvider[];
  }[];
  return imports.flatMap((each) => (each.module === TypeOrmModule ? (each.providers ?? []) : []));
}

/** The entities that a Nest module declares. */
export function entitiesOf(module: Type): EntityClass[] {
  return repositoriesOf(module).flatMap(({ targetEntitySchema }) => targetEntitySchema?.target ?? []);
}

/** Names of the classes that a Nest module declares as entities, and that have no `@Entity()`. */
export function undecoratedEntities(module: Type): string[] {
  return repositoriesOf(module).flatMap(({ provide, targetEntitySchema }) =>
    targetEntitySchema ? [] : [provide.replace(/Repository$/, '')],
  );
}

/** The combined tables of the features. */
export function tablesOf(modules: readonly Type[]): Required<FeatureTables> {
  return {
    entities: modules.flatMap(entitiesOf),
    migrations: modules.flatMap((module) => ownMigrations.get(module) ?? []),
  };
}
