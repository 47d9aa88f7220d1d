import type { SqlRunner } from '../sql/queryable';

/**
 * Small facts about the installation that have no table of their own, each under a key that one part of the program
 * owns. They are text; numbers are stored in decimal.
 */
const PUT = 'INSERT INTO server_state (key, value) VALUES (?, ?) ON CONFLICT (key)';

/** Null where nothing was stored under the key. */
export async function readState(db: SqlRunner, key: string): Promise<string | null> {
  const [row] = await db.query<{ value: string }>('SELECT value FROM server_state WHERE key = ?', [key]);
  return row?.value ?? null;
}

/** Replaces what is there. */
export async function writeState(tx: SqlRunner, key: string, value: string): Promise<void> {
  await tx.query(`${PUT} DO UPDATE SET value = excluded.value`, [key, value]);
}

/**
 * Stores the value unless there is one.
 * @returns what is stored now
 */
export async function writeStateOnce(tx: SqlRunner, key: string, value: string): Promise<string> {
  await tx.query(`${PUT} DO NOTHING`, [key, value]);
  return (await readState(tx, key)) ?? value;
}

/**
 * Adds to a number, which is 0 where there was none. On PostgreSQL others who change the number wait until the
 * transaction ends, so do it late.
 * @returns the sum
 */
export async function addToState(tx: SqlRunner, key: string, amount: number): Promise<number> {
  const { value } = await tx.queryOne<{ value: string }>(
    `${PUT} DO UPDATE
     SET value = CAST(CAST(server_state.value AS bigint) + CAST(excluded.value AS bigint) AS text)
     RETURNING value`,
    [key, String(amount)],
  );
  return Number(value);
}

/**
 * Raises a number to the one given, or by one where it is that high already.
 * @returns the new number, never used before
 */
export async function raiseState(tx: SqlRunner, key: string, number: number): Promise<number> {
  const { value } = await tx.queryOne<{ value: string }>(
    `${PUT} DO UPDATE
     SET value = CASE WHEN CAST(server_state.value AS bigint) < ? THEN excluded.value
       ELSE CAST(CAST(server_state.value AS bigint) + 1 AS text) END
     RETURNING value`,
    [key, String(number), number],
  );
  return Number(value);
}
