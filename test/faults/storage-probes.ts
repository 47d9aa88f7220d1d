import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whether this process may mount file systems. */
export const mayMount = (): boolean => inFolder(mountsIn);

/** Whether files can be made immutable here while they are open. */
export const makesImmutable = (): boolean => inFolder(makesImmutableIn);

/** Tries something out in a folder of its own. @returns false where it fails */
function inFolder(attempt: (folder: string) => boolean): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'parley-faults-'));
  try {
    return attempt(folder);
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function mountsIn(folder: string): boolean {
  run('mount', '-t', 'tmpfs', 'tmpfs', folder);
  run('umount', folder);
  return true;
}

function makesImmutableIn(folder: string): boolean {
  const path = join(folder, 'file');
  const file = openSync(path, 'w');
  try {
    run('chattr', '+i', path);
    try {
      writeSync(file, 'written');
      return false;
    } catch {
      return true;
    } finally {
      run('chattr', '-i', path);
    }
  } finally {
    closeSync(file);
  }
}

function run(program: string, ...options: readonly string[]): void {
  execFileSync(program, options, { stdio: 'ignore' });
}
