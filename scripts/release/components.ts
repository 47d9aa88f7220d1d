/** What a release contains, from the lock file: for its list of licences and its bill of materials. */
export interface Component {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** Of the archive that npm fetched, as the lock file has it. */
  readonly integrity?: string;
  /** Of the downloaded file, where no lock file names it. */
  readonly sha256?: string;
  /** Whether it is a package of Debian, which only the image contains. */
  readonly isDebian?: true;
  /** Its name in databases of vulnerabilities that do not know npm. */
  readonly cpe?: string;
}

interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly link?: boolean;
}

/** The licences whose terms a release meets. LGPL is that of libvips alone, a library of its own that can be exchanged. */
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
 * The packages of a lock file that lie in a tree, sorted by name.
 * @param isThere says of a path such as `node_modules/pg` whether the tree has it
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

/** Components with a licence that nobody has looked at. */
export function unknownLicences(components: readonly Component[]): Component[] {
  return components.filter(
    ({ license }) => !license.split(/ AND /).every((one) => KNOWN_LICENCES.includes(one)),
  );
}

/** The list of licences, a line for each component. */
export function licenceList(components: readonly Component[]): string {
  return components.map(({ name, version, license }) => `${name} ${version}: ${license}\n`).join('');
}

/** The bill of materials in the form of CycloneDX 1.6, without anything that changes from build to build. */
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

/** The address of a component, as scanners know it. */
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
