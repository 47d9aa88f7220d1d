import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { CommandRefused } from '../../../../platform/operator/operator-commands';
import {
  type BackupFile,
  type BackupManifest,
  MANIFEST,
  parseManifest,
  SECRET_FILE,
} from './backup-manifest';
import { copyContent, type FileSum, passContent } from './copy-file';

/** Enough for the entries of a million files. */
export const MAX_MANIFEST_BYTES = 256 * 1024 ** 2;

const MAX_SECRET_BYTES = 64 * 1024;

/** Files in the folder that do not belong to the backup: how many, and the first of them. */
interface Strangers {
  readonly count: number;
  readonly names: readonly string[];
}

const MAX_NAMES = 20;

/**
 * Reads the folder of a backup, which may have been tampered with: only regular files, no links in their paths, and no
 * more bytes than listed in the manifest.
 */
export class BackupFolder {
  private constructor(
    private readonly folder: string,
    readonly manifest: BackupManifest,
  ) {}

  /** @throws CommandRefused */
  static async open(path: string): Promise<BackupFolder> {
    const refused = new CommandRefused(
      `${path} is not a backup: ${MANIFEST} is missing or invalid. Choose a folder created by "parley backup".`,
    );
    // The folder itself may be reached through a link, since the operator chose it.
    const folder = await fs.realpath(path).catch(() => {
      throw refused;
    });
    const manifest = parseManifest((await readFile(folder, MANIFEST, MAX_MANIFEST_BYTES)) ?? '');
    if (manifest === null) throw refused;
    return new BackupFolder(folder, manifest);
  }

  /** @throws CommandRefused */
  async secret(): Promise<string> {
    const text = await readFile(this.folder, SECRET_FILE, MAX_SECRET_BYTES);
    if (text === null) throw damaged(SECRET_FILE, 'is missing');
    return text.trim();
  }

  /** Copies a file of the manifest into a folder. @throws CommandRefused unless it matches the manifest */
  copy(file: BackupFile, into: string, signal: AbortSignal): Promise<void> {
    return this.read(file, (content) => copyContent(content, join(into, file.path), signal));
  }

  /** Writes a file of the manifest to a stream. @throws CommandRefused unless it matches the manifest */
  pass(file: BackupFile, to: Writable, signal: AbortSignal): Promise<void> {
    return this.read(file, (content) => passContent(content, to, signal));
  }

  private async read(file: BackupFile, take: (content: Readable) => Promise<FileSum>): Promise<void> {
    const { path, size } = file;
    const opened = await openRegular(this.folder, path);
    if (opened === null) throw damaged(path, 'is missing');
    // One additional byte is enough to detect another file.
    requireSaved(file, await take(opened.createReadStream({ end: size })));
  }

  /** Other files in the folder. */
  async strangers(): Promise<Strangers> {
    const known = new Set([MANIFEST, ...this.manifest.files.map(({ path }) => path)]);
    const entries = await fs.readdir(this.folder, { recursive: true, withFileTypes: true });
    const names = entries
      .filter((entry) => !entry.isDirectory())
      .map((entry) => relative(this.folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
      .filter((name) => !known.has(name))
      .sort();
    return { count: names.length, names: names.slice(0, MAX_NAMES) };
  }
}

/** @throws CommandRefused unless the content of a file matches the manifest */
export function requireSaved({ path, size, sha256 }: BackupFile, found: FileSum): void {
  if (found.size !== size || found.sha256 !== sha256) throw damaged(path, 'does not match its checksum');
}

function damaged(path: string, what: string): CommandRefused {
  return new CommandRefused(`The backup is damaged: ${path} ${what}. Use another backup.`);
}

/** @returns null if there is no such file @throws CommandRefused for anything but a regular file */
async function openRegular(folder: string, path: string): Promise<fs.FileHandle | null> {
  const full = join(folder, path);
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  let file: fs.FileHandle;
  try {
    if ((await fs.realpath(dirname(full))) !== dirname(full))
      throw damaged(path, 'is behind a symbolic link');
    // Without O_NONBLOCK, opening a FIFO waits until another program writes to it.
    file = await fs.open(full, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw code === 'ELOOP' || code === 'ENXIO' ? damaged(path, 'is not a regular file') : error;
  }
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw damaged(path, 'is not a regular file');
}

/** @returns null if there is no such file, or it is too large */
async function readFile(folder: string, path: string, maxBytes: number): Promise<string | null> {
  const file = await openRegular(folder, path);
  if (file === null) return null;
  try {
    return (await file.stat()).size > maxBytes ? null : await file.readFile('utf8');
  } finally {
    await file.close();
  }
}
