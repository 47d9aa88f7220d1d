import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pack, run } from './commands';
import { isLeftOutOfBuild, isLeftOutOfPackage } from './pruning';
import { copyTree, removeEmptyFolders, setModes } from './tree';

/** Inputs of the npm package. */
export interface NpmRelease {
  /** A built clone of the commit. */
  readonly source: string;
  /** The `node_modules` of its production dependencies, as installed by npm. */
  readonly installed: string;
  readonly version: string;
  /** UNIX seconds of the commit. */
  readonly epoch: string;
}

/** The dependency fields of a package in a lock file. */
export interface LockedDependencies {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  /** The target folder of a link. */
  readonly resolved?: string;
  readonly link?: boolean;
}

type Lock = Readonly<Record<string, LockedDependencies>>;

/** Packages with binaries, which npm selects for the platform. Their versions are exact. */
const NATIVE = ['@node-rs/argon2', 'better-sqlite3', 'libsql', 'sharp'];

/** Fields of `package.json` that the package keeps. */
const KEPT = ['description', 'license', 'bin', 'exports', 'engines'];

const FOLDERS = ['docs', 'examples', 'ops'];

/**
 * Creates the npm package for test suites and modules. Packages without binaries are bundled: otherwise npm would
 * choose their versions, and `overrides` apply only in the root package.
 * @param out the folder for the file
 * @returns its name
 */
export function makeNpmPackage(release: NpmRelease, work: string, out: string): string {
  const { source, installed, version, epoch } = release;
  run(source, 'npm', ['run', '--silent', 'build:types']);
  const folder = join(work, 'npm', 'package');
  mkdirSync(folder, { recursive: true });
  const { packages } = JSON.parse(readFileSync(join(source, 'package-lock.json'), 'utf8')) as {
    packages: Lock;
  };
  for (const path of bundledPaths(packages)) {
    const from = join(installed, path.slice('node_modules/'.length));
    if (!existsSync(from)) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    const within = path.slice('node_modules/'.length);
    copyTree(
      from,
      join(folder, path),
      (inside) => inside.startsWith('node_modules') || isLeftOutOfPackage(`${within}/${inside}`),
    );
  }
  copyTree(
    join(source, 'dist'),
    join(folder, 'dist'),
    (path) => isLeftOutOfBuild(path) && !path.endsWith('.d.ts'),
  );
  for (const name of FOLDERS) copyTree(join(source, name), join(folder, name), () => false);
  for (const name of ['LICENSE', 'README.md', 'CHANGELOG.md'])
    copyFileSync(join(source, name), join(folder, name));
  const original = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as PackageJson;
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packageJson(original), null, 2)}\n`);
  removeEmptyFolders(folder);
  setModes(folder, ['dist/cli/main.js']);
  const name = `parley-server-${version}.tgz`;
  const plain = join(work, 'npm', 'package.tar');
  pack(dirname(folder), ['package'], epoch, plain);
  run(work, 'gzip', ['-n', '-9', plain]);
  copyFileSync(`${plain}.gz`, join(out, name));
  rmSync(dirname(folder), { recursive: true });
  return name;
}

type PackageJson = Readonly<Record<string, unknown>> & {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
};

/** better-sqlite3 would take minutes to compile; libsql replaces it if a project does not install it. */
export function packageJson(original: PackageJson): Record<string, unknown> {
  const { version, dependencies, optionalDependencies } = original;
  return {
    name: 'parley-server',
    version,
    ...Object.fromEntries(KEPT.map((key) => [key, original[key]])),
    dependencies,
    peerDependencies: optionalDependencies,
    peerDependenciesMeta: Object.fromEntries(
      Object.keys(optionalDependencies).map((name) => [name, { optional: true }]),
    ),
    bundleDependencies: Object.keys(dependencies).filter((name) => !NATIVE.includes(name)),
  };
}

/**
 * Paths of all packages that the program loads, such as `node_modules/fastify`, except those with binaries and packages
 * that only these load.
 */
export function bundledPaths(packages: Lock): string[] {
  const found = new Set<string>();
  const add = (
    from: string,
    { dependencies, optionalDependencies, peerDependencies }: LockedDependencies,
  ) => {
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const path = placeOf(packages, from, name);
      if (path === undefined || found.has(path) || NATIVE.includes(name)) continue;
      found.add(path);
      const entry = packages[path] ?? {};
      add(path, entry.link ? (packages[entry.resolved ?? ''] ?? {}) : entry);
    }
  };
  add('', { dependencies: packages['']?.dependencies ?? {} });
  return [...found].sort();
}

/** Where Node.js finds a package: beside the one that loads it, or further up. */
function placeOf(packages: Lock, from: string, name: string): string | undefined {
  for (let folder = from; ;) {
    const path = `${folder}${folder === '' ? '' : '/'}node_modules/${name}`;
    if (packages[path] !== undefined) return path;
    if (folder === '') return undefined;
    const at = folder.lastIndexOf('node_modules/');
    folder = folder.slice(0, Math.max(at - 1, 0));
  }
}
