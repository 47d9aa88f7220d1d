import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { pack, run, sha256 } from './commands';
import { billOfMaterials, type Component, componentsOf, licenceList, unknownLicences } from './components';
import { makeDebianPackages } from './debian';
import { makeImage } from './image';
import { makeNpmPackage } from './npm-package';
import { node } from './pinned.json';
import { provenance, toolVersions } from './provenance';
import { makeTree, setModes } from './tree';

/**
 * `npm run release`: builds the release artifacts from the current commit, into `release`, or `--out`. They depend only
 * on the commit, so anyone can build it again and compare.
 */
const root = join(__dirname, '../..');

function main(): void {
  const { values } = parseArgs({ options: { out: { type: 'string', default: join(root, 'release') } } });
  const out = resolve(values.out);
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('A release is built on Linux with an x64 processor and glibc.');
  }
  if (run(root, 'git', ['status', '--porcelain']).trim() !== '') {
    throw new Error('Commit or stash your changes: a release is made of what is committed.');
  }
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const epoch = process.env.SOURCE_DATE_EPOCH ?? run(root, 'git', ['log', '-1', '--format=%ct']).trim();
  const name = `parley-server-${version}`;
  const commit = run(root, 'git', ['rev-parse', 'HEAD']).trim();
  const work = mkdtempSync(join(tmpdir(), 'parley-release-'));
  try {
    const tree = join(work, 'tree', name);
    const { source, installed } = makeTree(root, work, tree);
    const components = componentsIn(tree);
    const licences = licenceList(components);
    writeFileSync(join(tree, 'LICENSES.txt'), licences);
    setModes(tree, ['bin/node', 'bin/parley']);

    rmSync(out, { recursive: true, force: true });
    mkdirSync(out, { recursive: true });
    const files: string[] = [];
    const write = (file: string, content: string) => {
      writeFileSync(join(out, file), content);
      files.push(file);
    };
    const archive = `${name}-linux-x64.tar`;
    pack(join(work, 'tree'), [name], epoch, join(out, archive));
    run(out, 'gzip', ['-n', '-9', archive]);
    files.push(`${archive}.gz`, ...makeDebianPackages({ root, tree, version, epoch }, work, out));
    const image = makeImage({ tree, version, commit, epoch }, work, out);
    files.push(image.name, makeNpmPackage({ source, installed, version, epoch }, work, out));
    const bill = billOfMaterials(version, new Date(Number(epoch) * 1000), [
      ...components,
      ...image.libraries,
    ]);
    write(`${name}-linux-x64.cdx.json`, jsonText(bill));
    write(`${name}-linux-x64.licenses.txt`, licences);
    const made = files.map((file) => ({ name: file, sha256: sha256(join(out, file)) }));
    const lockSha256 = sha256(join(root, 'package-lock.json'));
    const downloads = [NODE, ...image.libraries];
    const origin = { version, commit, epoch, lockSha256, downloads, tools: toolVersions() };
    write(`${name}.provenance.json`, jsonText(provenance(origin, made)));
    const sums = files.map((file) => `${sha256(join(out, file))}  ${file}\n`).join('');
    writeFileSync(join(out, 'SHA256SUMS'), sums);
    for (const file of files) console.log(`${(statSync(join(out, file)).size / 1e6).toFixed(1)} MB  ${file}`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const NODE: Component = {
  name: node.package,
  version: node.version,
  license: 'MIT',
  sha256: node.sha256,
  cpe: `cpe:2.3:a:nodejs:node.js:${node.version}:*:*:*:*:*:*:*`,
};

const jsonText = (value: object) => `${JSON.stringify(value, null, 2)}\n`;

/** The packages in a tree, and Node.js; fails if a license has not been reviewed. */
function componentsIn(tree: string): Component[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Parameters<typeof componentsOf>[0];
  };
  const components = componentsOf(packages, (path) => existsSync(join(tree, path, 'package.json')));
  const unknown = unknownLicences(components);
  if (unknown.length > 0) {
    throw new Error(`Look at these licences first:\n${licenceList(unknown)}`);
  }
  return [...components, NODE];
}

main();
