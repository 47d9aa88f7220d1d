import { createHash } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { type ArchivedFile, ArchiveFolder } from '../../../../platform/archives/archive-folder';
import {
  type JsonBatch,
  jsonRowBatches,
  jsonRows,
  type JsonUnit,
} from '../../../../platform/archives/json-rows';
import { unpackTar } from '../../../../platform/archives/unpack-tar';
import {
  ArchiveRefused,
  type UnpackLimits,
  type UnpackProgress,
} from '../../../../platform/archives/unpacking';
import { CommandRefused, type OperatorContext } from '../../../../platform/operator/operator-commands';

type Unpack = (
  archive: string,
  target: string,
  limits: UnpackLimits,
  progress: UnpackProgress,
) => Promise<void>;

/** Folder for the temporary files of an import. */
export class Scratch {
  private constructor(private readonly root: string) {}

  /** Creates the folder, without leftovers of an interrupted import. */
  static async of(dataDir: string): Promise<Scratch> {
    const root = join(dataDir, 'import-unpacked');
    await fs.rm(root, { recursive: true, force: true });
    await fs.mkdir(root, { mode: 0o700 });
    return new Scratch(root);
  }

  /** Creates a subfolder. */
  async folder(name: string): Promise<string> {
    const path = join(this.root, name);
    await fs.mkdir(path, { mode: 0o700 });
    return path;
  }

  /**
   * Unpacks an archive. Returns the path unchanged if it is a folder.
   * @throws CommandRefused, ArchiveRefused
   */
  async unpacked(
    path: string,
    unpack: Unpack,
    limits: UnpackLimits,
    { signal, report }: OperatorContext,
  ): Promise<string> {
    const stats = await fs.stat(path).catch(() => null);
    if (stats === null) throw new CommandRefused(`${path} does not exist, or the server cannot read it.`);
    if (stats.isDirectory()) return path;
    const target = await this.folder('archive');
    await unpack(path, target, limits, {
      signal,
      report: (progress) => report({ ...progress, what: 'unpacking' }),
    });
    return target;
  }

  async remove(): Promise<void> {
    await fs.rm(this.root, { recursive: true, force: true });
  }
}

/** Limits of an archive, beyond the size of any organization. */
const LIMITS = { entries: 20_000_000, bytes: 4 * 1024 ** 4 };

/** Files that every archive must have. */
const REQUIRED = ['realm.json', 'attachment.json', 'migration_status.json'];

/** Tables that Zulip does not have; only in this server's own archives. */
const OWN_TABLES = 'parley.json';

/** The files of an archive. */
export interface ArchiveFiles {
  /**
   * The file, or null if there is none.
   * @throws ArchiveRefused unless it is a regular file within the archive
   */
  file(path: string): Promise<ArchivedFile | null>;
}

/** Parts of an archive. */
interface ArchiveParts {
  readonly files: ArchiveFiles;
  /** Names of the files with the organization's tables. */
  readonly mainFiles: readonly string[];
  /** Names of the files with messages, in order. */
  readonly messageFiles: readonly string[];
  /** SHA-256 of all tables, in hex; equal for archives with the same content. */
  readonly digest: string;
  /** Removes unpacked files. */
  close(): Promise<void>;
}

/** An opened Zulip archive, or one converted from another product's export. */
export class ArchiveSource {
  private constructor(
    private readonly parts: ArchiveParts,
    /** Whether it was converted from another product, and therefore lacks recipient rows. */
    readonly isForeign: boolean,
  ) {}

  /**
   * Opens a folder, or unpacks and opens a compressed archive.
   * @param dataDir folder with room for the unpacked archive
   * @throws CommandRefused, ArchiveRefused
   */
  static async open(path: string, dataDir: string, context: OperatorContext): Promise<ArchiveSource> {
    const scratch = await Scratch.of(dataDir);
    try {
      const files = new ArchiveFolder(await rootOf(await scratch.unpacked(path, unpackTar, LIMITS, context)));
      const messageFiles = await namesOfMessageFiles(files);
      const mainFiles = ['realm.json', ...((await files.file(OWN_TABLES)) === null ? [] : [OWN_TABLES])];
      const digest = await digestOf(files, [...mainFiles, ...messageFiles], context);
      const close = () => scratch.remove();
      return new ArchiveSource({ files, mainFiles, messageFiles, digest, close }, false);
    } catch (error) {
      await scratch.remove();
      throw error;
    }
  }

