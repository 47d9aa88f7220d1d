import { existsSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  BACKUP_FORMAT,
  type BackupManifest,
  copyFile,
  DATABASE_FILE,
  flush,
  MANIFEST,
  parseManifest,
  SECRET_FILE,
} from '../features/backup';
import type { Config } from '../platform/config/config';
import { makeDataFolder } from '../platform/config/data-folder';
import { databaseOptions } from '../platform/database/database.options';
import { migrationStatus, unknownMigrations } from '../platform/database/migration-status';
import { restorePostgres } from '../platform/database/postgres/postgres-dump';
import { CommandRefused, type OperatorContext } from '../platform/operator/operator-command';
import { fingerprintOf } from '../platform/secrets/server-secret';
import { tables } from '../app.module';
import { runAlone } from './run-alone';

/** Names that belong to the file system: a folder with nothing else in it counts as empty. */
const NOBODYS = new Set(['lost+found']);

/** The result of a restore. */
interface RestoreResult {
  readonly dataDir: string;
  readonly createdAt: string;
  readonly files: number;
}

/**
 * Fills an empty data folder, and on PostgreSQL an empty database, from a backup. Each copied file is checked against
 * its checksum, and everything is assembled in a draft folder until it is complete.
 * @param secretFile where the secret is, for a backup made without it
 * @throws CommandRefused, DumpFailed, StartRefused
 */
export async function restore(
  backup: string,
  secretFile: string | undefined,
  config: Config,
  context: OperatorContext,
): Promise<RestoreResult> {
  const folder = resolve(backup);
  const manifest = await readManifest(folder);
  requireKnown(manifest);
  requireEngine(manifest, config);
  await requireEmpty(config, manifest);
  const secret = await secretFor(manifest, folder, secretFile, config);
  makeDataFolder(config);
  const draft = await fs.mkdtemp(join(config.dataDir, '.restore-'));
  try {
    await copyAll(folder, draft, manifest, context);
    if (config.secretKey === null) {
      const path = join(draft, SECRET_FILE);
      await fs.writeFile(path, `${secret}\n`, { mode: 0o600, flush: true });
    }
    await settle(draft, manifest, config, context);
    await moveInto(config.dataDir, draft);
  } finally {
    await fs.rm(draft, { recursive: true, force: true });
  }
  return { dataDir: config.dataDir, createdAt: manifest.createdAt, files: manifest.files.length };
}

async function readManifest(folder: string): Promise<BackupManifest> {
  const text = await fs.readFile(join(folder, MANIFEST), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return '';
    throw error;
  });
  const manifest = parseManifest(text);
  if (manifest) return manifest;
  throw new CommandRefused(
    `${folder} is no backup: it has no ${MANIFEST} that makes sense. Name a folder that "parley backup" made.`,
  );
}

function requireKnown({ format, migrations, release }: BackupManifest): void {
  if (format === BACKUP_FORMAT && unknownMigrations(migrations, tables).length === 0) return;
  throw new CommandRefused(`The backup was made by a newer release (${release}): restore it with that one.`);
}

function requireEngine({ engine }: BackupManifest, { databaseUrl }: Config): void {
  if (engine === 'postgres' && databaseUrl === null) {
    throw new CommandRefused('This is a backup of PostgreSQL: set DATABASE_URL to an empty database for it.');
  }
  if (engine === 'sqlite' && databaseUrl !== null) {
    throw new CommandRefused(
      'This is a backup of the embedded database: take DATABASE_URL away to restore it.',
    );
  }
}

async function requireEmpty(config: Config, { engine }: BackupManifest): Promise<void> {
  const { dataDir } = config;
  const names = existsSync(dataDir) ? await fs.readdir(dataDir) : [];
  if (names.some((name) => !NOBODYS.has(name))) {
    throw new CommandRefused(
      `${dataDir} is not empty, and restoring replaces nothing: move it away, or name another folder with --data-dir.`,
    );
  }
  if (engine === 'sqlite') return;
  const { applied } = await migrationStatus(databaseOptions(config, tables));
  if (applied.length > 0) {
    throw new CommandRefused('The database in DATABASE_URL is not empty: make a new one, and name that.');
  }
}

/** @returns the secret that the database was created with */
async function secretFor(
  manifest: BackupManifest,
  folder: string,
  secretFile: string | undefined,
  { secretKey, secretKeyPrevious }: Config,
): Promise<string> {
  const file = secretFile ?? (manifest.hasSecret ? join(folder, SECRET_FILE) : undefined);
  const secret = secretKey ?? (file === undefined ? null : await readSecret(file));
  if (secret === null) {
    throw new CommandRefused(
      'This backup is without its secret, and no API key works without that. Give it with --secret-file, or in ' +
        'SECRET_KEY: it is the text of the file "secret" in the data folder that the backup was made of.',
    );
  }
  const matches = [secret, secretKeyPrevious].some(
    (each) => each !== null && fingerprintOf(each) === manifest.secretFingerprint,
  );
  if (matches) return secret;
  throw new CommandRefused(
    `The secret ${secretKey !== null ? 'in SECRET_KEY' : `in ${file}`} is not the one that this backup was made with.`,
  );
}

async function readSecret(file: string): Promise<string> {
  try {
    return (await fs.readFile(file, 'utf8')).trim();
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    throw new CommandRefused(`The secret in ${file} cannot be read (${code}).`);
  }
}

async function copyAll(
  folder: string,
  draft: string,
  { files }: BackupManifest,
  { signal, report }: OperatorContext,
): Promise<void> {
  for (const [at, { path, size, sha256 }] of files.entries()) {
    const found = await copyFile(join(folder, path), join(draft, path), signal).catch((error: unknown) => {
      const { code } = error as NodeJS.ErrnoException;
      throw code === 'ENOENT'
        ? new CommandRefused(`The backup is damaged: ${path} is missing in it.`)
        : error;
    });
    if (found.size !== size || found.sha256 !== sha256) {
      throw new CommandRefused(`The backup is damaged: ${path} is not what was saved. Take another backup.`);
    }
    report({ done: at + 1, total: files.length, what: 'files' });
  }
}

/** Opens the restored database once, which applies the pending migrations. */
async function settle(
  draft: string,
  { engine }: BackupManifest,
  config: Config,
  context: OperatorContext,
): Promise<void> {
  if (engine === 'postgres' && config.databaseUrl !== null) {
    const dump = join(draft, DATABASE_FILE.postgres);
    await restorePostgres(config.databaseUrl, dump);
    await fs.rm(dump);
  }
  const there = Object.create(config, { dataDir: { value: draft } }) as Config;
  await runAlone(there, 'restore settle', {}, context);
  await fs.rm(join(draft, `${DATABASE_FILE.sqlite}.lock`), { force: true });
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
