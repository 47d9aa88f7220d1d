import { existsSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  BACKUP_FORMAT,
  BackupFolder,
  type BackupManifest,
  DATABASE_FILE,
  flush,
  type RestoredKey,
  SECRET_FILE,
} from '../features/operations/operations.module';
import type { Config } from '../platform/config/config';
import { makeDataFolder } from '../platform/config/data-folder';
import { databaseOptions, type DatabaseOptions } from '../platform/database/database.options';
import { migrationStatus, unknownMigrations } from '../platform/database/applied-migrations';
import { foreignEntries, restorePostgres } from '../platform/database/postgres/postgres-dump';
import { schemaDifferences, type SchemaObject, wantedObjects } from '../platform/database/schema-objects';
import { CommandRefused, type OperatorContext } from '../platform/operator/operator-commands';
import { fingerprintOf } from '../platform/secrets/server-secret';
import { tables } from '../app.module';
import { runAlone } from './run-alone';

/** Names created by the file system: a folder with nothing else counts as empty. */
const NOBODYS = new Set(['lost+found']);

/** The result of a restore. */
interface RestoreResult {
  readonly dataDir: string;
  readonly createdAt: string;
  readonly files: number;
  /** Files in the folder that do not belong to the backup and were kept: their number, and the first names. */
  readonly left: { readonly count: number; readonly names: readonly string[] };
  /** Keys with a name that count again, also those that were revoked after the backup. */
  readonly keys: readonly RestoredKey[];
}

/**
 * Fills an empty data folder, and on PostgreSQL an empty database, from a backup. Each copied file is verified against
 * its checksum, and everything is assembled in a draft folder until it is complete.
 * @param secretFile path of the secret, for a backup made without it
 * @throws CommandRefused, DumpFailed, StartRefused
 */
export async function restore(
  backup: string,
  secretFile: string | undefined,
  config: Config,
  context: OperatorContext,
): Promise<RestoreResult> {
  const folder = await BackupFolder.open(resolve(backup));
  const { manifest } = folder;
  requireKnown(manifest);
  requireEngine(manifest, config);
  await requireEmpty(config, manifest);
  const secret = await secretFor(folder, secretFile, config);
  makeDataFolder(config);
  const draft = await fs.mkdtemp(join(config.dataDir, '.restore-'));
  let keys: readonly RestoredKey[];
  try {
    await copyAll(folder, draft, context);
    if (config.secretKey === null) {
      const path = join(draft, SECRET_FILE);
      await fs.writeFile(path, `${secret}\n`, { mode: 0o600, flush: true });
    }
    keys = await settle(draft, manifest, config, context);
    await moveInto(config.dataDir, draft);
  } finally {
    await fs.rm(draft, { recursive: true, force: true });
  }
  const { createdAt, files } = manifest;
  return { dataDir: config.dataDir, createdAt, files: files.length, left: await folder.strangers(), keys };
}

function requireKnown({ format, migrations, release }: BackupManifest): void {
  if (format === BACKUP_FORMAT && unknownMigrations(migrations, tables).length === 0) return;
  throw new CommandRefused(
    `The backup was made by a newer release (${release}). Restore it with that release.`,
  );
}

function requireEngine({ engine }: BackupManifest, { databaseUrl }: Config): void {
  if (engine === 'postgres' && databaseUrl === null) {
    throw new CommandRefused(
      'This is a PostgreSQL backup. Set DATABASE_URL to an empty database to restore it.',
    );
  }
  if (engine === 'sqlite' && databaseUrl !== null) {
    throw new CommandRefused('This is a SQLite backup. Unset DATABASE_URL to restore it.');
  }
}

async function requireEmpty(config: Config, { engine }: BackupManifest): Promise<void> {
  const { dataDir } = config;
  const names = existsSync(dataDir) ? await fs.readdir(dataDir) : [];
  if (names.some((name) => !NOBODYS.has(name))) {
    throw new CommandRefused(
      `${dataDir} is not empty, and a restore never overwrites data. Move the folder away, or choose another with --data-dir.`,
    );
  }
  if (engine === 'sqlite') return;
  const { applied } = await migrationStatus(databaseOptions(config, tables));
  if (applied.length > 0) {
    throw new CommandRefused('The database in DATABASE_URL is not empty. Create an empty one and use that.');
  }
}

