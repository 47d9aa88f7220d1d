import type { DataSource } from 'typeorm';
import { OLDEST_RELEASE_ON_TABLES, PROGRAM_VERSION } from '../version';

const KEY = 'oldest_release';

type Query = (sql: string) => Promise<{ value: string }[]>;

/**
 * Writes into the database which releases its tables allow, before migrations change them: an older release that is
 * started again then knows whether it can work. What a newer release wrote stays, since its tables do.
 */
export async function writeOldestRelease(source: DataSource): Promise<void> {
  const written = await oldestRelease((sql) => source.query(sql));
  if (written !== undefined && compareReleases(written, OLDEST_RELEASE_ON_TABLES) > 0) return;
  await source.query(
    `INSERT INTO server_state (key, value) VALUES ('${KEY}', '${OLDEST_RELEASE_ON_TABLES}')
     ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
  );
}

/** Whether this release works on tables that a newer one has changed, as that one said. */
export async function areTablesUsable(query: Query, release = PROGRAM_VERSION): Promise<boolean> {
  const written = await oldestRelease(query);
  return written !== undefined && compareReleases(release, written) >= 0;
}

/** @returns below 0 if the first, such as `0.2.0`, is the older one */
export function compareReleases(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}

async function oldestRelease(query: Query): Promise<string | undefined> {
  const [row] = await query(`SELECT value FROM server_state WHERE key = '${KEY}'`);
  return row?.value;
}
