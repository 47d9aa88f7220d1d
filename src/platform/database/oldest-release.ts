import type { DataSource } from 'typeorm';
import { OLDEST_RELEASE_ON_TABLES, PROGRAM_VERSION } from '../version';

const KEY = 'oldest_release';

type Query = (sql: string) => Promise<{ value: string }[]>;

/**
 * Records in the database which releases its tables allow, before migrations change them, so that an older release that
 * starts on it again knows whether it can. What a newer release recorded stays, because its tables do.
 */
export async function writeOldestRelease(source: DataSource): Promise<void> {
  const written = await oldestRelease((sql) => source.query(sql));
  if (written !== undefined && compareReleases(written, OLDEST_RELEASE_ON_TABLES) > 0) return;
  await source.query(
    `INSERT INTO server_state (key, value) VALUES ('${KEY}', '${OLDEST_RELEASE_ON_TABLES}')
     ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
  );
}

/** Whether this release can use tables changed by a newer one, as recorded by that release. */
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
