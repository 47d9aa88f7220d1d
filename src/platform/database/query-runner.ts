import type { EntityManager, EntityTarget, ObjectLiteral, QueryRunner, Repository } from 'typeorm';
import { toDriver } from '../sql/placeholders';
import type { Engine, Queryable, SqlValue } from '../sql/queryable';

/** A statement that always gives a row gave none. */
class RowMissing extends Error {
  constructor(sql: string) {
    super(`The statement gave no row: ${sql}`);
    this.name = 'RowMissing';
  }
}

/** Sends a statement in the words of the driver, and gives back its rows. */
export type SendStatement = (text: string, values: unknown[]) => Promise<object[]>;

/** Sends statements in the way of TypeORM. */
export function throughRunner(runner: QueryRunner): SendStatement {
  return async (text, values) => (await runner.query(text, values, true)).records as object[];
}

/** Queries on one connection, or on whichever the pool has free. */
export class RunnerQueryable implements Queryable {
  /**
   * @param connection on which entity repositories work: a runner, or the source of all of them
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

/** As `QueryRunner.query`; the last argument says whether a `QueryResult` is wanted or what is raw in it. */
export type QueryFunction = (
  text: string,
  values: unknown[],
  isStructured: boolean | undefined,
) => Promise<unknown>;

/** A query runner like the given one, entity repositories included, that sends every statement through a function. */
export function interceptQueries(inner: QueryRunner, query: QueryFunction): QueryRunner {
  const runner = Object.create(inner, {
    query: {
      value: (text: string, values: unknown[] = [], isStructured?: boolean) =>
        query(text, values, isStructured),
    },
  }) as QueryRunner;
  // Makes the entity manager of the new runner its own.
  inner.dataSource.createEntityManager(runner);
  return runner;
}

/**
 * Tells TypeORM that a transaction is open on a connection for as long as we use it. It does not notice a
 * BEGIN that it did not send, and would have entity repositories open a transaction of their own.
 */
export function declareInTransaction(runner: QueryRunner): void {
  Object.assign(runner, { isTransactionActive: true, transactionDepth: 1 });
}
