/**
 * Packages that only install or describe others, that the release replaces with compiled ones, or that are loaded only
 * elsewhere: at Cloudflare, and by the command line of TypeORM.
 */
const UNUSED_PACKAGES = [
  '@types',
  '@libsql',
  '@neon-rs',
  'libsql',
  'pg-cloudflare',
  'prebuild-install',
  'undici-types',
  'yargs',
];

/** Folders of packages that the program never loads: duplicates for bundlers, and sources of compiled files. */
const UNUSED_FOLDERS = [
  'better-sqlite3/deps',
  'better-sqlite3/src',
  'class-transformer/bundles',
  'class-transformer/esm2015',
  'class-transformer/esm5',
  'class-validator/bundles',
  'class-validator/esm2015',
  'class-validator/esm5',
  'katex/contrib',
  'katex/src',
  'rxjs/dist/bundles',
  'rxjs/dist/esm',
  'rxjs/dist/esm5',
  'rxjs/dist/types',
  'rxjs/src',
  'typeorm/browser',
];

const UNUSED_TOP_FOLDERS = /^(?:\.github|\.vscode|__tests__|benchmarks?|docs|examples?|tests?)$/;
const UNUSED_FILES =
  /\.(?:map|md|markdown|[cm]?ts|tsbuildinfo|gyp|yml|flow)$|^(?:\.(?!package-lock)|binding\.gyp|tsconfig)/;

const DECLARATIONS = /\.d\.[cm]?ts$/;

/** Files that licenses require to be passed on, whatever their extension. */
const LEGAL_FILE = /^(?:licen[cs]e|copying|notice|third-party)/i;

/**
 * Whether to omit a file of a package from a release, which keeps what the program loads, and licenses.
 * @param path relative to `node_modules`, with slashes
 */
export function isLeftOut(path: string): boolean {
  const { isUnused, file } = judge(path, UNUSED_PACKAGES, UNUSED_FOLDERS);
  return isUnused || (!LEGAL_FILE.test(file) && UNUSED_FILES.test(file));
}

/** Whether to omit a file from the npm package, which keeps type declarations for modules and tests. */
export function isLeftOutOfPackage(path: string): boolean {
  const folders = UNUSED_FOLDERS.filter((folder) => folder !== 'rxjs/dist/types');
  const { isUnused, file } = judge(path, ['@types/node', 'undici-types'], folders);
  return isUnused || (!LEGAL_FILE.test(file) && !DECLARATIONS.test(file) && UNUSED_FILES.test(file));
}

/** Whether a file is in an omitted folder or package, and its name. */
function judge(
  path: string,
  packages: readonly string[],
  folders: readonly string[],
): { isUnused: boolean; file: string } {
  const owner = path.split('node_modules/').at(-1) ?? path;
  const parts = owner.split('/');
  const name = parts.slice(0, owner.startsWith('@') ? 2 : 1);
  const inside = parts.slice(name.length);
  const file = inside.at(-1) ?? '';
  const within = (folder: string) => owner === folder || owner.startsWith(`${folder}/`);
  const isUnused =
    owner.startsWith('.') ||
    packages.some(within) ||
    folders.some(within) ||
    (inside.length > 1 && UNUSED_TOP_FOLDERS.test(inside[0] ?? ''));
  return { isUnused, file };
}

/** Whether to omit a file of the build: those that only compilers, debuggers and the next build read. */
export function isLeftOutOfBuild(path: string): boolean {
  return path === 'api-description/state' || /\.(?:map|tsbuildinfo)$|\.d\.ts$/.test(path);
}
