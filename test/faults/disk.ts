import { execFileSync } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import type { Installation } from './installation';

/** Mounts a small disk on a folder, which is gone in the end. */
export function mountDisk(installation: Installation, folder: string, mebibytes: number): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=700`, 'tmpfs', folder]);
  installation.atEnd(() => execFileSync('umount', ['--lazy', folder]));
}

/** Writes until there is no room left. */
export function fill(path: string): void {
  const file = openSync(path, 'w');
  for (let size = 1_048_576; size >= 4_096; size /= 4) {
    const block = Buffer.alloc(size, 1);
    try {
      for (;;) writeSync(file, block);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
  closeSync(file);
}
