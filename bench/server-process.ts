import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Folder where servers write a CPU profile when they stop (`.cpuprofile`, for Chromium's developer tools). */
const { BENCH_PROFILE: PROFILES } = process.env;

/** A server in a separate process, with its resource usage as the system reports it. */
export class ServerProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
    /** From starting the process to its first response. */
    readonly startMs: number,
  ) {}

  static async start(
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    port: number,
    path: string,
  ): Promise<ServerProcess> {
    const began = performance.now();
    const profiling = PROFILES ? ['--cpu-prof', `--cpu-prof-dir=${PROFILES}`] : [];
    const child = spawn(process.execPath, [...profiling, ...args], {
      env: { PATH: process.env.PATH ?? '', ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const url = `http://127.0.0.1:${port}`;
    for (;;) {
      if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}.`);
      const answered = await fetch(url + path).then(
        () => true,
        () => false,
      );
      if (answered) return new ServerProcess(child, url, performance.now() - began);
      await sleep(5);
    }
  }

  /** CPU time used so far, in microseconds. */
  cpuMicroseconds(): number {
    return cpuMicrosecondsOf(this.child.pid as number);
  }

  /** The same for only the thread that answers requests. */
  mainMicroseconds(): number {
    const { pid } = this.child;
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1000;
  }

  /** Resident memory, in MiB. */
  residentMib(): number {
    const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGTERM');
    await ended;
  }
}

/**
 * CPU time of a process so far, in microseconds. Linux's scheduler accounts for threads in nanoseconds, and for
 * processes only in hundredths of a second.
 */
export function cpuMicrosecondsOf(pid: number): number {
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  );
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1000;
}
