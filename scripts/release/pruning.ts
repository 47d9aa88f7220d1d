/**
 * Packages that only install or describe others, that take the place of what a release brings compiled, or that are loaded
 * elsewhere alone: at Cloudflare, and by the command line of TypeORM.
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

/** Folders of packages that the program never loads: second copies for bundlers, and what others were compiled from. */
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

/** Texts that licences ask to be passed on, whatever their ending. */
const LEGAL_FILE = /^(?:licen[cs]e|copying|notice|third-party)/i;

/**
 * Whether a file of a package is left out of a release. What remains is what the program loads, and licences.
 * @param path from `node_modules`, with slashes
 */
export function isLeftOut(path: string): boolean {
  const { isUnused, file } = judge(path, UNUSED_PACKAGES, UNUSED_FOLDERS);
  return isUnused || (!LEGAL_FILE.test(file) && UNUSED_FILES.test(file));
}

/** Whether a file is left out of the npm package, which has the types of what it brings, for modules and tests. */
export function isLeftOutOfPackage(path: string): boolean {
  const folders = UNUSED_FOLDERS.filter((folder) => folder !== 'rxjs/dist/types');
  const { isUnused, file } = judge(path, ['@types/node', 'undici-types'], folders);
  return isUnused || (!LEGAL_FILE.test(file) && !DECLARATIONS.test(file) && UNUSED_FILES.test(file));
}

/** Whether a file lies in a folder or package that is left out, and its name. */
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

/** Whether a file that the build made is left out: what only compilers, debuggers and the next build read. */
export function isLeftOutOfBuild(path: string): boolean {
  return path === 'api-description/state' || /\.(?:map|tsbuildinfo)$|\.d\.ts$/.test(path);
}
