import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Processes that decode pictures for servers in this one. */
export function pictureProcesses(): number[] {
  const threads = readdirSync('/proc/self/task');
  return threads
    .flatMap((thread) => readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' '))
    .filter((pid) => pid !== '')
    .map(Number)
    .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('picture-worker'));
}

/** The most memory that a process has had, in bytes. */
export function peakMemoryOf(pid: number): number {
  const [, kib] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) * 1024;
}

/** Begins to measure. @returns what tells the most memory that this process has had since more than it had then */
export function memoryWatch(): () => number {
  writeFileSync('/proc/self/clear_refs', '5');
  const before = peakMemoryOf(process.pid);
  return () => peakMemoryOf(process.pid) - before;
}

/** Keeps a process from going on, so that what it has begun does not end. @returns what lets it go on */
export function hold(pid: number | undefined): () => void {
  if (pid === undefined) throw new Error('There is no process to hold.');
  process.kill(pid, 'SIGSTOP');
  return () => process.kill(pid, 'SIGCONT');
}
