import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');

/** Inside of `node_modules`, where packages are found from. */
const cache = join(root, 'node_modules/.cache/former-programs');

const commitFile = (release: string) => join(__dirname, release, 'commit');

/**
 * The commit that a release was built from; undefined where the repository lacks it. For 0.2.0, the first commit after it
 * that starts on tables of newer releases stands in: 0.2.0 itself refuses them.
 */
function commitOf(release: string): string | undefined {
  const commit = readFileSync(commitFile(release), 'utf8').trim();
  const { status } = spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root });
  return status === 0 ? commit : undefined;
}

/** Keeps from which commit the program of this release is built. */
export function keepCommit(release: string): void {
  writeFileSync(commitFile(release), execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root }));
}

/** Whether the program of a release can be had: an archive of the sources has no history. */
export const hasFormerProgram = (release: string) => commitOf(release) !== undefined;

/** Translates the sources of a release, once; they run with the packages of this one. */
export function formerProgram(release: string): string {
  const commit = commitOf(release);
  if (commit === undefined) throw new Error(`The repository lacks the commit of ${release}.`);
  const folder = join(cache, commit);
  if (!existsSync(folder)) {
    const unfinished = `${folder}.${process.pid}`;
    mkdirSync(unfinished, { recursive: true });
    const paths = ['src', 'package.json', 'tsconfig.json', 'tsconfig.build.json'];
    const maxBuffer = 2 ** 28;
    const input = execFileSync('git', ['archive', commit, ...paths], { cwd: root, maxBuffer });
    execFileSync('tar', ['-x'], { cwd: unfinished, input });
    const options = [
      '-p',
      'tsconfig.build.json',
      '--noCheck',
      '--incremental',
      'false',
      '--tsBuildInfoFile',
      'null',
    ];
    execFileSync(process.execPath, [require.resolve('typescript/bin/tsc'), ...options], { cwd: unfinished });
    rmSync(join(unfinished, 'src'), { recursive: true });
    // Another process may have been faster.
    if (!existsSync(folder)) renameSync(unfinished, folder);
  }
  return join(folder, 'dist/cli/main.js');
}
