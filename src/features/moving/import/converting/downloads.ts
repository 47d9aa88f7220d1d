import { createWriteStream } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { ConvertedArchive, FilePlace } from './converted-archive';
import { literal } from './markdown';
import { ArchiveFolder } from '../../../../platform/archives/archive-folder';
import { CommandRefused, type OperatorContext } from '../../../../platform/operator/operator-commands';
import type { AddressRules } from '../../../../platform/outbound/address-rules';
import {
  download,
  type DownloadAnswer,
  OutboundFailure,
} from '../../../../platform/outbound/outbound-request';
import { shownName, urlName } from '../../../uploads/uploads.module';

/** A file to download. */
export interface WantedFile {
  /** Consists of letters, digits and `-`. */
  readonly id: string;
  readonly url: string;
  /** Size according to the export; null if unknown. */
  readonly size: number | null;
  /** Whether the file may be HTML. If not, HTML means that the link has expired. */
  readonly isPage: boolean;
}

const AT_ONCE = 4;
const TIMEOUT_MS = 10 * 60 * 1000;
const MAX_BYTES = 5 * 1024 ** 3;
const ATTEMPTS = 5;
const LONGEST_WAIT_SECONDS = 120;
/** Maximum number of consecutive transient failures. */
const MOST_FAILURES = 20;

const FOLDER = 'import-downloads';

/** Local errors, which must not be reported as failed downloads. */
const OF_THE_DISK = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EIO', 'EMFILE']);

/** Restrictions on downloads. */
interface DownloadRules {
  /** Private networks that downloads may reach. */
  readonly addresses: AddressRules;
  /** Whether a URL, including one of a redirect, may be requested. */
  readonly isAllowedHost: (url: URL) => boolean;
  /** False once the import has begun to write: further files would not match the stored rows. */
  readonly mayAsk: boolean;
}

/** Downloads the files of an export, and keeps them until the import ends, so that no run downloads a file again. */
export class Downloads {
  private readonly folder: ArchiveFolder;
  private failures = 0;

  private constructor(
    private readonly root: string,
    private readonly rules: DownloadRules,
    private readonly context: OperatorContext,
  ) {
    this.folder = new ArchiveFolder(root);
  }

  /** @param digest digest of the export; downloads of other exports are removed */
  static async of(
    dataDir: string,
    digest: string,
    rules: DownloadRules,
    context: OperatorContext,
  ): Promise<Downloads> {
    const folder = join(dataDir, FOLDER);
    await fs.mkdir(join(folder, digest), { recursive: true, mode: 0o700 });
    for (const name of await fs.readdir(folder))
      if (name !== digest) await fs.rm(join(folder, name), { recursive: true, force: true });
    return new Downloads(join(folder, digest), rules, context);
  }

  static async remove(dataDir: string): Promise<void> {
    await fs.rm(join(dataDir, FOLDER), { recursive: true, force: true });
  }

  /**
   * Downloads all files.
   * @param failed called for each failure
   * @throws CommandRefused if downloads keep failing
   */
  async fetch(
    wanted: readonly WantedFile[],
    failed: (id: string, reason: string) => void,
  ): Promise<Map<string, FilePlace>> {
    const found = new Map<string, FilePlace>();
    const { signal, report } = this.context;
    let next = 0;
    let done = 0;
    const work = async () => {
      for (;;) {
        const file = wanted[next++];
        if (file === undefined) return;
        signal.throwIfAborted();
        const failure = await this.one(file);
        if (failure === null) found.set(file.id, { folder: this.folder, path: file.id });
        else failed(file.id, failure);
        report({ done: ++done, total: wanted.length, what: 'files' });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return found;
  }

  /** @returns the reason for a failure; null on success */
  private async one(file: WantedFile): Promise<string | null> {
    const path = join(this.root, file.id);
    if ((await this.folder.file(file.id)) !== null) return null;
    if (!this.rules.mayAsk) return 'Not downloaded before the import began.';
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await this.ask(file, `${path}.part`);
        const isPassing = answer.status === 429 || answer.status >= 500;
        if (!isPassing) this.failures = 0;
        if (answer.status === 200) {
          await fs.rename(`${path}.part`, path);
          return null;
        }
        if (!isPassing || attempt === ATTEMPTS)
          return this.failure(`The server returned HTTP ${answer.status}.`, isPassing);
        await this.wait(answer.retryAfter ?? 2 ** attempt);
      } catch (error) {
        this.context.signal.throwIfAborted();
        if (error instanceof WrongContent) return error.message;
        if (!(error instanceof OutboundFailure)) throw error;
        if (error.isFinal || attempt === ATTEMPTS)
          return this.failure(`Download failed: ${error.message}.`, !error.isFinal);
        await this.wait(2 ** attempt);
      }
    }
  }

