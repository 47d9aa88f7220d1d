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
import { isLeftOut, isLeftOutOfBuild } from '../../scripts/release/pruning';

/** The pure parts of `npm run release`; `.ci/release` builds and tries the artifacts. */
const { packages } = JSON.parse(readFileSync(join(__dirname, '../../package-lock.json'), 'utf8')) as {
  packages: Parameters<typeof componentsOf>[0];
};

describe('What a release leaves out', () => {
  it.each([
    '.package-lock.json',
    '@libsql/linux-x64-musl/index.node',
    '@types/node/index.d.ts',
    'better-sqlite3/deps/sqlite3.tar.gz',
    'fastify/docs/Guides/Testing.md',
    'fastify/node_modules/fast-uri/test/parse.test.js',
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
