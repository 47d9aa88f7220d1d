import type { DataSource } from 'typeorm';
import { OLDEST_RELEASE_ON_TABLES, PROGRAM_VERSION } from '../version';

const KEY = 'oldest_release';

/**
 * Writes into the database which releases its tables allow, before migrations change them: an older release that is
 * started again then knows whether it can work.
 */
export async function writeOldestRelease(source: DataSource): Promise<void> {
  await source.query(
    `INSERT INTO server_state (key, value) VALUES ('${KEY}', '${OLDEST_RELEASE_ON_TABLES}')
     ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
  );
}

/** Whether this release works on tables that a newer one has changed, as that one said. */
export async function areTablesUsable(
  query: (sql: string) => Promise<{ value: string }[]>,
  release = PROGRAM_VERSION,
): Promise<boolean> {
  const [row] = await query(`SELECT value FROM server_state WHERE key = '${KEY}'`);
  return row !== undefined && compareReleases(release, row.value) >= 0;
}

/** @returns below 0 if the first, such as `0.2.0`, is the older one */
export function compareReleases(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}
