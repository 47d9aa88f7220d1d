import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parleyProgram } from '../../src/cli/program';
import { run } from './commands';
import { completionScript, manualPage } from './shell-help';

/** Inputs of the Debian packages. */
export interface DebianRelease {
  /** The checkout. */
  readonly root: string;
  /** The tree of the release, see `makeTree`. */
  readonly tree: string;
  readonly version: string;
  /** UNIX seconds of the commit. */
  readonly epoch: string;
}

/** Required by Debian. Publishers of packages replace it with their address. */
const MAINTAINER = 'Parley <parley@localhost>';

/** Files of the server package: where each is installed, and its mode. */
const PLACES: readonly [file: string, place: string, mode?: number][] = [
  ['parley.service', 'lib/systemd/system/parley.service'],
  ['../../../ops/systemd/parley.socket', 'lib/systemd/system/parley.socket'],
  ['parley-backup.service', 'lib/systemd/system/parley-backup.service'],
  ['parley-backup.timer', 'lib/systemd/system/parley-backup.timer'],
  ['parley.env', 'etc/parley/parley.env'],
  ['parley.sh', 'usr/bin/parley', 0o755],
];

/** The series of a release, such as `0.2`: releases of two series can be installed side by side. */
export function seriesOf(version: string): string {
  return version.split('.').slice(0, 2).join('.');
}

/**
 * Creates two packages. One contains the program and has the series in its name: an upgrade to the next series keeps
 * the files of the running server in place. The other contains the service and depends on the first.
 * @param out the folder for the files
 * @returns their names
 */
export function makeDebianPackages(release: DebianRelease, work: string, out: string): string[] {
  return [
    programPackage(release, join(work, 'program'), out),
    serverPackage(release, join(work, 'server'), out),
  ];
}

function programPackage(release: DebianRelease, folder: string, out: string): string {
  const series = seriesOf(release.version);
  const name = `parley-server-${series}`;
  const place = join(folder, 'usr/lib/parley', series);
  mkdirSync(dirname(place), { recursive: true });
  cpSync(release.tree, place, { recursive: true });
  documents(release, join(folder, 'usr/share/doc', name));
  control(folder, {
    Package: name,
    Version: release.version,
    Architecture: 'amd64',
    Depends: 'libc6 (>= 2.34), libstdc++6 (>= 11)',
    Description:
      'Parley, a team chat server: the program\n It brings its own Node.js. The package parley-server runs it as a service.',
  });
  scripts(release.root, folder, 'program', series);
  return build(folder, out, `${name}_${release.version}_amd64.deb`, release.epoch);
}

function serverPackage(release: DebianRelease, folder: string, out: string): string {
  const { root, version, epoch } = release;
  for (const [file, place, mode = 0o644] of PLACES) {
    put(folder, place, readFileSync(join(root, 'scripts/release/debian', file)), mode);
  }
  const program = parleyProgram();
  put(folder, 'usr/share/bash-completion/completions/parley', completionScript(program));
  const manual = manualPage(program, version, new Date(Number(epoch) * 1000));
  put(folder, 'usr/share/man/man1/parley.1.gz', packed(manual));
  const about = 'usr/share/doc/parley-server';
  documents(release, join(folder, about));
  for (const name of ['configuration.md', 'operations.md', 'install.md', 'command-line.md']) {
    put(folder, join(about, `${name}.gz`), packed(readFileSync(join(root, 'docs', name), 'utf8')));
  }
  control(folder, {
    Package: 'parley-server',
    Version: version,
    Architecture: 'all',
    Depends: `parley-server-${seriesOf(version)} (>= ${version}), adduser, debconf, init-system-helpers, util-linux`,
    Suggests: 'postgresql, nginx',
    Description:
      'Parley, a team chat server\n It speaks the HTTP interface of Zulip, whose clients and bots work with it, and keeps its data in one\n folder or in PostgreSQL. This package runs it as a service, and backs it up every day.',
  });
  put(folder, 'DEBIAN/conffiles', '/etc/parley/parley.env\n');
  put(folder, 'DEBIAN/templates', readFileSync(join(root, 'scripts/release/debian/server.templates')));
  scripts(root, folder, 'server', seriesOf(version));
  return build(folder, out, `parley-server_${version}_all.deb`, epoch);
}

function control(folder: string, fields: Readonly<Record<string, string>>): void {
  const all = { ...fields, Section: 'net', Priority: 'optional', Maintainer: MAINTAINER };
  const { Description: description, ...first } = all as typeof all & { Description: string };
  const lines = [...Object.entries(first), ['Description', description]].map((field) => field.join(': '));
  put(folder, 'DEBIAN/control', `${lines.join('\n')}\n`);
}

/** The scripts that dpkg runs. */
function scripts(root: string, folder: string, kind: 'program' | 'server', series: string): void {
  const from = join(root, 'scripts/release/debian');
  for (const file of readdirSync(from)) {
    const [, script] = /^(?:program|server)\.(postinst|prerm|postrm)$/.exec(file) ?? [];
    if (script === undefined || !file.startsWith(kind)) continue;
    const text = readFileSync(join(from, file), 'utf8').replaceAll('SERIES', series);
    put(folder, join('DEBIAN', script), text, 0o755);
  }
}

/** The documents that Debian requires in every package. */
function documents({ tree }: DebianRelease, folder: string): void {
  const licences = ['LICENSE', 'LICENSE.node', 'LICENSES.txt'].map((name) =>
    readFileSync(join(tree, name), 'utf8'),
  );
  put(folder, 'copyright', licences.join('\n'));
  put(folder, 'changelog.gz', packed(readFileSync(join(tree, 'CHANGELOG.md'), 'utf8')));
}

const packed = (text: string) => gzipSync(text, { level: 9 });

function put(folder: string, place: string, content: string | Buffer, mode = 0o644): void {
  const path = join(folder, place);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  chmodSync(path, mode);
}

/** Builds a reproducible package. */
function build(folder: string, out: string, name: string, epoch: string): string {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) chmodSync(join(entry.parentPath, entry.name), 0o755);
  }
  chmodSync(folder, 0o755);
  run(folder, 'dpkg-deb', ['--root-owner-group', '-Zxz', '-b', folder, join(out, name)], {
    SOURCE_DATE_EPOCH: epoch,
  });
  rmSync(folder, { recursive: true });
  return name;
}
