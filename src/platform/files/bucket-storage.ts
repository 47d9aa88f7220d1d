import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, openAsBlob } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Logger } from '@nestjs/common';
import type * as S3 from 's3mini' with { 'resolution-mode': 'import' };
import type { BucketAddress } from '../config/server-addresses';
import { codeOf } from '../config/start-refused';
import { FileStorageUnreachable } from '../errors/request.errors';
import {
  DRAFT_SUFFIX,
  draftFile,
  type FileRange,
  type FileStorage,
  type Filling,
  type StoredFile,
} from './file-storage';

/** How long the service may take to start its response; longer for uploads and for assembling parts. */
const PATIENCE_MS = 10_000;
const JOINING_MS = 300_000;
const SLOWEST_BYTES_PER_MS = 100;

/** Larger files are sent in parts of {@link PIECE_BYTES}, because the services accept at most 5 GiB at once. */
const WHOLE_BYTES = 1024 ** 3;
const PIECE_BYTES = 16 * 1024 ** 2;

/** Number of objects listed per response. */
const LISTED_AT_ONCE = 1_000;

/** A draft left behind by a killed process is removed once it is older than any upload takes. */
const DAY_MS = 24 * 3_600_000;
const STALE_MS = DAY_MS;

/** Header with the checksum that services compare with the received content, and return again. */
const CHECKSUM = 'x-amz-checksum-sha256';
const ALGORITHM = 'x-amz-sdk-checksum-algorithm';

/** Headers that keep everyone, including the bucket's owner, from deleting an object before a date. */
const LOCK_MODE = 'x-amz-object-lock-mode';
const LOCK_DATE = 'x-amz-object-lock-retain-until-date';
const COMPLIANCE = 'COMPLIANCE';

/**
 * Files as objects in a bucket, for nodes without a shared disk. Content is first written to the local disk in full, so
 * that an object appears complete and with its checksum, however slowly it arrived.
 */
export class BucketStorage implements FileStorage {
  readonly isShared = true;
  private readonly logger = new Logger('Files');
  private readonly client: S3.S3mini;
  private readonly prefix: string;
  private readonly draft: string;
  private isSwept = false;

  /**
   * @param drafts folder for incomplete files
   * @param lockDays for how many days nobody can delete a written object; 0 leaves that to the bucket
   */
  constructor(
    address: BucketAddress,
    private readonly drafts: string,
    private readonly lockDays = 0,
    /** Timeout for the start of a response, and for gaps within it. */
    private readonly patienceMs = PATIENCE_MS,
  ) {
    const { prefix, ...of } = address;
    this.prefix = prefix;
    this.draft = join(drafts, 'file');
    this.client = new (library().S3mini)({ ...of, minPartSize: PIECE_BYTES, fetch: fetchSoon });
  }

  async write<T>(path: string, fill: Filling<T>): Promise<T> {
    await this.makeRoom();
    return draftFile(this.draft, fill, async (draft, filled) => {
      await this.send(path, draft);
      return filled;
    });
  }

  async open(path: string, range?: FileRange): Promise<StoredFile | null> {
    const response = await this.ask(() =>
      this.client.getObjectRaw(
        this.prefix + path,
        range === undefined,
        range?.start,
        range && range.end + 1,
        {},
        // The library passes any headers on here.
        { 'x-amz-checksum-mode': 'ENABLED' } as never,
      ),
    );
    if (response === null) return null;
    const { headers, body } = response;
    const size = Number(headers.get('content-range')?.split('/')[1] ?? headers.get('content-length') ?? 0);
    const sum = range === undefined ? headers.get(CHECKSUM) : null;
    // For a file sent in parts, it is a checksum of checksums.
    const known = sum === null || sum.includes('-') ? null : sum;
    const content = new SumCheck(known, (reason) =>
      this.away(`${path} arrived incomplete or damaged (${reason})`),
    );
    const source = body ? Readable.fromWeb(body) : Readable.from([]);
    source.on('error', (error) => content.breakOff(reasonOf(error))).pipe(content);
    const watch = setInterval(() => content.requireProgress(), this.patienceMs);
    content.on('close', () => {
      clearInterval(watch);
      source.destroy();
    });
    return { size, content };
  }

