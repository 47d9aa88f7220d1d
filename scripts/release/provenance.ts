import type { Component } from './components';
import { packageUrl } from './components';
import { run } from './commands';

/** A file with its checksum. */
interface Made {
  readonly name: string;
  readonly sha256: string;
}

/** Contents of a provenance statement. */
export interface Origin {
  readonly version: string;
  readonly commit: string;
  /** UNIX seconds of the commit. */
  readonly epoch: string;
  /** Checksum of the lock file. */
  readonly lockSha256: string;
  /** Downloads that are not in the lock file. */
  readonly downloads: readonly Component[];
  /** Versions of programs by name; other versions may produce other bytes. */
  readonly tools: Readonly<Record<string, string>>;
}

/** URIs of the build type and of the builder, which do not resolve. */
const KIND = 'tag:parley.invalid,2026:npm-run-release';

const TOOLS = ['g++', 'make', 'python3', 'tar', 'gzip', 'xz', 'dpkg-deb', 'npm'];

/** The versions of the programs that build a release. */
export function toolVersions(): Record<string, string> {
  const versions = TOOLS.map((tool) => [tool, run('.', tool, ['--version'], { LC_ALL: 'C' }).split('\n')[0]]);
  return { node: process.version, ...(Object.fromEntries(versions) as Record<string, string>) };
}

/**
 * A statement of how files were built: an in-toto statement with SLSA's provenance predicate, without anything that
 * changes between builds. To verify it, build the commit again and compare.
 */
export function provenance(origin: Origin, made: readonly Made[]): Record<string, unknown> {
  const { version, commit, epoch, lockSha256, downloads, tools } = origin;
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: made.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: KIND,
        externalParameters: { version, commit },
        internalParameters: { SOURCE_DATE_EPOCH: epoch, tools },
        resolvedDependencies: [
          { name: 'source', digest: { gitCommit: commit } },
          { name: 'package-lock.json', digest: { sha256: lockSha256 } },
          ...downloads.map((component) => ({
            name: component.name,
            uri: packageUrl(component),
            digest: { sha256: component.sha256 },
          })),
        ],
      },
      runDetails: { builder: { id: KIND } },
    },
  };
}
