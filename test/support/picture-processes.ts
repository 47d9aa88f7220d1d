import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Processes that decode pictures for servers of this process. */
export function pictureProcesses(): number[] {
  const threads = readdirSync('/proc/self/task');
  return threads
    .flatMap((thread) => readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' '))
    .filter((pid) => pid !== '')
    .map(Number)
    .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('picture-worker'));
}

/** Peak memory of a process in bytes. */
export function peakMemoryOf(pid: number): number {
  const [, kib] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) * 1024;
}

/** Starts measuring. @returns a function that returns how much the peak memory of this process has grown */
export function memoryWatch(): () => number {
  writeFileSync('/proc/self/clear_refs', '5');
  const before = peakMemoryOf(process.pid);
  return () => peakMemoryOf(process.pid) - before;
}

/** Stops a process, so that its work does not end. @returns a function that resumes it */
export function hold(pid: number | undefined): () => void {
  if (pid === undefined) throw new Error('There is no process to hold.');
  process.kill(pid, 'SIGSTOP');
  return () => process.kill(pid, 'SIGCONT');
}
