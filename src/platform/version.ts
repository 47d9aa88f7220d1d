import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The release of this program, as in package.json. */
export const PROGRAM_VERSION = '0.2.0';

/**
 * The oldest release that can run on the tables of this one: they contain everything that it reads, and require nothing
 * that it does not write. Raise it with a migration that removes something. (0.2.0 itself does not read this yet: it
 * refuses tables with unknown migrations.)
 */
export const OLDEST_RELEASE_ON_TABLES = '0.2.0';

/**
 * The server version and feature level reported to clients. Clients refuse servers older than they support, and choose
 * features by the level.
 */
export const ADVERTISED_VERSION = '12.0';

/** All rules up to this level are implemented; raise it with the rules. */
export const FEATURE_LEVEL = 497;

/** Written by `scripts/write-build.ts`. */
const FILE = join(__dirname, '..', 'build.json');

/** Describes the sources that a build was made from. */
export interface Build {
  /** Such as `5f4de3720c1a`, with the suffix `-dirty` if files had been changed; null for sources outside git. */
  readonly commit: string | null;
  /** Name of the newest migration. */
  readonly schema: string;
}

/** @returns null if the program runs from source */
export function readBuild(): Build | null {
  try {
    return JSON.parse(readFileSync(FILE, 'utf8')) as Build;
  } catch {
    return null;
  }
}
