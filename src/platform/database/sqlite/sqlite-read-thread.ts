import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type DataSource, QueryFailedError, QueryResult, type QueryRunner } from 'typeorm';
import { ServerBusy } from '../../errors/request.errors';
import { ReadThreadEnded } from '../database.errors';
import { interceptQueries } from '../query-runner';
import type { End, ReadAnswer, ReadRequest, ReadWorkerData } from './sqlite-read-worker';

/** Further statements are refused; by then those that wait take minutes. */
const MAX_WAITING = 5_000;

/** Beside this file, and in its language: TypeScript under a test runner, JavaScript in a build. */
const extension = extname(__filename);
const WORKER_FILE = join(__dirname, `sqlite-read-worker${extension}`);
const WORKER_OPTIONS = { execArgv: extension === '.ts' ? ['-r', 'ts-node/register/transpile-only'] : [] };

/** Statements that run in a thread of their own. It starts when it is first needed. */
export class SqliteReadThread {
  private current: RunningReadThread | undefined;
  private isClosed = false;

  /** @param assertInPlace throws where the file is another one: the thread opens it by its name, when it first reads */
  constructor(
    private readonly data: ReadWorkerData,
    private readonly assertInPlace: () => void,
  ) {}

  /**
   * The thread as it runs now; after a crash, a new one.
   * @throws {ReadThreadEnded} when the database is closed
   * @throws {DatabaseFileGone}
   */
  running(): RunningReadThread {
    if (this.isClosed) throw new ReadThreadEnded(new Error('The database is closed.'));
    this.assertInPlace();
    if (!this.current || this.current.hasEnded) this.current = new RunningReadThread(this.data);
    return this.current;
  }

  /** Answers what was asked, then ends the thread. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.current?.close();
  }
}

interface Waiting {
  readonly request: ReadRequest;
  readonly resolve: (rows: Record<string, unknown>[]) => void;
  readonly reject: (error: unknown) => void;
}

/** One thread from its start to its end. */
export class RunningReadThread {
  private readonly worker: Worker;
  private readonly waiting = new Map<number, Waiting>();
  private readonly exited: Promise<void>;
  private cause: ReadThreadEnded | undefined;
  private lastId = 0;

  constructor(workerData: ReadWorkerData) {
    this.worker = new Worker(WORKER_FILE, { ...WORKER_OPTIONS, workerData });
    this.worker.on('message', (answer: ReadAnswer) => this.take(answer));
    this.worker.on('error', (error) => this.end(error));
    this.worker.on('messageerror', (error) => {
      this.end(error);
      void this.worker.terminate();
    });
    this.exited = new Promise((resolve) => {
      this.worker.on('exit', (code) => {
        this.end(new Error(`It ended by itself, with code ${code}.`));
        resolve();
      });
    });
    this.worker.unref();
  }

  get hasEnded(): boolean {
    return this.cause !== undefined;
  }

  /**
   * Runs a statement after those asked for before.
   * @param slot which connection of the thread
   * @throws {ReadThreadEnded} when the thread ends before it answers
   */
  async query(slot: number, text: string, values: readonly unknown[] = []): Promise<object[]> {
    if (this.cause) throw this.cause;
    if (this.waiting.size >= MAX_WAITING) throw new ServerBusy();
    const request = { id: ++this.lastId, slot, text, values };
    return new Promise((resolve, reject) => {
      this.worker.postMessage(request);
      this.waiting.set(request.id, { request, resolve, reject });
      // A process that has nothing else to do waits for answers, and not for the thread.
      if (this.waiting.size === 1) this.worker.ref();
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
    if (this.waiting.size === 0) this.worker.unref();
    if (!waiting) return;
    if ('rows' in answer) {
      waiting.resolve(withBuffers(answer.rows, answer.blobColumns));
    } else {
      const { message, code } = answer.error;
      const { text, values } = waiting.request;
      waiting.reject(new QueryFailedError(text, [...values], Object.assign(new Error(message), { code })));
    }
  }

  /** Nobody waits for an answer that no longer comes. */
  private end(error: unknown): void {
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

/** A query runner of a data source whose statements run elsewhere; entity repositories work on it as usual. */
export function threadRunner(
  source: DataSource,
  run: (text: string, values: readonly unknown[]) => Promise<object[]>,
): QueryRunner {
  return interceptQueries(source.createQueryRunner(), async (text, values, isStructured) => {
    const rows = await run(text, values);
    return isStructured ? Object.assign(new QueryResult(), { raw: rows, records: rows }) : rows;
  });
}
