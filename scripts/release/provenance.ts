import type { Component } from './components';
import { packageUrl } from './components';
import { run } from './commands';

/** A file with its checksum. */
interface Made {
  readonly name: string;
  readonly sha256: string;
}

/** What a statement of provenance tells. */
export interface Origin {
  readonly version: string;
  readonly commit: string;
  /** UNIX seconds of the commit. */
  readonly epoch: string;
  /** Of the lock file. */
  readonly lockSha256: string;
  /** What was downloaded apart from what the lock file names. */
  readonly downloads: readonly Component[];
  /** Versions of programs, by their names; other versions may make other bytes. */
  readonly tools: Readonly<Record<string, string>>;
}

/** Names for the kind of build and for who builds, which are URIs that lead nowhere. */
const KIND = 'tag:parley.invalid,2026:npm-run-release';

const TOOLS = ['g++', 'make', 'python3', 'tar', 'gzip', 'xz', 'dpkg-deb', 'npm'];

/** The versions of what builds a release. */
export function toolVersions(): Record<string, string> {
  const versions = TOOLS.map((tool) => [tool, run('.', tool, ['--version'], { LC_ALL: 'C' }).split('\n')[0]]);
  return { node: process.version, ...(Object.fromEntries(versions) as Record<string, string>) };
}

/**
 * Says from what, and with what, files were built: an in-toto statement with SLSA's predicate for provenance, without
 * anything that changes from build to build. To verify it, build the commit again and compare.
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
