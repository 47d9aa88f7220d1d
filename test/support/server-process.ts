import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

/** Start options of the process. */
export interface ServerProcessOptions {
  /** Environment variables; of the test's own, the process gets only `PATH`. */
  readonly env: Readonly<Record<string, string>>;
  /** Working directory; by default that of the test. */
  readonly folder?: string;
  /** Maximum number of file descriptors; by default that of the test. */
  readonly maxDescriptors?: number;
  /** User of the process; by default that of the test. */
  readonly user?: { readonly uid: number; readonly gid: number };
  /** Descriptor of a socket to listen on, passed as by systemd. */
  readonly socket?: number;
}

/** The server as a separate process, with its output. It listens on a free port unless `PORT` names one. */
export class ServerProcess {
  output = '';
  errors = '';
  private readonly child: ChildProcess;
  private readonly exited: Promise<unknown[]>;

  /**
   * @param program for Node to run
   * @param command to run instead of Node, if any
   */
  constructor(
    program: readonly string[],
    { env, folder, maxDescriptors, user, socket }: ServerProcessOptions,
    command = process.execPath,
  ) {
    const { PATH = '' } = process.env;
    const limit = maxDescriptors === undefined ? '' : `ulimit -n ${maxDescriptors} && `;
    const handOver = socket === undefined ? '' : 'LISTEN_FDS=${LISTEN_FDS:-1} LISTEN_PID=$$ ';
    this.child = spawn('/bin/sh', ['-c', `${limit}${handOver}exec "$0" "$@"`, command, ...program], {
      ...user,
      cwd: folder,
      env: { PATH, HOST: '127.0.0.1', PORT: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe', ...(socket === undefined ? [] : [socket])],
    });
    this.child.stdout?.on('data', (chunk) => (this.output += chunk));
    this.child.stderr?.on('data', (chunk) => (this.errors += chunk));
    this.exited = once(this.child, 'close');
  }

  /** @returns the URL in the server's startup message */
  async ready(): Promise<URL> {
    for (;;) {
      const address = /"address":"(http[^"]+)"/.exec(this.output);
      if (address?.[1]) return new URL(address[1]);
      if (!this.isRunning) throw new Error(`The server ended: ${this.errors}`);
      await pause(20);
    }
  }

  /** Resolves once the output contains the text, which may appear a moment after an answer. */
  async wrote(text: string | RegExp): Promise<void> {
    const isThere = () => (typeof text === 'string' ? this.output.includes(text) : text.test(this.output));
    while (!isThere()) {
      if (!this.isRunning) throw new Error(`The server ended: ${this.errors}`);
      await pause(20);
    }
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  signal(name: 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
    this.child.kill(name);
  }

  async exitCode(): Promise<number | null> {
    await this.exited;
    return this.child.exitCode;
  }
}
