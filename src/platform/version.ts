import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The release of this program, as package.json has it. */
export const PROGRAM_VERSION = '0.2.0';

/**
 * The oldest release that works on the tables of this one: they have everything that it reads, and need nothing that it
 * does not write. Raise it with a migration that takes something away. (0.2.0 itself does not read this yet: it refuses
 * tables with migrations that it does not know.)
 */
export const OLDEST_RELEASE_ON_TABLES = '0.2.0';

/**
 * The release of the interface that the server claims to speak, and its feature level. Clients refuse to
 * talk to releases before those they know, and choose by the level what they may ask for.
 */
export const ADVERTISED_VERSION = '12.0';

/** Every rule up to this level is honoured; raise it with the rules. */
export const FEATURE_LEVEL = 497;

/** Written by `scripts/write-build.ts`. */
const FILE = join(__dirname, '..', 'build.json');

/** What a build knows of the sources that it was made from. */
export interface Build {
  /** Such as `5f4de3720c1a`, with `-dirty` after it where files had been changed; null for sources outside of git. */
  readonly commit: string | null;
  /** Name of the newest migration. */
  readonly schema: string;
}

/** @returns null where the program is not built but translated as it runs */
export function readBuild(): Build | null {
  try {
    return JSON.parse(readFileSync(FILE, 'utf8')) as Build;
  } catch {
    return null;
  }
}
