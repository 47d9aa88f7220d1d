import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type DataSource, QueryFailedError, QueryResult, type QueryRunner } from 'typeorm';
import { ServerBusy, RequestTookTooLong } from '../../errors/request.errors';
import { ReadThreadEnded, ReadThreadReplaced } from '../database.errors';
import { interceptQueries } from '../query-runner';
import type { DatabasePlace } from './sqlite-file';
import type { End, ReadAnswer, ReadRequest, ReadWorkerData, Ready, StartedWith } from './sqlite-read-worker';

/** Further statements are refused; with this many waiting, answers take minutes. */
const MAX_WAITING = 5_000;

/** Maximum number of abandoned threads that still run: nothing can stop an SQLite statement from outside. */
const MAX_GIVEN_UP = 2;

/** The worker's file, in the same language as this one: TypeScript in tests, JavaScript in a build. */
const extension = extname(__filename);
const WORKER_FILE = join(__dirname, `sqlite-read-worker${extension}`);
const WORKER_OPTIONS = { execArgv: extension === '.ts' ? ['-r', 'tsx/cjs'] : [] };

/** Runs statements in a separate thread, which starts when first needed. */
export class SqliteReadThread {
  private current: RunningReadThread | undefined;
  private readonly givenUp = new Set<Promise<void>>();
  private isClosed = false;

  /**
   * @param place throws if the file was replaced: the thread opens it by name on its first read
   * @param limitMs a statement that takes longer is abandoned together with its thread; no limit if omitted
   */
  constructor(
    private readonly data: ReadWorkerData,
    private readonly place: DatabasePlace,
    private readonly limitMs?: number,
  ) {}

  /**
   * The running thread; after a crash, a new one.
   * @throws {ReadThreadEnded} when the database is closed
   * @throws {DatabaseFileGone}
   * @throws {ServerBusy} while too many abandoned threads still run
   */
  running(): RunningReadThread {
    if (this.isClosed) throw new ReadThreadEnded(new Error('The database is closed.'));
    this.place.assertInPlace();
    if (!this.current || this.current.hasEnded) {
      if (this.givenUp.size >= MAX_GIVEN_UP) throw new ServerBusy();
      this.current = new RunningReadThread(this.data, this.limitMs, (exited) => {
        this.givenUp.add(exited);
        void exited.then(() => this.givenUp.delete(exited));
      });
    }
    return this.current;
  }

  /**
   * Runs a statement after earlier ones, whether or not those succeed.
   * @throws {RequestTookTooLong} when it exceeds the limit
   */
  async query(text: string, values?: readonly unknown[]): Promise<object[]> {
    for (;;) {
      try {
        return await this.running().query(0, text, values);
      } catch (error) {
        if (!(error instanceof ReadThreadReplaced)) throw error;
      }
    }
  }

  /** Answers pending statements, then ends the thread. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.current?.close();
    await Promise.all(this.givenUp);
  }
}

interface Waiting {
  readonly request: ReadRequest;
  readonly resolve: (rows: Record<string, unknown>[]) => void;
  readonly reject: (error: unknown) => void;
}

/** One thread, from start to end. */
export class RunningReadThread {
  private readonly worker: Worker;
  private readonly waiting = new Map<number, Waiting>();
  private readonly exited: Promise<void>;
  private cause: ReadThreadEnded | undefined;
  private lastId = 0;
  private readonly isGivenUp = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  private isReady = false;
  private timer: NodeJS.Timeout | undefined;

  /** @param onGivenUp receives a promise that resolves once the thread is gone */
  constructor(
    data: ReadWorkerData,
    private readonly limitMs?: number,
    private readonly onGivenUp?: (exited: Promise<void>) => void,
  ) {
    const workerData: StartedWith = { ...data, givenUp: this.isGivenUp };
    this.worker = new Worker(WORKER_FILE, { ...WORKER_OPTIONS, workerData });
    this.worker.on('message', (message: ReadAnswer | Ready) => {
      if (message !== 'ready') return this.take(message);
      this.isReady = true;
      this.begin();
    });
    this.worker.on('error', (error) => this.end(error));
    this.worker.on('messageerror', (error) => {
      this.end(error);
      void this.worker.terminate();
    });
    this.exited = new Promise((resolve) => {
      this.worker.on('exit', (code) => {
        this.end(new Error(`It exited unexpectedly with code ${code}.`));
        resolve();
      });
    });
    this.worker.unref();
  }

