import type { PoolClient, QueryResultRow } from 'pg';
import type { QueryRunner } from 'typeorm';
import { ServerBusy } from '../../errors/request.errors';

/** The pool has no code for it. */
const POOL_EXHAUSTED = 'timeout exceeded when trying to connect';

/**
 * The connection of a runner, taken from its pool.
 * @throws {ServerBusy} when none is free in time
 */
export async function connect(runner: QueryRunner): Promise<PoolClient> {
  try {
    return (await runner.connect()) as PoolClient;
  } catch (error) {
    throw error instanceof Error && error.message === POOL_EXHAUSTED ? new ServerBusy() : error;
  }
}

/**
 * Sends statements in one go, without waiting for answers in between.
 * @returns the rows of the last one
 * @throws what the first failed one failed with, once all are answered
 */
export async function sendTogether<Row extends QueryResultRow>(
  client: PoolClient,
  statements: readonly string[],
): Promise<Row[]> {
  const answers = await Promise.allSettled(statements.map((statement) => client.query<Row>(statement)));
  let rows: Row[] = [];
  for (const answer of answers) {
    if (answer.status === 'rejected') throw answer.reason;
    rows = answer.value.rows;
  }
  return rows;
}
