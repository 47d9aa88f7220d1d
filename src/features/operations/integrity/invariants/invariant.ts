import type { Engine, Queryable } from '../../../../platform/sql/queryable';

/** The most findings of one invariant that are listed one by one. */
export const MOST_FINDINGS = 20;

/** A statement that is always true of the database. */
export interface Invariant {
  readonly name: string;
  /** The statement as a sentence. */
  readonly about: string;
  /** The engine that can be checked for it; both if omitted. */
  readonly engine?: Engine;

  /** Violations, one sentence each; a few more than {@link MOST_FINDINGS} are enough. */
  find(db: Queryable): Promise<string[]>;
}

/** An invariant that a single query decides, at one moment: each row it returns is a violation. */
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

/** An invariant that is decided row by row. */
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
