import { createHash } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { type ArchivedFile, ArchiveFolder } from '../../../../platform/archives/archive-folder';
import { jsonRowBatches, jsonRows, type JsonUnit } from '../../../../platform/archives/json-rows';
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
   * The folder that an archive is unpacked into, or the one that it is already.
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

/** Most that an archive may hold: more than any organization has. */
const LIMITS = { entries: 20_000_000, bytes: 4 * 1024 ** 4 };

/** Files with tables, without which this is no archive. */
const REQUIRED = ['realm.json', 'attachment.json', 'migration_status.json'];

/** What this server has beyond Zulip's tables; only in its own archives. */
const OWN_TABLES = 'parley.json';

/** The files of an archive. */
export interface ArchiveFiles {
  /** The file, or null if there is none. @throws ArchiveRefused for what is no regular file within the archive */
  file(path: string): Promise<ArchivedFile | null>;
}

/** Parts of an archive. */
interface ArchiveParts {
  readonly files: ArchiveFiles;
  /** Names of the files with tables of the organization. */
  readonly mainFiles: readonly string[];
  /** Names of the files with messages, in their order. */
  readonly messageFiles: readonly string[];
  /** SHA-256 of all tables, in hex: tells whether two archives hold the same. */
  readonly digest: string;
  /** Removes what it was unpacked into. */
  close(): Promise<void>;
}

/** An opened archive of Zulip, or one converted from another product's export. */
export class ArchiveSource {
  private constructor(
    private readonly parts: ArchiveParts,
    /** Whether it was converted from another product, and lacks recipient rows. */
    readonly isForeign: boolean,
  ) {}

  /**
   * Opens a compressed archive, which is unpacked first, or a folder.
   * @param dataDir where there is room to unpack it
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

  /** Rows of tables of the main file; all of them if none are named. */
  async *main(...tables: readonly string[]): AsyncGenerator<JsonUnit> {
    for (const path of this.parts.mainFiles) yield* this.rows(path, tables);
  }

  /** Rows of tables of a file that is there. */
  async *rows(path: string, tables: readonly string[] = []): AsyncGenerator<JsonUnit> {
    for await (const units of this.batches(path, tables)) yield* units;
  }

  /** The same, many at a time. */
  async *batches(path: string, tables: readonly string[] = []): AsyncGenerator<readonly JsonUnit[]> {
    const file = await this.parts.files.file(path);
    if (file === null) throw new ArchiveRefused(path, 'The archive lacks this file.');
    const wanted = new Set(tables);
    yield* jsonRowBatches(file, (table) => wanted.size === 0 || wanted.has(table));
  }

  /** Rows of the list of a folder's files; none where the folder is missing. */
  records(folder: string): AsyncGenerator<JsonUnit> {
    return this.list(`${folder}/records.json`);
  }

  /** Rows of a list; none where it is missing. */
  async *list(path: string): AsyncGenerator<JsonUnit> {
    const file = await this.parts.files.file(path);
    if (file !== null) yield* jsonRows(file);
  }

  /** A file, or null if there is none. */
  file(path: string): Promise<ArchivedFile | null> {
    return this.parts.files.file(path);
  }
}

/** The folder with the tables: the one given, or the only one in it. */
async function rootOf(folder: string): Promise<string> {
  const entries = await fs.readdir(folder, { withFileTypes: true });
  if (entries.some(({ name }) => name === 'realm.json')) return folder;
  const [first, another] = entries.filter((entry) => entry.isDirectory());
  if (first === undefined || another !== undefined)
    throw new ArchiveRefused('realm.json', 'The archive lacks this file.');
  return join(folder, first.name);
}

/** The reader of such archives stops at the first number that is missing; more behind it would be lost unnoticed. */
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
