import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  billOfMaterials,
  componentsOf,
  licenceList,
  unknownLicences,
} from '../../scripts/release/components';
import { seriesOf } from '../../scripts/release/debian';
import { completionScript, manualPage } from '../../scripts/release/shell-help';
import { parleyProgram } from '../../src/cli/program';
import { bundledPaths, type LockedDependencies, packageJson } from '../../scripts/release/npm-package';
import { provenance } from '../../scripts/release/provenance';
import { isLeftOut, isLeftOutOfBuild, isLeftOutOfPackage } from '../../scripts/release/pruning';

/** The pure parts of `npm run release`; `.ci/release` builds and tries the artifacts. */
const { packages } = JSON.parse(readFileSync(join(__dirname, '../../package-lock.json'), 'utf8')) as {
  packages: Parameters<typeof componentsOf>[0];
};

const description = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as Parameters<
  typeof packageJson
>[0];

describe('What a release leaves out', () => {
  it.each([
    '.package-lock.json',
    '@libsql/linux-x64-musl/index.node',
    '@types/node/index.d.ts',
    'better-sqlite3/deps/sqlite3.tar.gz',
    'fastify/docs/Guides/Testing.md',
    'fastify/node_modules/fast-uri/test/parse.test.js',
    'pg-cloudflare/dist/index.js',
    'pg/README.md',
    'rxjs/dist/esm/index.js',
    'typeorm/browser/index.js',
    'typeorm/index.d.ts',
    'typeorm/index.js.map',
  ])('is %s', (path) => {
    expect(isLeftOut(path)).toBe(true);
  });

  it.each([
    '@img/sharp-linux-x64/lib/sharp-linux-x64.node',
    '@nestjs/core/index.js',
    'better-sqlite3/lib/database.js',
    'fastify/LICENSE',
    'katex/dist/katex.js',
    'pg/package.json',
    'rxjs/dist/cjs/index.js',
    'sanitize-html/LICENSE.md',
    'some/lib/test/helper.js',
  ])('is not %s', (path) => {
    expect(isLeftOut(path)).toBe(false);
  });

  it('is of the build only what the program does not read', () => {
    expect(isLeftOutOfBuild('api-description/state')).toBe(true);
    expect(isLeftOutOfBuild('main.js.map')).toBe(true);
    expect(isLeftOutOfBuild('module/index.d.ts')).toBe(true);
    expect(isLeftOutOfBuild('api-description/openapi.json')).toBe(false);
    expect(isLeftOutOfBuild('main.js')).toBe(false);
  });
});

describe('What a release says it contains', () => {
  it('has every package of the tree once, sorted, and none that is not there', () => {
    const components = componentsOf(packages, (path) => /node_modules\/(?:pg|fastify|yocto)$/.test(path));
    expect(components.map(({ name }) => name)).toEqual(['fastify', 'pg']);
    expect(licenceList(components)).toBe(
      components.map(({ name, version }) => `${name} ${version}: MIT\n`).join(''),
    );
  });

  it('names each licence that nobody has looked at', () => {
    const one = (license: string) => ({ name: license, version: '1.0.0', license });
    const components = ['MIT', 'Apache-2.0 AND LGPL-3.0-or-later', 'MIT AND SSPL-1.0', 'unknown'].map(one);
    expect(unknownLicences(components).map(({ name }) => name)).toEqual(['MIT AND SSPL-1.0', 'unknown']);
  });

  it('is a bill of materials with addresses and checksums, the same each time', () => {
    const time = new Date(0);
    const component = { name: '@a/b', version: '1.2.3', license: 'MIT', integrity: 'sha512-AAEC' };
    const bill = billOfMaterials('0.2.0', time, [component]);
    expect(bill).toMatchObject({
      specVersion: '1.6',
      metadata: { timestamp: '1970-01-01T00:00:00.000Z', component: { version: '0.2.0' } },
      components: [{ purl: 'pkg:npm/%40a/b@1.2.3', hashes: [{ alg: 'SHA-512', content: '000102' }] }],
    });
    expect(billOfMaterials('0.2.0', time, [component])).toEqual(bill);
  });
});

