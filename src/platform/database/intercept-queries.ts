import type { QueryRunner } from 'typeorm';

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
