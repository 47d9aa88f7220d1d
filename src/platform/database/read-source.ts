import type { DataSource, ObjectLiteral, QueryRunner, Repository } from 'typeorm';
import { WriteThroughReads } from './database.errors';

/**
 * A read-only repository of committed rows, for `@InjectRepository(Entity)`. For writes, use `tx.repository(Entity)` of
 * a transaction.
 */
export type ReadRepository<E extends ObjectLiteral> = Pick<
  Repository<E>,
  | 'count'
  | 'countBy'
  | 'exists'
  | 'existsBy'
  | 'find'
  | 'findAndCount'
  | 'findAndCountBy'
  | 'findBy'
  | 'findOne'
  | 'findOneBy'
  | 'findOneByOrFail'
  | 'findOneOrFail'
>;
/** Behind a pooler, PostgreSQL connections are not read-only, so everything else is blocked here, on both engines. */
const READS = /^\s*SELECT\b/i;
/**
 * The data source for injected repositories: uses the connections of another one, without the means to write or to
 * close it. Its repositories fail with {@link WriteThroughReads} on anything but a SELECT.
 */
export function readingSource(source: DataSource): DataSource {
  const reading = Object.create(source, {
    createQueryRunner: {
      value: (mode?: 'master' | 'slave') => readingRunner(source.createQueryRunner(mode)),
    },
    // `Database.close` closes the connections, after the last write.
    destroy: { value: () => Promise.resolve() },
  }) as DataSource;
  Object.defineProperty(reading, 'manager', { value: source.createEntityManager.call(reading) });
  return reading;
}
/** A separate runner for each caller: on SQLite the driver shares one. */
function readingRunner(inner: QueryRunner): QueryRunner {
  const send = Reflect.get(inner, 'query') as (
    this: QueryRunner,
    text: string,
    ...rest: unknown[]
  ) => Promise<unknown>;
  const runner = Object.create(inner, {
    query: {
      value(this: QueryRunner, text: string, ...rest: unknown[]) {
        return READS.test(text)
          ? send.call(this, text, ...rest)
          : Promise.reject(new WriteThroughReads(text));
      },
    },
  }) as QueryRunner;
  // Creates the runner's own entity manager.
  inner.dataSource.createEntityManager(runner);
  return runner;
}