  get hasEnded(): boolean {
    return this.cause !== undefined;
  }

  /**
   * Runs a statement after earlier ones.
   * @param slot selects the connection of the thread
   * @throws {RequestTookTooLong} when it exceeds the limit
   * @throws {ReadThreadReplaced} when an earlier one does
   * @throws {ReadThreadEnded} when the thread ends before it answers
   */
  async query(slot: number, text: string, values: readonly unknown[] = []): Promise<object[]> {
    if (this.cause) throw this.cause;
    if (this.waiting.size >= MAX_WAITING) throw new ServerBusy();
    const request = { id: ++this.lastId, slot, text, values };
    return new Promise((resolve, reject) => {
      this.worker.postMessage(request);
      this.waiting.set(request.id, { request, resolve, reject });
      if (this.waiting.size === 1) this.begin();
    });
  }

  async close(): Promise<void> {
    if (!this.hasEnded) {
      this.worker.ref();
      this.worker.postMessage('end' satisfies End);
    }
    await this.exited;
  }

  private take(answer: ReadAnswer): void {
    const waiting = this.waiting.get(answer.id);
    this.waiting.delete(answer.id);
    this.begin();
    if (!waiting) return;
    if ('rows' in answer) {
      waiting.resolve(withBuffers(answer.rows, answer.blobColumns));
    } else {
      const { message, code } = answer.error;
      const { text, values } = waiting.request;
      waiting.reject(new QueryFailedError(text, [...values], Object.assign(new Error(message), { code })));
    }
  }

  /** Called when the thread starts the next queued statement, if any: its time limit starts. */
  private begin(): void {
    clearTimeout(this.timer);
    const [id] = this.waiting.keys();
    // An otherwise idle process stays alive for pending answers, but not for the thread.
    if (id === undefined) return this.worker.unref();
    this.worker.ref();
    if (this.limitMs === undefined || !this.isReady) return;
    // The answer may have arrived while this thread was too busy to read it.
    const look = () => setImmediate(() => this.waiting.has(id) && this.giveUp(id));
    this.timer = setTimeout(look, this.limitMs).unref();
  }

  private giveUp(id: number): void {
    const late = this.waiting.get(id);
    this.waiting.delete(id);
    late?.reject(new RequestTookTooLong());
    this.cause ??= new ReadThreadReplaced(new Error('A statement took too long.'));
    this.end(this.cause);
    this.onGivenUp?.(this.exited);
    // Not `terminate`: in the middle of a statement, it makes the driver crash the process.
    Atomics.store(this.isGivenUp, 0, 1);
    this.worker.postMessage('end' satisfies End);
  }

  /** Fails all pending requests. */
  private end(error: unknown): void {
    clearTimeout(this.timer);
    this.cause ??= new ReadThreadEnded(error);
    for (const { reject } of this.waiting.values()) reject(this.cause);
    this.waiting.clear();
  }
}

function withBuffers(
  rows: Record<string, unknown>[],
  blobColumns: readonly string[],
): Record<string, unknown>[] {
  for (const name of blobColumns) {
    for (const row of rows) {
      const bytes = row[name];
      if (bytes instanceof Uint8Array)
        row[name] = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }
  }
  return rows;
}

/** A query runner whose statements run elsewhere; entity repositories work on it as usual. */
export function threadRunner(
  source: DataSource,
  run: (text: string, values: readonly unknown[]) => Promise<object[]>,
): QueryRunner {
  return interceptQueries(source.createQueryRunner(), async (text, values, isStructured) => {
    const rows = await run(text, values);
    return isStructured ? Object.assign(new QueryResult(), { raw: rows, records: rows }) : rows;
  });
}
