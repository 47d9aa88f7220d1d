import type { DataSource, ObjectLiteral, QueryRunner, Repository } from 'typeorm';
import { WriteThroughReads } from './database.errors';

/**
 * An entity's repository that only reads committed rows, by `@InjectRepository(Entity)`. Writing takes `tx.repository(Entity)` of a
 * transaction.
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
/** Behind a pooler, connections of PostgreSQL are not read-only; whatever the engine, nothing else goes through. */
const READS = /^\s*SELECT\b/i;
/**
 * The source that repositories are injected from: the connections of another one, without the ways to write and to close it. Its
 * repositories fail with {@link WriteThroughReads} at anything but a SELECT.
 */
export function readingSource(source: DataSource): DataSource {
  const reading = Object.create(source, {
    createQueryRunner: {
      value: (mode?: 'master' | 'slave') => readingRunner(source.createQueryRunner(mode)),
    },
    // `Database.close` ends the connections, after the last write.
    destroy: { value: () => Promise.resolve() },
  }) as DataSource;
  Object.defineProperty(reading, 'manager', { value: source.createEntityManager.call(reading) });
  return reading;
}
/** A separate runner for each caller: on SQLite the driver has one for all. */
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
  // Makes the entity manager of the new runner its own.
  inner.dataSource.createEntityManager(runner);
  return runner;
}
