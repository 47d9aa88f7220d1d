import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Runs a program to completion and returns its output; its failure fails the release. */
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

/** Options of {@link pack}. */
interface PackOptions {
  /** User and group ID of the files; root by default. */
  readonly owner?: number;
  /** Whether to add files to an existing archive. */
  readonly isAppended?: boolean;
  /** A path to exclude. */
  readonly exclude?: string;
}

/**
 * Creates a reproducible archive: sorted, with fixed times.
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
