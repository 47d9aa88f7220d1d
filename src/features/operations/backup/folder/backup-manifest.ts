import { parse } from 'secure-json-parse';
import type { Engine } from '../../../../platform/sql/queryable';

/** Incremented when the layout of backups changes so that earlier releases cannot read it. */
export const BACKUP_FORMAT = 1;

/** Name of the file that describes a backup. */
export const MANIFEST = 'manifest.json';

/** Path of the database, by engine. */
export const DATABASE_FILE: Readonly<Record<Engine, string>> = {
  sqlite: 'parley.db',
  postgres: 'database.dump',
};

/** Folder of uploaded files. */
export const FILES_FOLDER = 'files';

/** Path of the secret, if the backup includes it. */
export const SECRET_FILE = 'secret';

/** A file of a backup. */
export interface BackupFile {
  /** Relative to the folder of the backup, with `/` between its parts. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** In hex. */
  readonly sha256: string;
}

/** The content of a backup, and its origin. */
export interface BackupManifest {
  readonly format: number;
  /** The release that made the backup. */
  readonly release: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly engine: Engine;
  /** The applied migrations, oldest first. */
  readonly migrations: readonly string[];
  /** The fingerprint of its secret, as stored in the database. */
  readonly secretFingerprint: string;
  readonly hasSecret: boolean;
  readonly files: readonly BackupFile[];
}

const SHA_256 = /^[0-9a-f]{64}$/;

/** Parses a manifest; null for text that is not a manifest. */
export function parseManifest(text: string): BackupManifest | null {
  try {
    const manifest = parse(text) as BackupManifest;
    return isManifest(manifest) ? manifest : null;
  } catch {
    return null;
  }
}

function isManifest(value: Partial<BackupManifest> | null): value is BackupManifest {
  if (typeof value !== 'object' || value === null) return false;
  const { engine, files, migrations } = value;
  return (
    typeof value.format === 'number' &&
    typeof value.release === 'string' &&
    typeof value.createdAt === 'string' &&
    !Number.isNaN(Date.parse(value.createdAt)) &&
    typeof value.secretFingerprint === 'string' &&
    typeof value.hasSecret === 'boolean' &&
    typeof engine === 'string' &&
    Object.hasOwn(DATABASE_FILE, engine) &&
    Array.isArray(migrations) &&
    migrations.every((name) => typeof name === 'string') &&
    Array.isArray(files) &&
    files.every(isFile) &&
    areOfBackup(files, DATABASE_FILE[engine], value.hasSecret)
  );
}

/** A path that leads out of the folder cannot be an accident. */
function isFile(value: Partial<BackupFile> | null): value is BackupFile {
  if (typeof value !== 'object' || value === null) return false;
  const { path, size, sha256 } = value;
  return (
    typeof path === 'string' &&
    path.split('/').every((part) => !['', '.', '..'].includes(part)) &&
    !/[\\\0]/.test(path) &&
    Number.isSafeInteger(size) &&
    Number(size) >= 0 &&
    typeof sha256 === 'string' &&
    SHA_256.test(sha256)
  );
}

/** Whether the list contains exactly the database, the secret if included, and uploaded files, without duplicates. */
function areOfBackup(files: readonly BackupFile[], database: string, hasSecret: boolean): boolean {
  const paths = new Set(files.map(({ path }) => path));
  const single = [database, ...(hasSecret ? [SECRET_FILE] : [])];
  return (
    paths.size === files.length &&
    single.every((path) => paths.has(path)) &&
    files.every(({ path }) => single.includes(path) || path.startsWith(`${FILES_FOLDER}/`))
  );
}
