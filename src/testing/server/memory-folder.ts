import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NAME = 'parley-test';

/**
 * A folder for what happens to one server: in memory where the system has a place for that, or else among temporary files.
 * Those of servers that were killed go, since they could not remove their own.
 */
export function makeMemoryFolder(place = memoryPlace()): string {
  removeAbandoned(place);
  return mkdtempSync(join(place, `${NAME}-${processSpace()}-${process.pid}-`));
}

function memoryPlace(): string {
  return process.platform === 'linux' && existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
}

function removeAbandoned(place: string): void {
  for (const name of readdirSync(place)) {
    const [, space, pid] = new RegExp(`^${NAME}-(\\d+)-(\\d+)-\\w+$`).exec(name) ?? [];
    if (space !== processSpace() || isAlive(Number(pid))) continue;
    try {
      rmSync(join(place, name), { recursive: true, force: true });
    } catch {
      // It belongs to another user.
    }
  }
}

/** Containers may share the place, and a number means another process in each of them. */
function processSpace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
  } catch {
    return '0';
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Processes of others are there as well.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
