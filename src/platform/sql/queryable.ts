import type { EntityTarget, ObjectLiteral, Repository } from 'typeorm';

/** The two engines that everything runs on. */
export type Engine = 'sqlite' | 'postgres';

/** A parameter of a statement. An array stands for the whole list of `IN (?)` or `NOT IN (?)`. */
export type SqlValue = string | number | boolean | null | Buffer | readonly (string | number)[];

/** A statement with `?` for parameters, and their values. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
}

/** Runs SQL with `?` for parameters, written once for both engines. */
export interface SqlRunner {
  readonly engine: Engine;

  /**
   * @returns the rows selected or given back by `RETURNING`. Booleans read this way are 0 and 1 on
   *   SQLite: use `Boolean(row.x)`.
   */
  query<Row extends object>(sql: string, parameters?: readonly SqlValue[]): Promise<Row[]>;

  /**
   * The first row of a statement that always gives one, such as `INSERT ... RETURNING`.
   * @throws RowMissing
   */
  queryOne<Row extends object>(sql: string, parameters?: readonly SqlValue[]): Promise<Row>;
}

/** Something that queries and entity repositories run on: a connection, or an open transaction. */
export interface Queryable extends SqlRunner {
  /** For writes and for reads of a few rows; lists are cheaper as raw rows. */
  repository<E extends ObjectLiteral>(entity: EntityTarget<E>): Repository<E>;
}

/** The open database, as far as one may know it who only reads. */
export abstract class CommittedReads {
  abstract readonly engine: Engine;
  /** Committed rows. Cannot write: a read-only connection on SQLite, a pool of such on PostgreSQL. */
  abstract readonly read: Queryable;
}
