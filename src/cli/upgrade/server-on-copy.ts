import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CommandRefused } from '../../platform/operator/operator-commands';
import type { DatabaseCopy } from './database-copy';

const READY_MS = 120_000;
const LOOK_EVERY_MS = 50;
const STOP_MS = 20_000;

/** The end of a server's output is enough to show why it ended. */
const MOST_OUTPUT = 64 * 1024;

/** Starts a server of this release. */
const THIS_RELEASE = [process.execPath, join(__dirname, '..', 'main.js'), 'serve'] as const;

/** A server on the copy of a database. */
export class ServerOnCopy {
  private output = '';
  private readonly child: ChildProcess;
  private hasEnded = false;
  private readonly ended: Promise<void>;

  private constructor(copy: DatabaseCopy, [command = '', ...args]: readonly string[]) {
    const stdio = ['ignore', 'pipe', 'pipe'] as const;
    // As under npx, it stops when this process ends for any reason.
    const env = { ...copy.environment, npm_lifecycle_event: 'npx' };
    this.child = spawn(command, args, { env, stdio: [...stdio] });
    if (this.child.pid !== undefined) copy.noteServer(this.child.pid);
    this.ended = new Promise((resolve) => {
      const end = () => {
        this.hasEnded = true;
        resolve();
      };
      // A program that cannot be started does not emit `exit`.
      this.child.once('exit', end).once('error', (error) => {
        this.output += error.message;
        end();
      });
    });
    for (const pipe of [this.child.stdout, this.child.stderr])
      pipe?.on('data', (chunk) => (this.output = (this.output + String(chunk)).slice(-MOST_OUTPUT)));
  }

  /** @throws CommandRefused if it does not start to serve */
  static async start(
    copy: DatabaseCopy,
    signal: AbortSignal,
    program: readonly string[] = THIS_RELEASE,
  ): Promise<ServerOnCopy> {
    const server = new ServerOnCopy(copy, program);
    try {
      await server.untilReady(signal);
      return server;
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  /** Its URL. */
  get site(): string | undefined {
    return /"address":"(http[^"]+)"/.exec(this.output)?.[1];
  }

  /** Stops it, by force if necessary. */
  async stop(): Promise<void> {
    this.child.kill('SIGTERM');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), STOP_MS);
    await this.ended;
    clearTimeout(timer);
  }

  private async untilReady(signal: AbortSignal): Promise<void> {
    const until = performance.now() + READY_MS;
    while (this.site === undefined) {
      signal.throwIfAborted();
      if (this.hasEnded || performance.now() > until) {
        const end = this.output.trim().split('\n').slice(-3).join('\n');
        throw new CommandRefused(`The server did not start on the copy:\n${end}`);
      }
      await pause(LOOK_EVERY_MS);
    }
  }
}
