import { join } from 'node:path';
import type { Type } from '@nestjs/common';
import { MODULE_METADATA } from '@nestjs/common/constants';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { Config } from '../config/config';

/** One step of the tables of a module, written once for both engines. */
export interface ModuleMigration {
  /** 1 for the first, and one more for each after it. Never changes once it was released. */
  readonly number: number;
  /** What it is about, in a word or two. Never changes either. */
  readonly name: string;
  /**
   * Creates or changes tables, whose names start with `module_` and the module's name. Runs in a separate transaction.
   */
  up(tables: QueryRunner): Promise<void>;
}

/** What a module has in the database. */
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

/** How lists call a migration of a module. */
export function migrationTitle(
  module: string,
  { number, name }: Pick<ModuleMigration, 'number' | 'name'>,
): string {
  return `${module}/${number} ${name}`;
}

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

const ownMigrations = new WeakMap<object, readonly MigrationClass[]>();

/**
 * Says on the module of a feature which migrations lie in its folder; earlier ones are in `migrations/index.ts`.
 * @public `npm run new-feature` writes it
 */
export function Migrations(...migrations: readonly MigrationClass[]): ClassDecorator {
  return (target) => {
    ownMigrations.set(target, migrations);
  };
}

/** What `TypeOrmModule.forFeature` declares, as far as it tells which entity a repository is of. */
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

/** The tables of all these features together. */
export function tablesOf(modules: readonly Type[]): Required<FeatureTables> {
  return {
    entities: modules.flatMap(entitiesOf),
    migrations: modules.flatMap((module) => ownMigrations.get(module) ?? []),
  };
}
