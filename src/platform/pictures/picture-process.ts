import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Logger } from '@nestjs/common';
import { ServerBusy } from '../errors/request.errors';
import { PictureTakesTooLong, PictureTakesTooMuch } from './pictures.errors';
import type { PictureAnswer, PictureRequest, WorkerReady } from './picture-worker';

/** Writable memory, a fifth of which Node and the libraries take. Mapped files do not count. */
const MAX_MEMORY_KIB = 448 * 1024;

/** Generous, for a busy machine. */
const MAX_START_MS = 60_000;

/** Idle time after which the process ends. */
const IDLE_MS = 60_000;

/** The worker's file, in the same language as this one: TypeScript in tests, JavaScript in a build. */
const extension = extname(__filename);
const WORKER_FILE = join(__dirname, `picture-worker${extension}`);
/**
 * Node 24 reserves 512 MiB of writable memory for compiled code, more than the limit. libvips does the work, so JIT is
 * disabled.
 */
const NODE_OPTIONS = ['--jitless', ...(extension === '.ts' ? ['-r', 'tsx/cjs'] : [])];

/** Node cannot set resource limits for a child; the shell can. No core dumps: allocation failures may abort. */
const COMMAND = `ulimit -d ${MAX_MEMORY_KIB}; ulimit -c 0; exec "$0" "$@"`;

/**
 * A child process that decodes pictures, one at a time, with bounded memory and time: libvips runs in native threads
 * that cannot be stopped in-process. It starts on demand, restarts after a crash or kill, and ends when idle.
 */
export class PictureProcess {
  private readonly logger = new Logger('Pictures');
  private child: ChildProcess | undefined;
  private idle: NodeJS.Timeout | undefined;
  private isClosed = false;

  /**
   * Sends a request and waits for its answer. Calls must not overlap.
   * @param maxMs time limit, counted once the process is ready
   * @throws PictureTakesTooLong, PictureTakesTooMuch when the process dies, ServerBusy when it does not start
   */
  async ask(request: PictureRequest, maxMs: number): Promise<PictureAnswer> {
    clearTimeout(this.idle);
    const child = await this.running();
    child.ref();
    child.channel?.ref();
    const control = new AbortController();
    const timeout = setTimeout(() => control.abort(), maxMs);
    try {
      const answer = this.answerOf<PictureAnswer>(child, control.signal);
      child.send(request, () => undefined);
      return await answer;
    } catch (error) {
      this.end();
      if (this.isClosed) throw new ServerBusy();
      if (control.signal.aborted) throw new PictureTakesTooLong();
      this.logger.warn(`The image decoder crashed on an image: ${(error as Error).message}.`);
      throw new PictureTakesTooMuch();
    } finally {
      clearTimeout(timeout);
      child.unref();
      child.channel?.unref();
      this.idle = setTimeout(() => this.end(), IDLE_MS).unref();
    }
  }

  /** Ends the process; later requests fail. */
  close(): void {
    this.isClosed = true;
    clearTimeout(this.idle);
    this.end();
  }

  private async running(): Promise<ChildProcess> {
    if (this.isClosed) throw new ServerBusy();
    if (this.child) return this.child;
    const child = (this.child = start());
    child.once('exit', () => {
      if (this.child === child) this.child = undefined;
    });
    try {
      await this.answerOf(child, AbortSignal.timeout(MAX_START_MS));
      return child;
    } catch (error) {
      this.end();
      if (!this.isClosed) this.logger.error(`Cannot start an image decoder: ${(error as Error).message}.`);
      throw new ServerBusy();
    }
  }

  /** The next message. Rejects when the process exits first. */
  private async answerOf<T extends PictureAnswer | WorkerReady>(
    child: ChildProcess,
    signal: AbortSignal,
  ): Promise<T> {
    const done = new AbortController();
    const ended = once(child, 'exit', { signal: done.signal }).then(([code, by]) => {
      throw new Error(by === null ? `code ${code}` : String(by));
    });
    const message = once(child, 'message', { signal: AbortSignal.any([signal, done.signal]) });
    try {
      const [answer] = (await Promise.race([message, ended])) as [T];
      return answer;
    } finally {
      done.abort();
      message.catch(() => undefined);
      ended.catch(() => undefined);
    }
  }

  private end(): void {
    this.child?.kill('SIGKILL');
    this.child = undefined;
  }
}

function start(): ChildProcess {
  const child = spawn(
    '/bin/sh',
    ['-c', COMMAND, process.execPath, ...NODE_OPTIONS, WORKER_FILE],
    // The server's environment contains secrets.
    { env: {}, stdio: ['ignore', 'ignore', 'inherit', 'ipc'], serialization: 'advanced' },
  );
  child.on('error', () => undefined);
  return child;
}