/** @returns the secret that the database was created with */
async function secretFor(
  folder: BackupFolder,
  secretFile: string | undefined,
  { secretKey, secretKeyPrevious }: Config,
): Promise<string> {
  const { manifest } = folder;
  const inBackup = manifest.hasSecret ? await folder.secret() : null;
  const secret = secretKey ?? (secretFile === undefined ? inBackup : await readSecret(secretFile));
  if (secret === null) {
    throw new CommandRefused(
      'This backup does not contain its secret, and no API key works without it. Use --secret-file or SECRET_KEY with ' +
        'the content of the file "secret" in the original data folder.',
    );
  }
  const matches = [secret, secretKeyPrevious].some(
    (each) => each !== null && fingerprintOf(each) === manifest.secretFingerprint,
  );
  if (matches) return secret;
  throw new CommandRefused(
    `The secret ${secretKey !== null ? 'in SECRET_KEY' : `in ${secretFile ?? 'the backup'}`} is not the secret of this backup.`,
  );
}

async function readSecret(file: string): Promise<string> {
  try {
    return (await fs.readFile(file, 'utf8')).trim();
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    throw new CommandRefused(`Cannot read the secret in ${file} (${code}).`);
  }
}

async function copyAll(
  folder: BackupFolder,
  draft: string,
  { signal, report }: OperatorContext,
): Promise<void> {
  const { files } = folder.manifest;
  for (const [at, file] of files.entries()) {
    await folder.copy(file, draft, signal);
    report({ done: at + 1, total: files.length, what: 'files' });
  }
}

/** Refuses a dump with more than tables before PostgreSQL runs it. @throws CommandRefused */
async function requirePlainDump(dump: string): Promise<void> {
  const foreign = await foreignEntries(dump);
  if (foreign.length > 0) throw notOfBackup(foreign);
}

/** Checks before anything is written, because a trigger would run. @throws CommandRefused */
async function requireOwnSchema(options: DatabaseOptions, wanted: readonly SchemaObject[]): Promise<void> {
  const differences = await schemaDifferences(options, wanted);
  if (differences.length === 0) return;
  throw notOfBackup(
    differences,
    options.engine === 'postgres' ? ' Delete the database in DATABASE_URL.' : '',
  );
}

function notOfBackup(differences: readonly string[], advice = ''): CommandRefused {
  const named = differences.slice(0, 10).join(', ');
  return new CommandRefused(
    `The database in the backup was not created by Parley: ${named}.${advice} Use another backup.`,
  );
}

/** Opens the restored database once, which applies the pending migrations. @returns the keys with a name that count */
async function settle(
  draft: string,
  { engine, migrations }: BackupManifest,
  config: Config,
  context: OperatorContext,
): Promise<readonly RestoredKey[]> {
  const there = Object.create(config, { dataDir: { value: draft } }) as Config;
  const options = databaseOptions(there, tables);
  // Before the dump is restored, because this uses the empty database.
  const wanted = await wantedObjects(options, migrations);
  if (engine === 'postgres' && config.databaseUrl !== null) {
    const dump = join(draft, DATABASE_FILE.postgres);
    await requirePlainDump(dump);
    await restorePostgres(config.databaseUrl, dump);
    await fs.rm(dump);
  }
  await requireOwnSchema(options, wanted);
  const { keys } = (await runAlone(there, 'restore settle', {}, context)) as {
    readonly keys: readonly RestoredKey[];
  };
  await fs.rm(join(draft, `${DATABASE_FILE.sqlite}.lock`), { force: true });
  return keys;
}

/** Moves the database last: without it, the folder does not count as a server's. */
async function moveInto(dataDir: string, draft: string): Promise<void> {
  const names = await fs.readdir(draft);
  const isDatabase = (name: string) => name.startsWith(DATABASE_FILE.sqlite);
  for (const name of [...names.filter((name) => !isDatabase(name)), ...names.filter(isDatabase)]) {
    await fs.rename(join(draft, name), join(dataDir, name));
  }
  await flush(dataDir);
}
