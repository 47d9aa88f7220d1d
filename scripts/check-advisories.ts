import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { satisfies, validRange } from 'semver';

/**
 * Compares the lock file with `advisories.json`, without a network. With `--registry`, also runs `npm audit`, but skips
 * it if the registry does not answer.
 */
const root = join(__dirname, '..');

interface Advisory {
  readonly id: string;
  readonly package: string;
  /** Version range in npm's notation. */
  readonly vulnerable: string;
  /** The consequences of the advisory for Parley. */
  readonly meaning: string;
  /** Why a vulnerable version is acceptable. */
  readonly accepted?: string;
}

interface Audit {
  readonly vulnerabilities?: Record<string, { readonly via: readonly (string | Finding)[] }>;
}

interface Finding {
  readonly name: string;
  readonly title: string;
  readonly url: string;
}

const read = <T>(...path: string[]) => JSON.parse(readFileSync(join(root, ...path), 'utf8')) as T;

const { reviewed, advisories } = read<{ reviewed: string; advisories: readonly Advisory[] }>(
  'scripts',
  'advisories.json',
);

/** A package of the lock file. */
export interface Locked {
  readonly name: string;
  readonly version: string;
}

/**
 * Every package of the lock file with its version; including development packages, because they run where the server is
 * built.
 */
export function lockedVersions(): Locked[] {
  const { packages } = read<{ packages: Record<string, { name?: string; version?: string }> }>(
    'package-lock.json',
  );
  return Object.entries(packages).flatMap(([path, { name, version }]) => {
    const folder = path.split('node_modules/').at(-1) ?? '';
    return path.includes('node_modules/') && version ? [{ name: name ?? folder, version }] : [];
  });
}

/** Vulnerable versions, and acceptances that are no longer needed. */
export function problemsOfVersions(locked: readonly Locked[]): string[] {
  return advisories.flatMap(({ id, package: name, vulnerable, accepted }) => {
    if (validRange(vulnerable) === null) return [`${id}: "${vulnerable}" is no range of versions.`];
    const hit = locked.filter(
      (one) => one.name === name && satisfies(one.version, vulnerable, { includePrerelease: true }),
    );
    if (accepted !== undefined) return hit.length > 0 ? [] : [`${id}: accepted, but no longer installed.`];
    return hit.map(({ version }) => `${id}: ${name} ${version} is vulnerable (${vulnerable}).`);
  });
}

function problemsOfPage(): string[] {
  const page = readFileSync(join(root, 'SECURITY.md'), 'utf8');
  return page.includes(reviewed)
    ? []
    : [`SECURITY.md does not say that advisories were read on ${reviewed}.`];
}

function problemsOfRegistry(): string[] {
  const { stdout } = spawnSync('npm', ['audit', '--json', '--fetch-retries=0', '--fetch-timeout=20000'], {
    cwd: root,
    encoding: 'utf8',
  });
  let audit: Audit = {};
  try {
    audit = JSON.parse(stdout) as Audit;
  } catch {
    // Reported below.
  }
  if (!audit.vulnerabilities) {
    console.log('The registry answers no questions about advisories; skipped.');
    return [];
  }
  const known = new Set(advisories.filter(({ accepted }) => accepted).map(({ id }) => id));
  const findings = Object.values(audit.vulnerabilities).flatMap(({ via }) =>
    via.filter((one): one is Finding => typeof one !== 'string'),
  );
  return findings
    .filter(({ url }) => !known.has(url.split('/').at(-1) ?? ''))
    .map(({ name, title, url }) => `${name}: ${title} (${url})`);
}

function main(): void {
  const problems = [
    ...problemsOfVersions(lockedVersions()),
    ...problemsOfPage(),
    ...(process.argv.includes('--registry') ? problemsOfRegistry() : []),
  ];
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}

if (require.main === module) main();
