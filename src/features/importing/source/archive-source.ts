import { createHash } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { ArchiveFolder, type ArchivedFile } from '../../../platform/archives/archive-folder';
import { ArchiveRefused } from '../../../platform/archives/archive-refused';
import { type JsonUnit, jsonRows } from '../../../platform/archives/json-rows';
import { unpackTar } from '../../../platform/archives/unpack-tar';
import { CommandRefused, type OperatorContext } from '../../../platform/operator/operator-command';

/** Most that an archive may hold: more than any organization has. */
const LIMITS = { entries: 20_000_000, bytes: 4 * 1024 ** 4 };

/** Files with tables, without which this is no archive. */
const REQUIRED = ['realm.json', 'attachment.json', 'migration_status.json'];

/** An archive of Zulip that was opened: its tables and files. */
export class ArchiveSource {
  private constructor(
    private readonly folder: ArchiveFolder,
    /** Names of the files with messages, in their order. */
    readonly messageFiles: readonly string[],
    /** SHA-256 of all tables, in hex: tells whether two archives hold the same. */
    readonly digest: string,
    private readonly unpacked: string | null,
  ) {}

  /**
   * Opens a compressed archive, which is unpacked first, or a folder.
   * @param dataDir where there is room to unpack it
   * @throws CommandRefused, ArchiveRefused
   */
  static async open(path: string, dataDir: string, context: OperatorContext): Promise<ArchiveSource> {
    const stats = await fs.stat(path).catch(() => null);
    if (stats === null) throw new CommandRefused(`${path} does not exist, or the server cannot read it.`);
    let unpacked: string | null = null;
    if (!stats.isDirectory()) {
      // What an import that was cut off has left here goes first.
      unpacked = join(dataDir, 'import-unpacked');
      await fs.rm(unpacked, { recursive: true, force: true });
      await fs.mkdir(unpacked, { mode: 0o700 });
    }
    try {
      if (unpacked !== null) {
        const { signal, report } = context;
        await unpackTar(path, unpacked, LIMITS, {
          signal,
          report: (progress) => report({ ...progress, what: 'unpacking' }),
        });
      }
      const folder = new ArchiveFolder(await rootOf(unpacked ?? path));
      const messageFiles = await namesOfMessageFiles(folder);
      const digest = await digestOf(folder, messageFiles, context);
      return new ArchiveSource(folder, messageFiles, digest, unpacked);
    } catch (error) {
      if (unpacked !== null) await fs.rm(unpacked, { recursive: true, force: true });
      throw error;
    }
  }

  async close(): Promise<void> {
    if (this.unpacked !== null) await fs.rm(this.unpacked, { recursive: true, force: true });
  }

  /** Rows of tables of the main file; all of them if none are named. */
  main(...tables: readonly string[]): AsyncGenerator<JsonUnit> {
    return this.rows('realm.json', tables);
  }

  /** Rows of tables of a file that is there. */
  async *rows(path: string, tables: readonly string[] = []): AsyncGenerator<JsonUnit> {
    const file = await this.folder.file(path);
    if (file === null) throw new ArchiveRefused(path, 'The archive lacks this file.');
    const wanted = new Set(tables);
    yield* jsonRows(file, (table) => wanted.size === 0 || wanted.has(table));
  }

  /** Rows of the list of a folder's files; none where the folder is missing. */
  async *records(folder: string): AsyncGenerator<JsonUnit> {
    const file = await this.folder.file(`${folder}/records.json`);
    if (file !== null) yield* jsonRows(file);
  }

  /** A file, or null if there is none. */
  file(path: string): Promise<ArchivedFile | null> {
    return this.folder.file(path);
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
  messageFiles: readonly string[],
  { signal, report }: OperatorContext,
): Promise<string> {
  const hash = createHash('sha256');
  const names = ['realm.json', 'attachment.json', ...messageFiles];
  for (const [at, name] of names.entries()) {
    signal.throwIfAborted();
    const file = await folder.file(name);
    if (file !== null) for await (const chunk of file.content()) hash.update(chunk);
    report({ done: at + 1, total: names.length, what: 'checksums' });
  }
  return hash.digest('hex');
}