  /** An archive converted from another product's export. */
  static converted(parts: ArchiveParts): ArchiveSource {
    return new ArchiveSource(parts, true);
  }

  get messageFiles(): readonly string[] {
    return this.parts.messageFiles;
  }

  get digest(): string {
    return this.parts.digest;
  }

  close(): Promise<void> {
    return this.parts.close();
  }

  /** Rows of the named tables of the main file, or of all tables if none are named. */
  async *main(...tables: readonly string[]): AsyncGenerator<JsonUnit> {
    for (const path of this.parts.mainFiles) yield* this.rows(path, tables);
  }

  /** Rows of tables of an existing file. */
  async *rows(path: string, tables: readonly string[] = []): AsyncGenerator<JsonUnit> {
    for await (const { table, rows } of this.batches(path, tables))
      for (const row of rows) yield { table, row };
  }

  /** Like {@link rows}, in batches. */
  async *batches(path: string, tables: readonly string[] = []): AsyncGenerator<JsonBatch> {
    const file = await this.parts.files.file(path);
    if (file === null) throw new ArchiveRefused(path, 'The archive lacks this file.');
    const wanted = new Set(tables);
    yield* jsonRowBatches(file, (table) => wanted.size === 0 || wanted.has(table));
  }

  /** Rows of a folder's list of files; none if the folder is missing. */
  records(folder: string): AsyncGenerator<JsonUnit> {
    return this.list(`${folder}/records.json`);
  }

  /** Rows of a list; none if it is missing. */
  async *list(path: string): AsyncGenerator<JsonUnit> {
    const file = await this.parts.files.file(path);
    if (file !== null) yield* jsonRows(file);
  }

  /** A file, or null if there is none. */
  file(path: string): Promise<ArchivedFile | null> {
    return this.parts.files.file(path);
  }
}

/** The folder with the tables: the given one, or its only subfolder. */
async function rootOf(folder: string): Promise<string> {
  const entries = await fs.readdir(folder, { withFileTypes: true });
  if (entries.some(({ name }) => name === 'realm.json')) return folder;
  const [first, another] = entries.filter((entry) => entry.isDirectory());
  if (first === undefined || another !== undefined)
    throw new ArchiveRefused('realm.json', 'The archive lacks this file.');
  return join(folder, first.name);
}

/** Readers of message files stop at the first missing number, and would silently lose the files after a gap. */
async function namesOfMessageFiles(folder: ArchiveFolder): Promise<string[]> {
  for (const path of REQUIRED) {
    if ((await folder.file(path)) === null) throw new ArchiveRefused(path, 'The archive lacks this file.');
  }
  const names: string[] = [];
  for (let number = 1; ; number++) {
    const name = `messages-${String(number).padStart(6, '0')}.json`;
    for (const ending of ['.partial', '.locked']) {
      if ((await folder.file(`${name}${ending}`)) !== null)
        throw new ArchiveRefused(`${name}${ending}`, 'The export was not finished.');
    }
    if ((await folder.file(name)) === null) return names;
    names.push(name);
  }
}

async function digestOf(
  folder: ArchiveFolder,
  tableFiles: readonly string[],
  { signal, report }: OperatorContext,
): Promise<string> {
  const hash = createHash('sha256');
  const names = ['attachment.json', ...tableFiles];
  for (const [at, name] of names.entries()) {
    signal.throwIfAborted();
    const file = await folder.file(name);
    if (file !== null) for await (const chunk of file.content()) hash.update(chunk);
    report({ done: at + 1, total: names.length, what: 'checksums' });
  }
  return hash.digest('hex');
}
