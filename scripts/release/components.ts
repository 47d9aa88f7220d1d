/** A component of a release, for its list of licenses and its bill of materials. */
export interface Component {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** Checksum of npm's archive, from the lock file. */
  readonly integrity?: string;
  /** Checksum of the downloaded file, if no lock file lists it. */
  readonly sha256?: string;
  /** Whether it is a Debian package, which only the image contains. */
  readonly isDebian?: true;
  /** Its name in vulnerability databases without npm names. */
  readonly cpe?: string;
}

interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly link?: boolean;
}

/** The licenses whose terms a release meets. LGPL applies only to libvips, a separate, replaceable library. */
const KNOWN_LICENCES = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'LGPL-3.0-or-later',
  'MIT',
  'MIT-0',
  'Python-2.0',
];

/**
 * The packages of a lock file that are in a tree, sorted by name.
 * @param isThere returns whether a path such as `node_modules/pg` is in the tree
 */
export function componentsOf(
  packages: Readonly<Record<string, LockedPackage>>,
  isThere: (path: string) => boolean,
): Component[] {
  const found = new Map<string, Component>();
  for (const [path, { version, license, integrity, link }] of Object.entries(packages)) {
    if (!path.includes('node_modules/') || link || version === undefined || !isThere(path)) continue;
    const name = path.split('node_modules/').at(-1) ?? '';
    found.set(`${name}@${version}`, {
      name,
      version,
      license: license ?? 'unknown',
      ...(integrity === undefined ? {} : { integrity }),
    });
  }
  return [...found.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, component]) => component);
}

/** Components whose license has not been reviewed. */
export function unknownLicences(components: readonly Component[]): Component[] {
  return components.filter(
    ({ license }) => !license.split(/ AND /).every((one) => KNOWN_LICENCES.includes(one)),
  );
}

/** The list of licenses, one line per component. */
export function licenceList(components: readonly Component[]): string {
  return components.map(({ name, version, license }) => `${name} ${version}: ${license}\n`).join('');
}

/** The bill of materials in CycloneDX 1.6 format, without anything that changes between builds. */
export function billOfMaterials(
  version: string,
  time: Date,
  components: readonly Component[],
): Record<string, unknown> {
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: time.toISOString(),
      component: { type: 'application', name: 'parley-server', version, 'bom-ref': 'parley-server' },
    },
    components: components.map((component) => ({
      type: 'library',
      name: component.name,
      version: component.version,
      'bom-ref': packageUrl(component),
      purl: packageUrl(component),
      licenses: [{ expression: component.license }],
      ...hashesOf(component),
      ...(component.cpe && { cpe: component.cpe }),
      ...(component.isDebian && { properties: [{ name: 'parley:only-in', value: 'image' }] }),
    })),
  };
}

/** The package URL of a component, for scanners. */
export function packageUrl({ name, version, isDebian }: Component): string {
  if (isDebian) return `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=amd64`;
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function hashesOf({ integrity, sha256 }: Component): Record<string, unknown> {
  if (sha256 !== undefined) return { hashes: [{ alg: 'SHA-256', content: sha256 }] };
  const [, base64] = /^sha512-(.+)$/.exec(integrity ?? '') ?? [];
  if (base64 === undefined) return {};
  return { hashes: [{ alg: 'SHA-512', content: Buffer.from(base64, 'base64').toString('hex') }] };
}
