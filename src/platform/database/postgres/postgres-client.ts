import type { Duplex } from 'node:stream';
import type { Pool, PoolClient } from 'pg';
import { type DataSource, QueryFailedError, type QueryRunner } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import { ServerBusy } from '../../errors/request.errors';
import { NumberList, type SendStatement } from '../query-runner';
import { LeanStatement } from './lean-statement';

/** pg has no code for this error. */
const POOL_EXHAUSTED = 'timeout exceeded when trying to connect';

/** A statement is prepared once it was used this often. */
const USES_BEFORE_PREPARED = 5;

/** Maximum number of prepared statements per connection; others are planned each time. */
const MAX_PREPARED = 300;

/** A statement with a longer list is planned each time: a plan for a few values does not suit thousands. */
const MAX_LISTED = 16;

/** Statement texts come from source code, so there are few; the limit guards against mistakes. */
const MAX_COUNTED = 2_000;

/**
 * The connection of a runner, taken from its pool.
 * @throws {ServerBusy} when none becomes free in time
 */
export async function connect(runner: QueryRunner): Promise<PoolClient> {
  try {
    return (await runner.connect()) as PoolClient;
  } catch (error) {
    throw isExhausted(error) ? new ServerBusy() : error;
  }
}

/** Whether a pool had no connection free in time. */
export function isExhausted(error: unknown): boolean {
  return error instanceof Error && error.message === POOL_EXHAUSTED;
}

/** Connections whose prepared statements do not survive the transaction. */
const forgetful = new WeakSet<PoolClient>();

/**
 * Disables prepared statements on the connections of a pool, because a pooler changes the server connection after each
 * transaction.
 */
export function prepareNothing(pool: Pool): void {
  pool.on('acquire', (client) => forgetful.add(client));
}

/** Sends statements on one connection, bypassing TypeORM; frequent ones are prepared. */
export function throughClient(client: PoolClient): SendStatement {
  return (text, values) => {
    gather(client);
    const name = forgetful.has(client) || values.some(isLong) ? undefined : preparedName(text);
    return new LeanStatement(client, text, values, name).send();
  };
}

function isLong(value: unknown): boolean {
  return (Array.isArray(value) || value instanceof NumberList) && value.length > MAX_LISTED;
}

/**
 * Sends all statements issued in one turn of the event loop in a single packet: a packet per statement is a
 * considerable part of its cost.
 */
export function gather(client: PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** The connections of a source. */
export function poolOf(source: DataSource): Pool {
  return (source.driver as PostgresDriver).master as Pool;
}

/**
 * Sends each statement on a free connection, bypassing TypeORM. Not prepared: for many reads, the best plan depends on
 * the values.
 */
export function throughPool(source: DataSource): SendStatement {
  const pool = poolOf(source);
  return (text, values) =>
    new Promise((resolve, reject) => {
      pool.connect((error, client, release) => {
        if (error || !client) {
          reject(new QueryFailedError(text, values, error as Error));
          return;
        }
        new LeanStatement(client, text, values).send().then(
          (rows) => {
            release();
            resolve(rows);
          },
          // As the pool does with its own statements: the connection is not reused.
          (reason: Error) => {
            release(reason);
            reject(reason);
          },
        );
      });
    });
}

const uses = new Map<string, number>();
const names = new Map<string, string>();

/** The name of a prepared statement; undefined if it is not prepared. */
function preparedName(text: string): string | undefined {
  const name = names.get(text);
  if (name !== undefined || names.size >= MAX_PREPARED) return name;
  const count = (uses.get(text) ?? 0) + 1;
  if (uses.size >= MAX_COUNTED) uses.clear();
  uses.set(text, count);
  if (count < USES_BEFORE_PREPARED) return undefined;
  uses.delete(text);
  names.set(text, `parley_${names.size + 1}`);
  return names.get(text);
}

/**
 * Pipelines statements.
 * @returns the rows of the last one
 * @throws the error of the first failed one, once all are answered
 */
export async function sendTogether<Row extends object>(
  client: PoolClient,
  statements: readonly string[],
): Promise<Row[]> {
  const answers = await Promise.allSettled(
    statements.map((statement) => new LeanStatement(client, statement).send()),
  );
  let rows: object[] = [];
  for (const answer of answers) {
    if (answer.status === 'rejected') throw answer.reason;
    rows = answer.value;
  }
  return rows as Row[];
}
