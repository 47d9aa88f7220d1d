import type { Engine, Queryable } from '../../../platform/sql/queryable';

/** Findings of one kind that are told one by one; there may be more. */
export const MOST_FINDINGS = 20;

/** Something that is always true of the database. */
export interface Invariant {
  readonly name: string;
  /** The sentence that holds. */
  readonly about: string;
  /** Where it can be asked; everywhere if not given. */
  readonly engine?: Engine;

  /** What does not fit, one sentence each; a few more than {@link MOST_FINDINGS} are enough. */
  find(db: Queryable): Promise<string[]>;
}

/** One that a single query decides, which sees one moment: each of its rows is something that does not fit. */
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

/** One that is decided row by row. */
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
