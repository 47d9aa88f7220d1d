import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Linux counts processor time in hundredths of a second. */
const TICKS_A_SECOND = 100;

/** Where servers write a profile of their processor time (`.cpuprofile`, for the developer tools of Chromium) as they stop. */
const { BENCH_PROFILE: PROFILES } = process.env;

/** A server in a process of its own, with what the system says it used. */
export class ServerProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
    /** From starting the process to its first answer. */
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

  /** Processor time used so far, in microseconds. */
  cpuMicroseconds(): number {
    return cpuMicrosecondsOf(this.child.pid as number);
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

/** Processor time that a process has used so far, in microseconds. */
export function cpuMicrosecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return ((Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND) * 1e6;
}
