import { type DynamicModule, Global, Logger, Module } from '@nestjs/common';
import { TypeOrmModule, type TypeOrmModuleOptions } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Config } from '../config/config';
import {
  type AppliedMigration,
  type DatabaseOptions,
  databaseOptions,
  type FeatureTables,
  type ModuleTables,
} from './database.options';
import { Database } from './database.service';
import { refuseUnfinishedMove } from './moving/move-target';
import { EVENT_RETENTION_MS, EventLogExpiry, LogClaims } from './event-log-expiry.service';
import { CommittedReads } from '../sql/queryable';
import { TracesModule } from '../traces/traces';
import { LostCommits, TransactionService } from './transaction.service';
import { ReplicaReader } from './replica-reader';

/** Repositories are injected from a data source that is already open. */
type ReadingOptions = TypeOrmModuleOptions & { readonly reading: DataSource };

const HOUR_MS = 3_600_000;

/** Provides the open database and transactions to every module. */
@Global()
@Module({})
export class DatabaseModule {
  /**
   * @param options.tables of the features, which this module does not know
   * @param options.modules the tables of modules
   */
  static forRoot(options: { tables: FeatureTables; modules?: readonly ModuleTables[] }): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          inject: [Database],
          useFactory: ({ reading }: Database): ReadingOptions => ({
            ...reading.options,
            retryAttempts: 0,
            reading,
          }),
          dataSourceFactory: (options) => Promise.resolve((options as ReadingOptions).reading),
        }),
        TracesModule,
      ],
      providers: [
        {
          provide: Database,
          inject: [Config],
          useFactory: (config: Config) => openMoved(databaseOptions(config, options.tables, options.modules)),
        },
        { provide: CommittedReads, useExisting: Database },
        {
          provide: EVENT_RETENTION_MS,
          inject: [Config],
          useFactory: (config: Config) => config.eventRetentionHours * HOUR_MS,
        },
        EventLogExpiry,
        LogClaims,
        LostCommits,
        ReplicaReader,
        TransactionService,
      ],
      exports: [CommittedReads, Database, LogClaims, ReplicaReader, TransactionService],
    };
  }
}

/** @throws {StartRefused} also if a move into the database is unfinished */
async function openMoved(options: DatabaseOptions): Promise<Database> {
  const applied: AppliedMigration[] = [];
  const database = await Database.open({ ...options, onApplied: (one) => applied.push(one) });
  logMigrations(applied, database);
  await logNewerTables(database);
  try {
    await refuseUnfinishedMove(database.read);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function logNewerTables({ migrations, read }: Database): Promise<void> {
  const rows = await read.query<{ name: string }>('SELECT name FROM migrations');
  if (rows.every(({ name }) => migrations.has(name))) return;
  new Logger('Migrations').warn('A newer release changed the tables. This one works on them.');
}

/** Skipped for a new database, to which all migrations are applied. */
function logMigrations(applied: readonly AppliedMigration[], { migrations }: Database): void {
  if (applied.length >= migrations.size) return;
  const logger = new Logger('Migrations');
  for (const { name, milliseconds } of applied) {
    // With their full numbers, some names would be as long as an API key and be redacted.
    const title = name.replace(/^([A-Za-z]+)\d{9}(\d{4})$/, '$2 $1');
    logger.log(`Applied the migration ${title} in ${milliseconds.toFixed(0)} ms.`);
  }
}
