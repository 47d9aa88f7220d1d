import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { isPhoneNumber } from 'class-validator';
import sanitizeHtml from 'sanitize-html';
import { gte } from 'semver';

const root = join(__dirname, '../..');

/** Raise it only for packages worth having on every server. */
const MOST_PACKAGES = 150;

/** Maximum size of the production packages in bytes. */
const MOST_BYTES = 110_000_000;

/** Stub packages of the project that replace published ones which the server never calls. */
const STAND_INS = [
  'file-type',
  'libphonenumber-js',
  'load-esm',
  'postcss',
  'prebuild-install',
  'sql-highlight',
  'tdigest',
  'tinyglobby',
  'yargs',
];

interface LockedPackage {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly link?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, LockedPackage>;
};
const locked = Object.entries(packages)
  .filter(([path]) => path.includes('node_modules/'))
  .map(([path, one]) => ({ name: path.split('node_modules/').at(-1) ?? '', path, ...one }));

/**
 * The packages that `npm ci --omit=dev` downloads on Linux with glibc and x64; sharp uses WebAssembly on unsupported
 * platforms.
 */
const production = locked.filter(
  ({ dev, link, os, cpu, libc, path }) =>
    !dev &&
    !link &&
    (libc?.includes('glibc') ?? true) &&
    (os?.includes('linux') ?? true) &&
    (cpu?.includes('x64') ?? true) &&
    !path.includes('wasm32'),
);

/** Other platforms install other binaries. */
const onLinux = existsSync(join(root, 'node_modules/@libsql/linux-x64-gnu')) ? it : it.skip;

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

/** Size of the files in a folder, without nested packages. */
function bytesIn(folder: string): number {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => name !== 'node_modules');
  return sum(
    entries.map((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? bytesIn(path) : statSync(path).size;
    }),
  );
}

describe('What is installed', () => {
  it('has each part of the HTTP server once', () => {
    const once = ['fastify', '@fastify/middie', 'find-my-way', 'light-my-request', 'ajv', 'sanitize-html'];
    const paths = once.map((name) => production.filter((one) => one.name === name).map(({ path }) => path));
    expect(paths).toEqual(once.map((name) => [`node_modules/${name}`]));
  });

  it('has Nest run on the version of Fastify that the project names', () => {
    const ofNest = createRequire(require.resolve('@nestjs/platform-fastify'));
    expect(ofNest.resolve('fastify')).toBe(require.resolve('fastify'));
    const { version } = ofNest('fastify/package.json') as { version: string };
    expect(gte(version, '5.12.2')).toBe(true);
  });

  it('has no compiler, and few packages, without those for development', () => {
    const forbidden = ['typescript', 'ts-node', 'ts-node-for-development', 'tsx', 'cli-progress'];
    expect(production.filter(({ name }) => forbidden.includes(name))).toEqual([]);
    expect(production.length).toBeLessThanOrEqual(MOST_PACKAGES);
  });

  onLinux('takes little room, without what only the compiler of better-sqlite3 needs', () => {
    const folders = production
      .map(({ path }) => join(root, path))
      // If it was not compiled, its sources are still there, and libsql is used instead.
      .filter((folder) => !folder.endsWith('/better-sqlite3') || existsSync(join(folder, 'build/Release')));
    expect(folders.filter((folder) => !existsSync(folder))).toEqual([]);
    expect(sum(folders.map(bytesIn))).toBeLessThanOrEqual(MOST_BYTES);
  });

  it('has its own packages in place of those that it does not want', () => {
    const own = locked.filter(({ link }) => link).map(({ path }) => path);
    expect(own).toEqual(STAND_INS.map((name) => `node_modules/${name}`));
    for (const name of STAND_INS) {
      const folder = join(root, 'packages', name);
      expect(dirname(require.resolve(`${folder}/package.json`))).toBe(folder);
    }
  });

  it('has the command line of TypeORM work where the server is developed', () => {
    const { stdout } = spawnSync('node', ['node_modules/typeorm/cli.js', '--help'], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(stdout).toContain('migration:show');
  });

  it('removes a style that it would have to read, since postcss is not installed', () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation();
    const allowedStyles = { '*': { color: [/^red$/] } };
    const options = { allowedTags: ['p'], allowedAttributes: { p: ['style'] }, allowedStyles };
    expect(sanitizeHtml('<p style="color:red">Soup</p>', options)).toBe('<p>Soup</p>');
    warn.mockRestore();
  });

  it('warns where a phone number is checked, since no library for that is installed', () => {
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation();
    expect(isPhoneNumber('+14155552671')).toBe(false);
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('libphonenumber-js'), 'MissingLibrary');
    warn.mockRestore();
  });
});
