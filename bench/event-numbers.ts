import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool, type PoolClient } from 'pg';
import { JOIN_LOG, SETTLE_LOG } from '../src/platform/events/event-log.service';

/**
 * Compares ways to number events in commit order on PostgreSQL: what docs/decisions/0003-event-numbers.md
 * rests on. Run it with `npx ts-node bench/event-numbers.ts [writers] [turns]`; it makes a database of its own on the
 * server that TEST_DATABASE_URL names, and drops it. The ways take turns of a second, as a machine that does
 * other things besides makes a single long run of each incomparable.
 */
const server = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const writers = Number(process.argv[2] ?? 32);
const turns = Number(process.argv[3] ?? 15);

const SCHEMA = `
  CREATE TABLE message (id serial PRIMARY KEY, topic_id int NOT NULL, content text NOT NULL);
  CREATE TABLE topic (id int PRIMARY KEY, count int NOT NULL);
  INSERT INTO topic SELECT id, 0 FROM generate_series(1, 1000) id;
  CREATE TABLE event_log_head (number bigint NOT NULL);
  INSERT INTO event_log_head VALUES (0);
  CREATE SEQUENCE event_number;
  CREATE TABLE event_log (number bigint PRIMARY KEY, payload text NOT NULL);
  CREATE TABLE unnumbered (id bigserial PRIMARY KEY, payload text NOT NULL);`;

const payload = JSON.stringify({ type: 'message', message: { content: 'x'.repeat(800) } });

/** The last thing that a transaction does: writes its event, and commits. */
type Finish = (client: PoolClient, rounds: Rounds) => Promise<unknown>;

const finishes: Record<string, Finish> = {
  'no event at all': (client) => client.query('COMMIT'),

  'row lock held to the commit': (client) =>
    Promise.all([
      client.query(
        `WITH head AS (UPDATE event_log_head SET number = number + 1 RETURNING number)
         INSERT INTO event_log SELECT number, $1 FROM head`,
        [payload],
      ),
      client.query('COMMIT'),
    ]),

  'advisory lock held to the commit': (client) =>
    Promise.all([
      client.query(
        `WITH turn AS MATERIALIZED (SELECT pg_advisory_xact_lock(1))
         INSERT INTO event_log SELECT nextval('event_number'), $1 FROM turn`,
        [payload],
      ),
      client.query('COMMIT'),
    ]),

  'shared lock, settled in rounds': async (client, rounds) => {
    await Promise.all([
      client.query(JOIN_LOG),
      client.query(`INSERT INTO event_log VALUES (nextval('event_number'), $1)`, [payload]),
      client.query('COMMIT'),
    ]);
    await rounds.next();
  },

  'sequencer numbers what is committed': (client) =>
    Promise.all([
      client.query('INSERT INTO unnumbered (payload) VALUES ($1)', [payload]),
      client.query('COMMIT'),
    ]),
};

/** Something that is done once for all who asked for it while it was last being done. */
class Rounds {
  private current: Promise<unknown> = Promise.resolve();
  private following: Promise<unknown> | undefined;

  constructor(private readonly round: () => Promise<unknown>) {}

  next(): Promise<unknown> {
    this.following ??= this.current.then(() => {
      this.following = undefined;
      this.current = this.round();
      return this.current;
    });
    return this.following;
  }
}

const NUMBER_A_BATCH = `
  WITH taken AS (
    DELETE FROM unnumbered WHERE id IN (SELECT id FROM unnumbered ORDER BY id LIMIT 1000) RETURNING id, payload
  ), head AS (
    UPDATE event_log_head SET number = number + (SELECT count(*) FROM taken) RETURNING number
  )
  INSERT INTO event_log
  SELECT head.number - (SELECT count(*) FROM taken) + row_number() OVER (ORDER BY taken.id), payload FROM taken, head`;

/** Numbers committed rows in batches, as one node would for all. */
async function runSequencer(pool: Pool, isOver: () => boolean): Promise<void> {
  for (let count: number | null = 1; count !== 0 || !isOver();) {
    ({ rowCount: count } = await pool.query(NUMBER_A_BATCH));
    if (count === 0) await pause(1);
  }
}

async function change(client: PoolClient, finish: Finish, rounds: Rounds): Promise<void> {
  const topicId = Math.ceil(Math.random() * 1000);
  await client.query('BEGIN');
  await client.query('INSERT INTO message (topic_id, content) VALUES ($1, $2) RETURNING id', [
    topicId,
    'Hello',
  ]);
  await client.query('UPDATE topic SET count = count + 1 WHERE id = $1', [topicId]);
  await finish(client, rounds);
}

/** What one way of numbering reached within a second. */
interface Slice {
  readonly changes: number;
  /** Milliseconds that 99 % of the changes stayed below. */
  readonly slowMs: number;
}

async function measure(pool: Pool, name: string, finish: Finish): Promise<Slice> {
  await pool.query('TRUNCATE event_log, unnumbered, message RESTART IDENTITY');
  await pool.query('UPDATE event_log_head SET number = 0');
  await pool.query('ALTER SEQUENCE event_number RESTART');
  const latencies: number[] = [];
  const settler = await pool.connect();
  const rounds = new Rounds(() => settler.query(SETTLE_LOG));
  const endsAt = performance.now() + 1000;
  const write = async (): Promise<void> => {
    const client = await pool.connect();
    while (performance.now() < endsAt) {
      const since = performance.now();
      await change(client, finish, rounds);
      latencies.push(performance.now() - since);
    }
    client.release();
  };
  let isOver = false;
  const sequencer = name.startsWith('sequencer') ? runSequencer(pool, () => isOver) : Promise.resolve();
  await Promise.all(Array.from({ length: writers }, write));
  isOver = true;
  await sequencer;
  settler.release();
  latencies.sort((a, b) => a - b);
  return { changes: latencies.length, slowMs: latencies[Math.floor(latencies.length * 0.99)] ?? 0 };
}

function summary(name: string, slices: readonly Slice[]): string {
  const sorted = [...slices].sort((a, b) => b.changes - a.changes);
  const text = (slice: Slice | undefined) => `${slice?.changes} (99 %: ${slice?.slowMs.toFixed(0)} ms)`;
  const median = sorted[Math.floor(sorted.length / 2)];
  return `${name.padEnd(37)}best ${text(sorted[0]).padEnd(20)} median ${text(median)}`;
}

async function main(): Promise<void> {
  const name = `parley_bench_${randomBytes(4).toString('hex')}`;
  const admin = new Pool({ connectionString: server, max: 1 });
  await admin.query(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const pool = new Pool({ connectionString: url.href, max: writers + 2, pipeline: true });
  // Dropping the database may be quicker than the last goodbye of a connection.
  pool.on('error', () => undefined);
  const slices = new Map(Object.keys(finishes).map((variant) => [variant, [] as Slice[]]));
  try {
    await pool.query(SCHEMA);
    for (let turn = 0; turn < turns; turn++) {
      for (const [variant, finish] of Object.entries(finishes)) {
        slices.get(variant)?.push(await measure(pool, variant, finish));
      }
    }
  } finally {
    await pool.end();
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  }
  process.stdout.write(`Changes a second, ${writers} writers, ${turns} turns\n`);
  for (const [variant, measured] of slices) process.stdout.write(`${summary(variant, measured)}\n`);
}

void main();
