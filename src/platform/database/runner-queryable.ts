import type { DataSource, EntityTarget, ObjectLiteral, QueryRunner, Repository } from 'typeorm';
import { RowMissing } from './database.errors';
import { toDriver } from '../sql/placeholders';
import type { Engine, Queryable, SqlValue } from '../sql/queryable';

/** Queries on one connection, or on whichever the pool has free. */
export class RunnerQueryable implements Queryable {
  /** @param runner the connection to stay on; without it, each statement takes one from the pool */
  constructor(
    readonly engine: Engine,
    private readonly source: DataSource,
    private readonly runner?: QueryRunner,
  ) {}

  async query<Row extends object>(sql: string, parameters: readonly SqlValue[] = []): Promise<Row[]> {
    const { text, values } = toDriver(this.engine, sql, parameters);
    const runner = this.runner ?? this.source.createQueryRunner();
    try {
      const result = await runner.query(text, values, true);
      return result.records as Row[];
    } finally {
      if (!this.runner) await runner.release();
    }
  }

  async queryOne<Row extends object>(sql: string, parameters?: readonly SqlValue[]): Promise<Row> {
    const [row] = await this.query<Row>(sql, parameters);
    if (row === undefined) throw new RowMissing(sql);
    return row;
  }

  repository<E extends ObjectLiteral>(entity: EntityTarget<E>): Repository<E> {
    return (this.runner ?? this.source).manager.getRepository(entity);
  }
}
