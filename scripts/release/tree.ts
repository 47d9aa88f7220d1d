import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { run } from './commands';
import { compileSqlite, fetchNode } from './node-parts';
import { isLeftOut, isLeftOutOfBuild } from './pruning';

const START = `#!/bin/sh
# Runs Parley with the Node.js that it brings, from wherever this is called or linked to.
here=$(dirname "$(readlink -f "$0")")
exec "$here/node" "$here/../dist/cli/main.js" "$@"
`;

/** Copies the files of a folder that are not omitted; links are replaced by their targets. */
export function copyTree(from: string, to: string, leftOut: (path: string) => boolean): void {
  cpSync(from, to, {
    recursive: true,
    dereference: true,
    filter: (path) => !leftOut(relative(from, path).split(sep).join('/')),
  });
}

/** Removes folders that pruning left empty. */
export function removeEmptyFolders(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmptyFolders(join(folder, entry.name));
  }
  if (readdirSync(folder).length === 0) rmSync(folder, { recursive: true });
}

/** Makes files readable by everyone and writable only by their owner, whatever the builder's umask. */
export function setModes(folder: string, programs: readonly string[]): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    chmodSync(path, entry.isDirectory() || programs.includes(relative(folder, path)) ? 0o755 : 0o644);
  }
  chmodSync(folder, 0o755);
}

/**
 * Creates the tree from which every artifact is built: the committed program, the packages that it loads, and Node.js.
 * @param root the checkout, with installed packages
 * @param work an empty folder for intermediate files
 * @param tree the folder to create
 * @returns inputs of other artifacts: the built clone, and the packages as installed by npm
 */
export function makeTree(root: string, work: string, tree: string): { source: string; installed: string } {
  const source = join(work, 'source');
  run(root, 'git', ['clone', '--quiet', root, source]);
  symlinkSync(join(root, 'node_modules'), join(source, 'node_modules'));
  run(source, 'npm', ['run', '--silent', 'build']);

  const packages = join(work, 'packages');
  mkdirSync(packages);
  for (const name of ['package.json', 'package-lock.json', 'packages']) {
    cpSync(join(source, name), join(packages, name), { recursive: true });
  }
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  run(packages, 'npm', ['ci', '--omit=dev', '--os=linux', '--cpu=x64', '--libc=glibc', ...quiet]);

  const installed = join(packages, 'node_modules');
  const node = fetchNode(join(work, 'node'));
  const cache = join(root, 'node_modules/.cache/release');
  const sqlite = compileSqlite(join(installed, 'better-sqlite3'), node, join(work, 'sqlite'), cache);

  mkdirSync(join(tree, 'bin'), { recursive: true });
  copyTree(installed, join(tree, 'node_modules'), (path) => path !== '' && isLeftOut(path));
  copyTree(join(source, 'dist'), join(tree, 'dist'), isLeftOutOfBuild);
  const native = join(tree, 'node_modules/better-sqlite3/build/Release/better_sqlite3.node');
  mkdirSync(dirname(native), { recursive: true });
  copyFileSync(sqlite, native);
  copyFileSync(join(node, 'bin/node'), join(tree, 'bin/node'));
  copyFileSync(join(node, 'LICENSE'), join(tree, 'LICENSE.node'));
  for (const name of ['package.json', 'LICENSE', 'CHANGELOG.md']) {
    copyFileSync(join(source, name), join(tree, name));
  }
  copyTree(join(source, 'ops'), join(tree, 'ops'), (path) => path.endsWith('.test.yml'));
  writeFileSync(join(tree, 'bin/parley'), START);
  removeEmptyFolders(tree);
  return { source, installed };
}
