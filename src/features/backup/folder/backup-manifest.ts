import type { Engine } from '../../../platform/sql/queryable';

/** Rises when backups are laid out in a way that earlier releases cannot read. */
export const BACKUP_FORMAT = 1;

/** Name of the file that says what is in a backup. */
export const MANIFEST = 'manifest.json';

/** Where the database is, by engine. */
export const DATABASE_FILE: Readonly<Record<Engine, string>> = {
  sqlite: 'parley.db',
  postgres: 'database.dump',
};

/** Folder of what people uploaded. */
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

/** What is in a backup, and of what it is one. */
export interface BackupManifest {
  readonly format: number;
  /** The release that made it. */
  readonly release: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly engine: Engine;
  /** Those that had been applied, oldest first. */
  readonly migrations: readonly string[];
  /** What the database remembers of its secret. */
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

/** A path that leads elsewhere is nobody's honest mistake. */
function isFile({ path, size, sha256 }: Partial<BackupFile>): boolean {
  const isInside =
    typeof path === 'string' && path.split('/').every((part) => !['', '.', '..'].includes(part));
  return isInside && !path.includes('\\') && typeof size === 'number' && typeof sha256 === 'string';
}
