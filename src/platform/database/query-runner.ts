import type { EntityManager, EntityTarget, ObjectLiteral, QueryRunner, Repository } from 'typeorm';
import type { Engine, Queryable, SqlValue } from '../sql/queryable';

/** A statement in the form that an engine's driver takes. */
export interface DriverStatement {
  readonly text: string;
  readonly values: unknown[];
}

interface Translated {
  readonly text: string;
  /** For each placeholder, whether its value is a list. */
  readonly lists: readonly boolean[];
}

/** String literals, quoted names and comments are matched first, so that a `?` in them is left alone. */
const TOKENS =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\b(not\s+)?in\s*\(\s*\?\s*\)|\blimit\s+\?|\?/gi;

/** Statement texts come from source code, so there are few; the limit guards against mistakes. */
const MAX_KEPT = 2_000;

const kept: Record<Engine, Map<string, Translated>> = { sqlite: new Map(), postgres: new Map() };

/**
 * Translates a statement with `?` placeholders for an engine. A list is one parameter on both, so the statement's text,
 * and its prepared form, are the same for every length, including the empty list.
 * @throws {TypeError} when the values do not match the placeholders
 */
export function toDriver(engine: Engine, sql: string, parameters: readonly SqlValue[]): DriverStatement {
  const { text, lists } = translate(engine, sql);
  if (lists.length !== parameters.length) {
    throw new TypeError(`${parameters.length} values for ${lists.length} placeholders in: ${sql}`);
  }
  const values = parameters.map((value, at) => {
    if (isList(value) !== lists[at]) {
      throw new TypeError(`A list must be used with IN (?), and only there: ${sql}`);
    }
    return engine === 'sqlite' ? toSqlite(value) : toPostgres(value);
  });
  return { text, values };
}

function translate(engine: Engine, sql: string): Translated {
  const found = kept[engine].get(sql);
  if (found) return found;
  const lists: boolean[] = [];
  const text = sql.replace(TOKENS, (token: string, not: string | undefined) => {
    const isWholeLimit = /^limit\s/i.test(token);
    if (token === '?' || isWholeLimit) {
      lists.push(false);
      if (engine === 'postgres') return token.replace('?', `$${lists.length}`);
      // If a parameter is the whole LIMIT, SQLite plans with its value and recompiles the statement on each call; the
      // sum hides the parameter.
      return isWholeLimit ? `${token} + 0` : token;
    }
    if (!/^(not\s|in\b)/i.test(token)) return token;
    lists.push(true);
    if (engine === 'sqlite') return `${not ?? ''}IN (SELECT value FROM json_each(?))`;
    return not === undefined ? `= ANY ($${lists.length})` : `<> ALL ($${lists.length})`;
  });
  const translated = { text, lists };
  if (kept[engine].size >= MAX_KEPT) kept[engine].clear();
  kept[engine].set(sql, translated);
  return translated;
}

function isList(value: SqlValue): value is readonly (string | number)[] {
  return Array.isArray(value);
}

function toSqlite(value: SqlValue): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return isList(value) ? JSON.stringify(value) : value;
}

/** A list of numbers in PostgreSQL's notation: its driver would quote each of them. */
export class NumberList {
  constructor(private readonly numbers: readonly number[]) {}

  get length(): number {
    return this.numbers.length;
  }

  /** Called by the driver. */
  toPostgres(): string {
    return `{${this.numbers.join()}}`;
  }
}

function toPostgres(value: SqlValue): unknown {
  if (!isList(value) || !value.every((item) => typeof item === 'number')) return value;
  return new NumberList(value);
}

/** A statement that must return a row returned none. */
class RowMissing extends Error {
  constructor(sql: string) {
    super(`The statement returned no row: ${sql}`);
    this.name = 'RowMissing';
  }
}

/** Sends a statement in the driver's syntax and returns its rows. */
export type SendStatement = (text: string, values: unknown[]) => Promise<object[]>;

/** Sends statements through TypeORM. */
export function throughRunner(runner: QueryRunner): SendStatement {
  return async (text, values) => (await runner.query(text, values, true)).records as object[];
}

/** Queries on one connection, or on any free one of a pool. */
export class RunnerQueryable implements Queryable {
  /**
   * @param connection for entity repositories: a runner, or the data source
   * @param send for everything else
   */
  constructor(
    readonly engine: Engine,
    private readonly connection: { readonly manager: EntityManager },
    private readonly send: SendStatement,
  ) {}

  async query<Row extends object>(sql: string, parameters: readonly SqlValue[] = []): Promise<Row[]> {
    const { text, values } = toDriver(this.engine, sql, parameters);
    return (await this.send(text, values)) as Row[];
  }

  async queryOne<Row extends object>(sql: string, parameters?: readonly SqlValue[]): Promise<Row> {
    const [row] = await this.query<Row>(sql, parameters);
    if (row === undefined) throw new RowMissing(sql);
    return row;
  }

  repository<E extends ObjectLiteral>(entity: EntityTarget<E>): Repository<E> {
    return this.connection.manager.getRepository(entity);
  }
}

/** Like `QueryRunner.query`; the last argument selects between a `QueryResult` and its raw rows. */
export type QueryFunction = (
  text: string,
  values: unknown[],
  isStructured: boolean | undefined,
) => Promise<unknown>;

/** A query runner like the given one, including entity repositories, that sends every statement through a function. */
export function interceptQueries(inner: QueryRunner, query: QueryFunction): QueryRunner {
  const runner = Object.create(inner, {
    query: {
      value: (text: string, values: unknown[] = [], isStructured?: boolean) =>
        query(text, values, isStructured),
    },
  }) as QueryRunner;
  // Creates the runner's own entity manager.
  inner.dataSource.createEntityManager(runner);
  return runner;
}

/**
 * Marks a connection as being in a transaction for as long as we use it. TypeORM does not notice a BEGIN that it did
 * not send, and entity repositories would open a transaction of their own.
 */
export function declareInTransaction(runner: QueryRunner): void {
  Object.assign(runner, { isTransactionActive: true, transactionDepth: 1 });
}
