import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { pack, run, sha256 } from './commands';
import { billOfMaterials, componentsOf, licenceList, unknownLicences } from './components';
import { makeDebianPackages } from './debian';
import { makeImage } from './image';
import { node } from './pinned.json';
import { makeTree, setModes } from './tree';

/**
 * `npm run release`: makes from what is committed what operators install, into `release`, or `--out`. Its bytes depend on
 * the commit alone, so anybody can build it again and compare.
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
  const work = mkdtempSync(join(tmpdir(), 'parley-release-'));
  try {
    const tree = join(work, 'tree', name);
    makeTree(root, work, tree);
    const { licences, materials } = describe(tree, version, new Date(Number(epoch) * 1000));
    writeFileSync(join(tree, 'LICENSES.txt'), licences);
    setModes(tree, ['bin/node', 'bin/parley']);

    rmSync(out, { recursive: true, force: true });
    mkdirSync(out, { recursive: true });
    const files = [
      `${name}-linux-x64.tar.gz`,
      `${name}-linux-x64.cdx.json`,
      `${name}-linux-x64.licenses.txt`,
    ];
    const [archive = '', bill = '', list = ''] = files.map((file) => join(out, file));
    const plain = archive.replace(/\.gz$/, '');
    pack(join(work, 'tree'), [name], epoch, plain);
    run(out, 'gzip', ['-n', '-9', plain]);
    writeFileSync(bill, materials);
    writeFileSync(list, licences);
    files.push(...makeDebianPackages({ root, tree, version, epoch }, work, out));
    const commit = run(root, 'git', ['rev-parse', 'HEAD']).trim();
    files.push(makeImage({ tree, version, commit, epoch }, work, out));
    const sums = files.map((file) => `${sha256(join(out, file))}  ${file}\n`).join('');
    writeFileSync(join(out, 'SHA256SUMS'), sums);
    for (const file of files) console.log(`${(statSync(join(out, file)).size / 1e6).toFixed(1)} MB  ${file}`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The list of licences and the bill of materials; fails where nobody has looked at a licence. */
function describe(tree: string, version: string, time: Date): { licences: string; materials: string } {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Parameters<typeof componentsOf>[0];
  };
  const components = [
    ...componentsOf(packages, (path) => existsSync(join(tree, path, 'package.json'))),
    { name: node.package, version: node.version, license: 'MIT' },
  ];
  const unknown = unknownLicences(components);
  if (unknown.length > 0) {
    throw new Error(`Look at these licences first:\n${licenceList(unknown)}`);
  }
  const materials = `${JSON.stringify(billOfMaterials(version, time, components), null, 2)}\n`;
  return { licences: licenceList(components), materials };
}

main();
