import { createWriteStream } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ArchiveFolder } from '../../../platform/archives/archive-folder';
import type { OperatorContext } from '../../../platform/operator/operator-command';
import { AddressRules } from '../../../platform/outbound/address-rules';
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

/** The internet alone: an export may name any address. */
const RULES = new AddressRules([]);

/** Fetches files of an export, and keeps them until the import is over, so that one that is cut off fetches none twice. */
export class Downloads {
  private readonly folder: ArchiveFolder;

  private constructor(
    private readonly root: string,
    private readonly isAllowedHost: (url: URL) => boolean,
    private readonly context: OperatorContext,
  ) {
    this.folder = new ArchiveFolder(root);
  }

  /** @param isAllowedHost whether an address, also of a redirect, may be asked */
  static async of(
    dataDir: string,
    isAllowedHost: (url: URL) => boolean,
    context: OperatorContext,
  ): Promise<Downloads> {
    const root = join(dataDir, 'import-downloads');
    await fs.mkdir(root, { recursive: true, mode: 0o700 });
    return new Downloads(root, isAllowedHost, context);
  }

  static async remove(dataDir: string): Promise<void> {
    await fs.rm(join(dataDir, 'import-downloads'), { recursive: true, force: true });
  }

  /** Fetches all of them. @param failed told which did not come, and why */
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
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await this.ask(file, `${path}.part`);
        if (answer.status === 200) {
          await fs.rename(`${path}.part`, path);
          return null;
        }
        const isPassing = answer.status === 429 || answer.status >= 500;
        if (!isPassing || attempt === ATTEMPTS) return `The answer was ${answer.status}.`;
        await this.wait(answer.retryAfter ?? 2 ** attempt);
      } catch (error) {
        this.context.signal.throwIfAborted();
        if (error instanceof WrongContent) return error.message;
        if (!(error instanceof OutboundFailure)) throw error;
        if (error.isFinal || attempt === ATTEMPTS) return `It could not be fetched: ${error.message}.`;
        await this.wait(2 ** attempt);
      }
    }
  }

  private ask({ url, size, isPage }: WantedFile, path: string): Promise<DownloadAnswer> {
    const { isAllowedHost } = this;
    const request = { url, isAllowedHost, timeoutMs: TIMEOUT_MS, signal: this.context.signal };
    let wrong: WrongContent | null = null;
    const refuse = (reason: string) => (wrong = new WrongContent(reason));
    return download(request, RULES, async (body, contentType) => {
      if (!isPage && contentType.startsWith('text/html'))
        throw refuse('A page came in its place: the address is no longer valid.');
      let bytes = 0;
      const counting = new Transform({
        transform(chunk: Buffer, _, done) {
          bytes += chunk.length;
          done(bytes > MAX_BYTES ? refuse('It is too large.') : null, chunk);
        },
      });
      await pipeline(Readable.from(body), counting, createWriteStream(path, { mode: 0o600 }));
      if (size !== null && size > 0 && bytes !== size)
        throw refuse('It has another size than the export says.');
    }).catch((error: unknown) => {
      throw wrong ?? error;
    });
  }

  private async wait(seconds: number): Promise<void> {
    const { signal } = this.context;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.min(seconds, LONGEST_WAIT_SECONDS) * 1000);
      signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
    });
  }
}

class WrongContent extends Error {}
