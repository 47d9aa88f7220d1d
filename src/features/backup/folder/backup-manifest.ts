import type { Engine } from '../../../platform/sql/queryable';

/** Rises when the layout of backups changes so that earlier releases cannot read it. */
export const BACKUP_FORMAT = 1;

/** Name of the file that describes a backup. */
export const MANIFEST = 'manifest.json';

/** Where the database is, by engine. */
export const DATABASE_FILE: Readonly<Record<Engine, string>> = {
  sqlite: 'parley.db',
  postgres: 'database.dump',
};

/** Folder of uploaded files. */
export const FILES_FOLDER = 'files';

/** Where the secret is, if it is part of the backup. */
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

/** The content of a backup, and where it came from. */
export interface BackupManifest {
  readonly format: number;
  /** The release that made the backup. */
  readonly release: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly engine: Engine;
  /** The applied migrations, oldest first. */
  readonly migrations: readonly string[];
  /** The fingerprint of its secret that the database stores. */
  readonly secretFingerprint: string;
  readonly hasSecret: boolean;
  readonly files: readonly BackupFile[];
}

/** Reads a manifest; null for a text that is none. */
export function parseManifest(text: string): BackupManifest | null {
  try {
    const manifest = JSON.parse(text) as Partial<BackupManifest>;
    return isManifest(manifest) ? manifest : null;
  } catch {
    return null;
  }
}

function isManifest(value: Partial<BackupManifest>): value is BackupManifest {
  const { engine, files, migrations } = value;
  return (
    typeof value.format === 'number' &&
    typeof value.createdAt === 'string' &&
    typeof value.secretFingerprint === 'string' &&
    typeof value.hasSecret === 'boolean' &&
    engine !== undefined &&
    engine in DATABASE_FILE &&
    Array.isArray(migrations) &&
    Array.isArray(files) &&
    files.every(isFile)
  );
}

/** A path that leads out of the folder is no honest mistake. */
function isFile({ path, size, sha256 }: Partial<BackupFile>): boolean {
  const isInside =
    typeof path === 'string' && path.split('/').every((part) => !['', '.', '..'].includes(part));
  return isInside && !path.includes('\\') && typeof size === 'number' && typeof sha256 === 'string';
}
