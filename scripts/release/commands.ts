import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Runs a program to its end and returns what it printed; its failure is that of the release. */
export function run(
  folder: string,
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error) throw error;
  if (status !== 0) {
    const said = `${stdout}${stderr}`.slice(-4000);
    throw new Error(`${program} ${args.join(' ')} failed with status ${status}:\n${said}`);
  }
  return stdout;
}

export function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** How {@link pack} deviates from its usual. */
interface PackOptions {
  /** Of whom the files are; of root otherwise. */
  readonly owner?: number;
  /** Whether the archive exists, and gets further files. */
  readonly isAppended?: boolean;
  /** A path that is left out. */
  readonly exclude?: string;
}

/**
 * Makes an archive, the same bytes from the same files: sorted, of one time.
 * @param epoch UNIX seconds
 */
export function pack(
  folder: string,
  names: readonly string[],
  epoch: string,
  archive: string,
  { owner = 0, isAppended = false, exclude }: PackOptions = {},
): void {
  const same = [
    '--sort=name',
    `--mtime=@${epoch}`,
    `--owner=${owner}`,
    `--group=${owner}`,
    '--numeric-owner',
  ];
  const left = exclude === undefined ? [] : [`--exclude=${exclude}`];
  run(folder, 'tar', [...same, '--format=gnu', ...left, isAppended ? '-rf' : '-cf', archive, ...names], {
    LC_ALL: 'C',
  });
}
