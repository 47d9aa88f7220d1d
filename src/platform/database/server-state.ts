import type { SqlRunner } from '../sql/queryable';

/**
 * Small facts about the installation without a table, each under a key that one part of the program owns. Values are
 * text; numbers are decimal.
 */
const PUT = 'INSERT INTO server_state (key, value) VALUES (?, ?) ON CONFLICT (key)';

/** Null if the key has no value. */
export async function readState(db: SqlRunner, key: string): Promise<string | null> {
  const [row] = await db.query<{ value: string }>('SELECT value FROM server_state WHERE key = ?', [key]);
  return row?.value ?? null;
}

/** Sets or replaces the value. */
export async function writeState(tx: SqlRunner, key: string, value: string): Promise<void> {
  await tx.query(`${PUT} DO UPDATE SET value = excluded.value`, [key, value]);
}

/**
 * Stores the value unless the key already has one.
 * @returns the stored value
 */
export async function writeStateOnce(tx: SqlRunner, key: string, value: string): Promise<string> {
  await tx.query(`${PUT} DO NOTHING`, [key, value]);
  return (await readState(tx, key)) ?? value;
}

/**
 * Adds to a number, initially 0. On PostgreSQL, others that change the number wait until the transaction ends, so do it
 * late.
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
 * Raises a number to the given one, or by one if it is already that high.
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
