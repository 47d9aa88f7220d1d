import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pack, run, sha256 } from './commands';
import type { Component } from './components';

/** Inputs of the image. */
export interface ImageRelease {
  /** The tree of the release, see `makeTree`. */
  readonly tree: string;
  readonly version: string;
  readonly commit: string;
  /** UNIX seconds of the commit. */
  readonly epoch: string;
}

const GCC_LICENCE = 'GPL-3.0-or-later WITH GCC-exception-3.1';

/**
 * Libraries that Node.js and the native packages are linked to, with licenses; Node.js contains its own time zones and
 * certificates.
 */
const LIBRARIES: Readonly<Record<string, string>> = {
  libc6: 'LGPL-2.1-or-later',
  'libgcc-s1': GCC_LICENCE,
  'libstdc++6': GCC_LICENCE,
};

/** Parts of these packages that nothing in the image reads. */
const LEFT_OUT = ['usr/lib/x86_64-linux-gnu/gconv', 'usr/share/lintian', 'usr/share/gdb', 'usr/share/bug'];

/** User ID of the server and owner of the data, unlikely to exist on a host. */
const USER = 10001;
const DATA = 'var/lib/parley';
const PROGRAM = 'opt/parley';

const FILES: Readonly<Record<string, string>> = {
  'etc/passwd': `root:x:0:0:root:/:/sbin/nologin\nparley:x:${USER}:${USER}:Parley:/${DATA}:/sbin/nologin\n`,
  'etc/group': `root:x:0:\nparley:x:${USER}:\n`,
  'etc/nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
};

/**
 * Creates a container image without a daemon: an OCI layout archive, which `podman load`, `docker load` and `skopeo`
 * accept. It has no shell and no package manager; the libraries come from the Debian system that builds it.
 * @param out the folder for the file
 * @returns its name, and its Debian packages
 */
export function makeImage(
  release: ImageRelease,
  work: string,
  out: string,
): { name: string; libraries: Component[] } {
  const folder = join(work, 'image');
  const blobs = join(folder, 'layout/blobs/sha256');
  mkdirSync(blobs, { recursive: true });
  const root = join(folder, 'root');
  const libraries = fill(root, release.tree, join(folder, 'debian'));

  const layer = join(folder, 'layer.tar');
  pack(root, readdirSync(root).sort(), release.epoch, layer, { exclude: DATA });
  pack(root, [DATA], release.epoch, layer, { owner: USER, isAppended: true });
  const diff = sha256(layer);
  run(folder, 'gzip', ['-n', '-9', layer]);
  const packed = readFileSync(`${layer}.gz`);

  const store = (content: Buffer | string) => {
    const bytes = Buffer.from(content);
    const digest = createHash('sha256').update(bytes).digest('hex');
    writeFileSync(join(blobs, digest), bytes);
    return { digest: `sha256:${digest}`, size: bytes.length };
  };
  const type = (kind: string) => ({ mediaType: `application/vnd.oci.image.${kind}` });
  const manifest = {
    schemaVersion: 2,
    ...type('manifest.v1+json'),
    config: { ...type('config.v1+json'), ...store(JSON.stringify(configOf(release, diff))) },
    layers: [{ ...type('layer.v1.tar+gzip'), ...store(packed) }],
  };
  const annotations = { 'org.opencontainers.image.ref.name': release.version };
  const index = {
    schemaVersion: 2,
    ...type('index.v1+json'),
    manifests: [{ ...type('manifest.v1+json'), ...store(JSON.stringify(manifest)), annotations }],
  };
  const layout = join(folder, 'layout');
  writeFileSync(join(layout, 'index.json'), JSON.stringify(index));
  writeFileSync(join(layout, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
  setLayoutModes(layout);
  const name = `parley-server-${release.version}-linux-x64.oci.tar`;
  pack(layout, ['blobs', 'index.json', 'oci-layout'], release.epoch, join(out, name));
  rmSync(folder, { recursive: true });
  return { name, libraries };
}

/** Assembles the file system: libraries, program, and a folder for data. @returns the libraries */
function fill(root: string, tree: string, downloads: string): Component[] {
  for (const folder of [root, downloads]) mkdirSync(folder);
  run(downloads, 'apt-get', ['download', '-qq', ...Object.keys(LIBRARIES)], { LC_ALL: 'C' });
  const libraries = readdirSync(downloads)
    .sort()
    .map((file): Component => {
      run(downloads, 'dpkg-deb', ['-x', file, root]);
      const field = (name: string) => run(downloads, 'dpkg-deb', ['-f', file, name]).trim();
      const name = field('Package');
      return {
        name,
        version: field('Version'),
        license: LIBRARIES[name] ?? 'unknown',
        sha256: sha256(join(downloads, file)),
        isDebian: true,
      };
    });
  for (const path of LEFT_OUT) rmSync(join(root, path), { recursive: true, force: true });
  cpSync(tree, join(root, PROGRAM), { recursive: true });
  // It requires a shell.
  rmSync(join(root, PROGRAM, 'bin/parley'));
  for (const [path, content] of Object.entries(FILES)) {
    mkdirSync(join(root, 'etc'), { recursive: true });
    writeFileSync(join(root, path), content);
    chmodSync(join(root, path), 0o644);
  }
  for (const path of [DATA, 'tmp']) mkdirSync(join(root, path), { recursive: true });
  for (const path of ['.', 'etc', 'opt', PROGRAM, 'var', 'var/lib']) chmodSync(join(root, path), 0o755);
  chmodSync(join(root, DATA), 0o700);
  chmodSync(join(root, 'tmp'), 0o1777);
  return libraries;
}

function configOf({ version, commit, epoch }: ImageRelease, diff: string): object {
  const created = new Date(Number(epoch) * 1000).toISOString();
  return {
    created,
    architecture: 'amd64',
    os: 'linux',
    config: {
      User: `${USER}:${USER}`,
      ExposedPorts: { '9991/tcp': {} },
      Env: [`DATA_DIR=/${DATA}`, `HOME=/${DATA}`, 'HOST=0.0.0.0', 'NODE_ENV=production'],
      Entrypoint: [`/${PROGRAM}/bin/node`, `/${PROGRAM}/dist/cli/main.js`],
      Cmd: ['serve'],
      Volumes: { [`/${DATA}`]: {} },
      WorkingDir: `/${DATA}`,
      Labels: {
        'org.opencontainers.image.title': 'Parley',
        'org.opencontainers.image.licenses': 'Apache-2.0',
        'org.opencontainers.image.revision': commit,
        'org.opencontainers.image.version': version,
      },
      StopSignal: 'SIGTERM',
    },
    rootfs: { type: 'layers', diff_ids: [`sha256:${diff}`] },
    history: [{ created, created_by: 'npm run release' }],
  };
}

function setLayoutModes(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, entry);
    chmodSync(path, statSync(path).isDirectory() ? 0o755 : 0o644);
  }
}