  private failure(reason: string, isPassing: boolean): string {
    if (isPassing && ++this.failures === MOST_FAILURES)
      throw new CommandRefused(
        `Downloads keep failing. ${reason} Run the same command again later; completed downloads are kept.`,
      );
    return reason;
  }

  private ask({ url, size, isPage }: WantedFile, path: string): Promise<DownloadAnswer> {
    const { isAllowedHost, addresses } = this.rules;
    const request = { url, isAllowedHost, timeoutMs: TIMEOUT_MS, signal: this.context.signal };
    let wrong: WrongContent | null = null;
    let broken: Error | null = null;
    const refuse = (reason: string) => (wrong = new WrongContent(reason));
    return download(request, addresses, async (body, contentType) => {
      if (!isPage && contentType.startsWith('text/html'))
        throw refuse('Received a web page instead of the file; the link has expired.');
      let bytes = 0;
      const counting = new Transform({
        transform(chunk: Buffer, _, done) {
          bytes += chunk.length;
          done(bytes > MAX_BYTES ? refuse('It is too large.') : null, chunk);
        },
      });
      await pipeline(Readable.from(body), counting, createWriteStream(path, { mode: 0o600 })).catch(
        (error: NodeJS.ErrnoException) => {
          if (OF_THE_DISK.has(error.code ?? '')) broken = error;
          throw error;
        },
      );
      if (size !== null && size > 0 && bytes !== size) throw refuse('The size differs from the export.');
    }).catch((error: unknown) => {
      throw wrong ?? broken ?? error;
    });
  }

  private async wait(seconds: number): Promise<void> {
    const { signal } = this.context;
    await delay(Math.min(seconds, LONGEST_WAIT_SECONDS) * 1000, undefined, { signal });
  }
}

class WrongContent extends Error {}

/** A file to share. */
interface FileToShare {
  /** Identifies the file in the ledger. */
  readonly sourceId: string;
  /** Identifies the file in upload paths; consists of letters, digits and `-`. */
  readonly pathId: string;
  readonly title: string;
  readonly fileName: string;
  readonly ownerId: number;
  /** UNIX seconds. */
  readonly createdAt: number;
  readonly contentType: string | null;
  readonly place: FilePlace;
}

/** An upload of the converted archive. */
export interface SharedFile {
  /** Markdown that links to the upload. */
  readonly link: string;
  /** IDs of the messages that contain the link. */
  readonly messages: Set<number>;
}

/** Uploads of the converted archive, each stored once. */
export class SharedFiles {
  private readonly files = new Map<string, SharedFile & { readonly row: object }>();

  constructor(private readonly builder: ConvertedArchive) {}

  /** Adds a file, unless it was shared before. */
  share(file: FileToShare): SharedFile {
    const known = this.files.get(file.pathId);
    if (known) return known;
    const fileName = shownName(file.fileName);
    const path = `0/${file.pathId}/${urlName(fileName)}`;
    const label = literal(file.title.replace(/\s+/g, ' ')).replaceAll('[', '&#91;').replaceAll(']', '&#93;');
    const row = {
      ...{ id: this.files.size + 1, source_id: file.sourceId, file_name: fileName, path_id: path },
      ...{ owner: file.ownerId, create_time: file.createdAt, content_type: file.contentType },
    };
    this.builder.upload(path, file.place);
    const shared = { row, messages: new Set<number>(), link: `[${label}](/user_uploads/${path})` };
    this.files.set(file.pathId, shared);
    return shared;
  }

  write(): void {
    for (const { row, messages } of this.files.values())
      this.builder.attachment({ ...row, messages: [...messages], scheduled_messages: [] });
  }
}