  sizeOf(path: string): Promise<number | null> {
    return this.ask(() => this.client.getContentLength(this.prefix + path));
  }

  async remove(path: string): Promise<void> {
    await this.ask(() => this.client.deleteObject(this.prefix + path));
  }

  async paths(): Promise<string[]> {
    const found: string[] = [];
    let next: string | undefined;
    do {
      const page = await this.list(LISTED_AT_ONCE, next);
      for (const { Key } of page.objects ?? []) found.push(Key.slice(this.prefix.length));
      next = page.nextContinuationToken;
    } while (next !== undefined);
    return found.sort();
  }

  async lend<T>(path: string, use: (file: string) => Promise<T>): Promise<T> {
    await this.makeRoom();
    const stored = await this.open(path);
    if (stored === null) return use(join(this.drafts, 'missing'));
    return draftFile(this.draft, (sink) => pipeline(stored.content, sink), use);
  }

  /** Checks whether this server may list, write, read and delete: each is a separate permission. @throws FileStorageUnreachable */
  async probe(): Promise<void> {
    const path = `probe/${randomUUID()}`;
    await this.list(1);
    await this.write(path, (sink) => pipeline(['probe'], sink));
    await this.lend(path, () => Promise.resolve());
    await this.remove(path);
  }

  /** The date until which nobody can delete an object; null if it is not locked. @throws FileStorageUnreachable */
  async heldUntil(path: string): Promise<Date | null> {
    const response = await this.ask(() => this.client.getObjectRaw(this.prefix + path));
    await response?.body?.cancel();
    const date = response?.headers.get(LOCK_DATE) ?? null;
    return date === null || response?.headers.get(LOCK_MODE) !== COMPLIANCE ? null : new Date(date);
  }

  private async list(most: number, from?: string) {
    const page = await this.ask(() => this.client.listObjectsPaged('/', this.prefix, most, from));
    if (page) return page;
    throw this.away('there is no such bucket');
  }

  private async send(path: string, draft: string): Promise<void> {
    const content = await openAsBlob(draft);
    const key = this.prefix + path;
    if (content.size > WHOLE_BYTES) {
      await this.ask(() => this.sendPieces(key, content));
      return;
    }
    const sum = createHash('sha256');
    for await (const chunk of createReadStream(draft)) sum.update(chunk as Buffer);
    // For locked objects, services require the name of the algorithm as well.
    const headers = { [CHECKSUM]: sum.digest('base64'), [ALGORITHM]: 'SHA256', ...this.lock() };
    await this.ask(() => this.client.putObject(key, content, undefined, undefined, headers));
  }

  private async sendPieces(key: string, content: Blob): Promise<void> {
    if (this.lockDays === 0) return void (await this.client.putAnyObject(key, content));
    // The library would send the lock with every part, for which services expect a checksum instead.
    const id = await this.client.getMultipartUploadId(key, undefined, undefined, this.lock());
    try {
      const pieces: S3.UploadPart[] = [];
      for (let at = 0; at < content.size; at += PIECE_BYTES) {
        const piece = Buffer.from(await content.slice(at, at + PIECE_BYTES).arrayBuffer());
        const headers = { 'content-md5': createHash('md5').update(piece).digest('base64') };
        pieces.push(await this.client.uploadPart(key, id, piece, pieces.length + 1, {}, undefined, headers));
      }
      await this.client.completeMultipartUpload(key, id, pieces);
    } catch (error) {
      await this.client.abortMultipartUpload(key, id).catch(() => undefined);
      throw error;
    }
  }

  private lock(): Readonly<Record<string, string>> {
    if (this.lockDays === 0) return {};
    const until = new Date(Date.now() + this.lockDays * DAY_MS);
    return { [LOCK_MODE]: COMPLIANCE, [LOCK_DATE]: until.toISOString() };
  }