describe('The npm package', () => {
  it('bundles what is loaded, wherever it lies, without binaries and what only these load', () => {
    const lock: Record<string, LockedDependencies> = {
      '': {
        dependencies: { sharp: '1', one: '1', linked: '1' },
        optionalDependencies: { 'better-sqlite3': '1' },
      },
      'node_modules/better-sqlite3': {},
      'node_modules/sharp': { dependencies: { 'detect-libc': '1' } },
      'node_modules/detect-libc': {},
      'node_modules/one': { dependencies: { two: '1' }, peerDependencies: { three: '1', absent: '1' } },
      'node_modules/one/node_modules/two': { dependencies: { three: '1' } },
      'node_modules/two': {},
      'node_modules/three': { dependencies: { libsql: '1' } },
      'node_modules/libsql': {},
      'node_modules/linked': { link: true, resolved: 'packages/linked' },
      'packages/linked': { dependencies: { two: '1' } },
    };
    expect(bundledPaths(lock)).toEqual([
      'node_modules/linked',
      'node_modules/one',
      'node_modules/one/node_modules/two',
      'node_modules/three',
      'node_modules/two',
    ]);
    const bundled = bundledPaths(packages);
    expect(bundled).toContain('node_modules/@nestjs/core');
    expect(bundled.filter((path) => /sharp|@img|libsql|sqlite3|argon2/.test(path))).toEqual([]);
  });

  it('has the types of what it brings, but those of Node.js', () => {
    expect(isLeftOutOfPackage('typeorm/index.d.ts')).toBe(false);
    expect(isLeftOutOfPackage('rxjs/dist/types/index.d.ts')).toBe(false);
    expect(isLeftOutOfPackage('@types/validator/index.d.ts')).toBe(false);
    expect(isLeftOutOfPackage('@types/node/index.d.ts')).toBe(true);
    expect(isLeftOutOfPackage('typeorm/index.js.map')).toBe(true);
    expect(isLeftOutOfPackage('some/src/index.ts')).toBe(true);
  });

  it('leaves better-sqlite3 to those who want it, and runs no script', () => {
    const { dependencies, optionalDependencies, ...rest } = description;
    const made = packageJson({ ...rest, dependencies, optionalDependencies });
    expect(made).toMatchObject({
      name: 'parley-server',
      dependencies,
      peerDependencies: optionalDependencies,
      peerDependenciesMeta: { 'better-sqlite3': { optional: true } },
      exports: { './testing': expect.anything(), './module': expect.anything() },
    });
    expect(made.bundleDependencies).toContain('fastify');
    expect(made.bundleDependencies).not.toContain('libsql');
    expect(made).not.toHaveProperty('scripts');
  });
});

describe('A statement of provenance', () => {
  it('names what was made, and from what', () => {
    const library = {
      name: 'libc6',
      version: '2.36-9+deb12u14',
      license: 'LGPL',
      sha256: 'cd',
      isDebian: true,
    } as const;
    const origin = {
      version: '0.2.0',
      commit: 'abc',
      epoch: '1',
      lockSha256: 'ab',
      downloads: [library],
      tools: {},
    };
    expect(provenance(origin, [{ name: 'a.tgz', sha256: 'ef' }])).toMatchObject({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [{ name: 'a.tgz', digest: { sha256: 'ef' } }],
      predicate: {
        buildDefinition: {
          externalParameters: { version: '0.2.0', commit: 'abc' },
          resolvedDependencies: [
            { digest: { gitCommit: 'abc' } },
            { digest: { sha256: 'ab' } },
            { uri: 'pkg:deb/debian/libc6@2.36-9%2Bdeb12u14?arch=amd64', digest: { sha256: 'cd' } },
          ],
        },
      },
    });
  });
});

describe('What packages for Debian bring along', () => {
  it('names a series of releases, which can be installed beside another one', () => {
    expect(seriesOf('0.2.11')).toBe('0.2');
  });

  it.each([
    [['us'], 'user'],
    [['user', 'a'], 'add'],
    [['quarantine', 'lift', '--d'], '--drop'],
    [['user', 'add', 'ada@example.com', '--j'], '--json'],
    [['--v'], '--version'],
  ])('completes %j in bash', (words, found) => {
    const line = ['parley', ...words];
    const ask = `COMP_WORDS=(${line.join(' ')}); COMP_CWORD=${words.length}; _parley; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const input = `${completionScript(parleyProgram())}\n${ask}\n`;
    const { stdout, stderr } = spawnSync('bash', ['--norc'], { input, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(stdout.split('\n')).toContain(found);
  });

  it('has every command in the manual page, as text', () => {
    const page = manualPage(parleyProgram(), '0.2.0', new Date(0));
    expect(page).toMatch(/^\.TH PARLEY 1 1970-01-01 "Parley 0\.2\.0"/);
    for (const command of ['serve', 'user add', 'quarantine lift', 'doctor']) {
      expect(page).toMatch(new RegExp(`^\\.B ${command}( |$)`, 'm'));
    }
    // Lines that begin with a dot are instructions.
    const instructions = page.split('\n').filter((line) => line.startsWith('.'));
    expect(instructions.filter((line) => !/^\.(TH|SH|B|I|TP|br)\b/.test(line))).toEqual([]);
  });
});
