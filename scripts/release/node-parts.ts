import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { run, sha256 } from './commands';
import { node } from './pinned.json';

/**
 * Downloads the Node.js of the release from the npm registry, and verifies it against the committed checksum.
 * @param work an empty folder for it
 * @returns the folder with `bin/node`, `include` and `LICENSE`
 */
export function fetchNode(work: string): string {
  mkdirSync(work);
  run(work, 'npm', ['pack', '--silent', '--prefer-offline', `${node.package}@${node.version}`]);
  const archive = join(work, `${node.package}-${node.version}.tgz`);
  const found = sha256(archive);
  if (found !== node.sha256) {
    throw new Error(`${node.package} ${node.version} has the checksum ${found}, not ${node.sha256}.`);
  }
  run(work, 'tar', ['-xzf', archive]);
  return join(work, 'package');
}

/**
 * Compiles better-sqlite3 for that Node.js, which takes minutes; kept in `cache` for the next time.
 * @param source the package as unpacked by npm
 */
export function compileSqlite(source: string, nodeFolder: string, work: string, cache: string): string {
  const { version } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as { version: string };
  const kept = join(cache, `better-sqlite3-${version}-node-${node.version}-without-hooks.node`);
  if (existsSync(kept)) return kept;
  cpSync(source, work, { recursive: true });
  leaveHooksOut(join(nodeFolder, 'include/node/node_object_wrap.h'));
  // No path of this machine may be compiled in.
  const flags = `-ffile-prefix-map=${work}=. -ffile-prefix-map=${nodeFolder}=node`;
  run(work, process.execPath, [nodeGyp(), 'rebuild', '--release', `--nodedir=${nodeFolder}`], {
    CFLAGS: flags,
    CXXFLAGS: flags,
    // npm's own setting takes precedence over the argument.
    npm_config_nodedir: nodeFolder,
  });
  const built = join(work, 'build/Release/better_sqlite3.node');
  run(work, 'strip', ['--strip-unneeded', built]);
  // Fails if it was compiled for another Node.js.
  run(work, join(nodeFolder, 'bin/node'), ['-e', 'process.dlopen({ exports: {} }, process.argv[1])', built]);
  mkdirSync(cache, { recursive: true });
  copyFileSync(built, `${kept}.new`);
  renameSync(`${kept}.new`, kept);
  return kept;
}

/**
 * Since 24.19, this header makes every wrapped object call Node.js when it is collected. That crashes the process if it
 * happens between two tasks: Node.js looks for the environment of the running code, and there is none. Earlier headers
 * had no such call, and neither does the one compiled here.
 */
function leaveHooksOut(header: string): void {
  const text = readFileSync(header, 'utf8');
  const without = text.replace(/^ +(?:Add|Remove)CleanupHook\(\);\n/gm, '');
  if (text === without)
    throw new Error(`${header} is not as it was: see whether what is left out here is still needed.`);
  writeFileSync(header, without);
}

/** It is part of npm. */
function nodeGyp(): string {
  const npm = run('.', 'npm', ['prefix', '--global']).trim();
  const places = [
    join(npm, 'lib/node_modules/npm'),
    join(dirname(process.execPath), '../lib/node_modules/npm'),
  ];
  const file = places
    .map((place) => join(place, 'node_modules/node-gyp/bin/node-gyp.js'))
    .find((candidate) => existsSync(candidate));
  if (file === undefined) throw new Error('npm has no node-gyp here.');
  return file;
}
