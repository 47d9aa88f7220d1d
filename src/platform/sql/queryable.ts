import type { EntityTarget, ObjectLiteral, Repository } from 'typeorm';

/** The two supported engines. */
export type Engine = 'sqlite' | 'postgres';

/** A parameter of a statement. An array is the whole list of `IN (?)` or `NOT IN (?)`. */
export type SqlValue = string | number | boolean | null | Buffer | readonly (string | number)[];

/** A statement with `?` for parameters, and their values. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
}

/** Runs SQL with `?` placeholders, written once for both engines. */
export interface SqlRunner {
  readonly engine: Engine;

  /**
   * @returns the rows selected, or returned by `RETURNING`. Booleans read this way are 0 and 1 on SQLite: use
   *   `Boolean(row.x)`.
   */
  query<Row extends object>(sql: string, parameters?: readonly SqlValue[]): Promise<Row[]>;

  /**
   * The first row of a statement that always returns one, such as `INSERT ... RETURNING`.
   * @throws RowMissing
   */
  queryOne<Row extends object>(sql: string, parameters?: readonly SqlValue[]): Promise<Row>;
}

/** Something that queries and entity repositories run on: a connection, or an open transaction. */
export interface Queryable extends SqlRunner {
  /** For writes and for reads of a few rows; lists are cheaper as raw rows. */
  repository<E extends ObjectLiteral>(entity: EntityTarget<E>): Repository<E>;
}

/** The read-only view of the open database. */
export abstract class CommittedReads {
  abstract readonly engine: Engine;
  /** Committed rows. Read-only: a read-only connection on SQLite, a pool of them on PostgreSQL. */
  abstract readonly read: Queryable;
}
