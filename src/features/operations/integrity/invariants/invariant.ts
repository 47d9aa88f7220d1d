import type { Engine, Queryable } from '../../../../platform/sql/queryable';

/** Maximum number of listed findings per invariant. */
export const MOST_FINDINGS = 20;

/** A condition that the database always meets. */
export interface Invariant {
  readonly name: string;
  /** The condition as a sentence. */
  readonly about: string;
  /** The engine for which it can be checked; both if omitted. */
  readonly engine?: Engine;

  /** Violations, one sentence each; slightly more than {@link MOST_FINDINGS} are enough. */
  find(db: Queryable): Promise<string[]>;
}

/** An invariant that is checked by a single query, at one moment: each returned row is a violation. */
export function byQuery<Row extends object>(
  name: string,
  about: string,
  sql: string,
  describe: (row: Row) => string,
): Invariant {
  return {
    name,
    about,
    find: async (db) => (await db.query<Row>(`${sql} LIMIT ${MOST_FINDINGS + 1}`)).map(describe),
  };
}

/** An invariant that is checked row by row. */
export function byRows<Row extends object>(
  name: string,
  about: string,
  sql: string,
  describe: (row: Row) => string | null,
): Invariant {
  return {
    name,
    about,
    find: async (db) => {
      const found: string[] = [];
      for (const row of await db.query<Row>(sql)) {
        const finding = describe(row);
        if (finding !== null) found.push(finding);
        if (found.length > MOST_FINDINGS) break;
      }
      return found;
    },
  };
}
