import type { Duplex } from 'node:stream';
import type { Pool, PoolClient } from 'pg';
import { type DataSource, QueryFailedError, type QueryRunner } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import { ServerBusy } from '../../errors/request.errors';
import { NumberList, type SendStatement } from '../query-runner';
import { LeanStatement } from './lean-statement';

/** The pool has no code for it. */
const POOL_EXHAUSTED = 'timeout exceeded when trying to connect';

/** A statement that was used this often is prepared from then on. */
const USES_BEFORE_PREPARED = 5;

/** Each connection keeps the plans of so many statements; others are planned each time. */
const MAX_PREPARED = 300;

/** A statement with a longer list is planned for it: the plan for a few values is none for thousands. */
const MAX_LISTED = 16;

/** Texts are few, as they come from source code; the limit only bounds a mistake. */
const MAX_COUNTED = 2_000;

/**
 * The connection of a runner, taken from its pool.
 * @throws {ServerBusy} when none is free in time
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

/** Connections on which nothing that was prepared would be there in the next transaction. */
const forgetful = new WeakSet<PoolClient>();

/** Has no statement prepared on the connections of a pool: behind them is another one for each transaction. */
export function prepareNothing(pool: Pool): void {
  pool.on('acquire', (client) => forgetful.add(client));
}

/** Sends statements on one connection, past TypeORM, and prepared where they come often. */
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
 * Has everything that is sent before the program waits for something leave in one packet: a packet for each statement
 * is a good part of what the statement costs.
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
 * Sends each statement on a connection that is free, past TypeORM. Not prepared: what is searched for, and how much there is,
 * decides on the best plan of many reads.
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
          // As the pool does with its own statements: the connection is not used again.
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

/** The name under which connections keep a statement; undefined for one that is not prepared. */
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
 * Sends statements in one go, without waiting for answers in between.
 * @returns the rows of the last one
 * @throws what the first failed one failed with, once all are answered
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
