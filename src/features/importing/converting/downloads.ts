import { createWriteStream } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { ArchiveFolder } from '../../../platform/archives/archive-folder';
import { CommandRefused, type OperatorContext } from '../../../platform/operator/operator-command';
import type { AddressRules } from '../../../platform/outbound/address-rules';
import { download, type DownloadAnswer, OutboundFailure } from '../../../platform/outbound/outbound-request';
import type { FilePlace } from './converted-archive';

/** A file to fetch. */
export interface WantedFile {
  /** Of letters, digits and `-`. */
  readonly id: string;
  readonly url: string;
  /** As the export says; null where it does not. */
  readonly size: number | null;
  /** Whether a page may come; where it may not, one says that the address is no longer valid. */
  readonly isPage: boolean;
}

const AT_ONCE = 4;
const TIMEOUT_MS = 10 * 60 * 1000;
const MAX_BYTES = 5 * 1024 ** 3;
const ATTEMPTS = 5;
const LONGEST_WAIT_SECONDS = 120;
/** Files one behind the other that may fail for reasons that pass. */
const MOST_FAILURES = 20;

const FOLDER = 'import-downloads';

/** Errors of the disk, for which no host is to blame. */
const OF_THE_DISK = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EIO', 'EMFILE']);

/** What may be asked. */
export interface DownloadRules {
  /** Networks that are not public, which an export may name as well. */
  readonly addresses: AddressRules;
  /** Whether an address, also of a redirect, may be asked. */
  readonly isAllowedHost: (url: URL) => boolean;
  /** False once the import has begun to write: it goes on with what had come by then, or it would not fit what is there. */
  readonly mayAsk: boolean;
}

/** Fetches files of an export, and keeps them until the import is over, so that one that is cut off fetches none twice. */
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

  /** @param digest of the export; what others had fetched is removed */
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

  /** Fetches all of them. @param failed told which did not come, and why @throws CommandRefused if nobody answers any more */
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

  /** @returns why it did not come; null where it did */
  private async one(file: WantedFile): Promise<string | null> {
    const path = join(this.root, file.id);
    if ((await this.folder.file(file.id)) !== null) return null;
    if (!this.rules.mayAsk) return 'It had not come when the import began.';
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
          return this.failure(`The answer was ${answer.status}.`, isPassing);
        await this.wait(answer.retryAfter ?? 2 ** attempt);
      } catch (error) {
        this.context.signal.throwIfAborted();
        if (error instanceof WrongContent) return error.message;
        if (!(error instanceof OutboundFailure)) throw error;
        if (error.isFinal || attempt === ATTEMPTS)
          return this.failure(`It could not be fetched: ${error.message}.`, !error.isFinal);
        await this.wait(2 ** attempt);
      }
    }
  }

  private failure(reason: string, isPassing: boolean): string {
    if (isPassing && ++this.failures === MOST_FAILURES)
      throw new CommandRefused(
        `Files cannot be fetched at present. ${reason} Run the same command again later; what has come is kept.`,
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
        throw refuse('A page came in its place: the address is no longer valid.');
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
      if (size !== null && size > 0 && bytes !== size)
        throw refuse('It has another size than the export says.');
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