  /** @returns null if the service reports that the object does not exist. @throws FileStorageUnreachable */
  private async ask<T>(request: () => Promise<T>): Promise<T | null> {
    try {
      return await request();
    } catch (error) {
      const { status, serviceCode } = serviceError(error);
      if (status === 404 && serviceCode !== 'NoSuchBucket') return null;
      throw this.away(reasonOf(error));
    }
  }

  /** Without the cause, which looks like that of an unavailable database. */
  private away(reason: string): FileStorageUnreachable {
    this.logger.error(`Files cannot be reached: ${reason}.`);
    return new FileStorageUnreachable(reason);
  }

  /** Creates the folder of drafts, and the first time removes leftovers. */
  private async makeRoom(): Promise<void> {
    await fs.mkdir(this.drafts, { recursive: true, mode: 0o700 });
    if (this.isSwept) return;
    this.isSwept = true;
    for (const name of await fs.readdir(this.drafts)) {
      const file = join(this.drafts, name);
      const { mtimeMs } = await fs.stat(file).catch(() => ({ mtimeMs: Infinity }));
      if (name.endsWith(DRAFT_SUFFIX) && Date.now() - mtimeMs > STALE_MS) await fs.rm(file, { force: true });
    }
  }
}

/** An ES module, which the compiler does not let a CommonJS module import. */
function library(): typeof S3 {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- see above
  return require('s3mini') as typeof S3;
}

/** Gives up on a service that does not start its response; the body may take as long as its reader. */
async function fetchSoon(...[input, init]: Parameters<typeof fetch>): ReturnType<typeof fetch> {
  const body = init?.body;
  const sent =
    body instanceof Blob
      ? body.size
      : body instanceof ArrayBuffer || ArrayBuffer.isView(body)
        ? body.byteLength
        : 0;
  const giveUp = new AbortController();
  const patience = init?.method === 'POST' ? JOINING_MS : PATIENCE_MS + sent / SLOWEST_BYTES_PER_MS;
  const timer = setTimeout(() => giveUp.abort(), patience);
  try {
    return await fetch(input, { ...init, redirect: 'error', signal: giveUp.signal });
  } finally {
    clearTimeout(timer);
  }
}

/** Withholds the last piece until the content matches its checksum. */
class SumCheck extends Transform {
  private readonly sum = createHash('sha256');
  private held: Buffer | null = null;
  private hasArrived = true;

  /**
   * @param expected the checksum; null if unknown
   * @param failure creates the error for a reason
   */
  constructor(
    private readonly expected: string | null,
    private readonly failure: (reason: string) => Error,
  ) {
    super();
  }

  /** Called if the source ended before the content did. */
  breakOff(reason: string): void {
    this.destroy(this.failure(reason));
  }

  /** Aborts if nothing has arrived since the last call although the reader was waiting. */
  requireProgress(): void {
    const isReaderSlow = this.readableLength > 0 || this.writableNeedDrain;
    if (!this.hasArrived && !isReaderSlow) this.breakOff('the service stopped sending');
    this.hasArrived = false;
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    this.hasArrived = true;
    if (this.expected !== null) this.sum.update(chunk);
    const before = this.held;
    this.held = chunk;
    done(null, before);
  }

  override _flush(done: TransformCallback): void {
    const isRight = this.expected === null || this.sum.digest('base64') === this.expected;
    if (isRight) done(null, this.held);
    else done(this.failure('its checksum does not match'));
  }
}

/** The service's error; the library wraps some of its own. */
function serviceError(error: unknown): { readonly status?: number; readonly serviceCode?: string } {
  const { status, cause } = error as { status?: number; cause?: unknown };
  return status === undefined && typeof cause === 'object' && cause !== null ? cause : (error as object);
}

/** One line without URLs, which may contain credentials. */
function reasonOf(error: unknown): string {
  const { status, serviceCode } = serviceError(error);
  if (status !== undefined) return `status ${status}${serviceCode === undefined ? '' : `, ${serviceCode}`}`;
  const { name, cause } = error as { name?: string; cause?: unknown };
  return name === 'AbortError' ? 'it does not answer' : codeOf(cause ?? error);
}
