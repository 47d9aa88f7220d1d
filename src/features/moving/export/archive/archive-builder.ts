import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { TarGzWriter } from '../../../../platform/archives/tar-gz-writer';
import type { FileStore } from '../../../../platform/files/file-store';
import type { Progress } from '../../../../platform/operator/operator-commands';
import { JsonFile, type NamedRows, type RowCounts, type Rows, writeText } from './row-files';

/** Where an archive is written, and where its parts are buffered. */
export interface ArchivePlace {
  readonly tar: TarGzWriter;
  /** Top-level folder in the archive. */
  readonly folder: string;
  /** Path in the file store for one part at a time: its size must be known before it is added to the archive. */
  readonly piecePath: string;
  /** UNIX seconds. */
  readonly madeAt: number;
  /** Aborted when the archive is no longer needed. */
  readonly signal: AbortSignal;
  readonly report: (progress: Progress) => void;
}

/** Builds an archive file by file. */
export class ArchiveBuilder {
  private readonly counts: Record<string, RowCounts | number> = {};

  constructor(
    private readonly files: FileStore,
    private readonly place: ArchivePlace,
  ) {}

  /** Reports progress. */
  report(done: number, total: number, what: string): void {
    this.place.report({ done, total, what });
  }

  /** Adds a JSON file of tables. @param name file name without its extension */
  async tables(name: string, tables: Iterable<NamedRows>): Promise<void> {
    this.counts[name] = await this.json(`${name}.json`, (file) => file.tables(tables));
  }

  /** Adds the list of a folder's files. @param folder such as `uploads` */
  async records(folder: string, rows: Rows): Promise<void> {
    this.counts[`${folder}_records`] = await this.json(`${folder}/records.json`, (file) => file.list(rows));
  }

  /** Adds the row counts of everything added so far. */
  async statistics(): Promise<void> {
    await this.object('stats.json', this.counts);
  }

  /** Adds an HTML page. */
  async page(path: string, parts: AsyncIterable<string>): Promise<void> {
    await this.piece(path, async (sink) => {
      for await (const part of parts) await writeText(sink, part, this.place.signal);
    });
  }

  /** Adds a small JSON file. */
  async object(path: string, value: object): Promise<void> {
    const text = Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
    await this.place.tar.add(this.entry(path, text.length), single(text));
  }

  /**
   * Adds a file of the file store.
   * @returns its size in bytes; null if it is gone
   */
  async stored(path: string, storedPath: string): Promise<number | null> {
    const { tar, signal } = this.place;
    signal.throwIfAborted();
    const file = await this.files.open(storedPath);
    if (!file) return null;
    await tar.add(this.entry(path, file.size), file.content as AsyncIterable<Buffer>);
    return file.size;
  }

  private json<T>(path: string, fill: (file: JsonFile) => Promise<T>): Promise<T> {
    return this.piece(path, (sink) => fill(new JsonFile(sink, this.place.signal)));
  }

  private async piece<T>(path: string, fill: (sink: Writable) => Promise<T>): Promise<T> {
    const { piecePath } = this.place;
    try {
      const result = await this.files.write(piecePath, async (sink: Writable) => {
        const written = await fill(sink);
        sink.end();
        await finished(sink);
        return written;
      });
      await this.stored(path, piecePath);
      return result;
    } finally {
      await this.files.delete(piecePath);
    }
  }

  private entry(path: string, size: number) {
    const { folder, madeAt } = this.place;
    return { path: `${folder}/${path}`, size, modifiedAt: madeAt };
  }
}

async function* single(content: Buffer): AsyncIterable<Buffer> {
  yield content;
}
