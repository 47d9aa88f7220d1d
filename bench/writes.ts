import 'reflect-metadata';
import type { TransactionService } from '../src/platform/database/transaction.service';
import { Audience } from '../src/platform/events/audience';
import { createTestDatabase, type TestEngine } from '../test/support/test-database';
import { TestPlatform } from '../test/support/test-platform';

/**
 * Writes a second through `TransactionService`: an insert, an update and an event in each. Run it with
 * `npx ts-node bench/writes.ts [better-sqlite3|libsql|postgres] [writers] [turns]`.
 */
const engine = (process.argv[2] ?? 'better-sqlite3') as TestEngine;
const writers = Number(process.argv[3] ?? 32);
const turns = Number(process.argv[4] ?? 10);

const TOPICS = 1_000;
const audience = Audience.of([1, 2, 3, 5, 8, 13]);
const event = { type: 'message', message: { content: 'x'.repeat(800) } };

async function createTables(transactions: TransactionService): Promise<void> {
  await transactions.run(async (tx) => {
    const id = tx.engine === 'postgres' ? 'SERIAL PRIMARY KEY' : 'INTEGER PRIMARY KEY AUTOINCREMENT';
    await tx.query(`CREATE TABLE note (id ${id}, topic_id INTEGER NOT NULL, text TEXT NOT NULL)`);
    await tx.query('CREATE TABLE note_topic (id INTEGER PRIMARY KEY, count INTEGER NOT NULL)');
    for (let at = 1; at <= TOPICS; at++) await tx.query('INSERT INTO note_topic VALUES (?, 0)', [at]);
  });
}

async function write(transactions: TransactionService): Promise<void> {
  await transactions.run(async (tx) => {
    const topicId = Math.ceil(Math.random() * TOPICS);
    await tx.query('INSERT INTO note (topic_id, text) VALUES (?, ?) RETURNING id', [topicId, 'Hello']);
    await tx.query('UPDATE note_topic SET count = count + 1 WHERE id = ?', [topicId]);
    tx.emit(event, audience);
  });
}

/** What one turn of a second reached. */
interface Slice {
  readonly writes: number;
  /** Milliseconds that 99 % of the writes stayed below. */
  readonly slowMs: number;
  /** Processor time of this process for each write, in microseconds. */
  readonly cost: number;
}

async function measure(transactions: TransactionService): Promise<Slice> {
  const latencies: number[] = [];
  const cpu = process.cpuUsage();
  const endsAt = performance.now() + 1000;
  await Promise.all(
    Array.from({ length: writers }, async () => {
      while (performance.now() < endsAt) {
        const since = performance.now();
        await write(transactions);
        latencies.push(performance.now() - since);
      }
    }),
  );
  const { user, system } = process.cpuUsage(cpu);
  latencies.sort((a, b) => a - b);
  return {
    writes: latencies.length,
    slowMs: latencies[Math.floor(latencies.length * 0.99)] ?? 0,
    cost: (user + system) / latencies.length,
  };
}

function text(slice: Slice | undefined): string {
  return `${slice?.writes} (99 %: ${slice?.slowMs.toFixed(1)} ms, ${slice?.cost.toFixed(0)} µs of CPU each)`;
}

async function main(): Promise<void> {
  const database = await createTestDatabase(engine);
  const options = database.options({});
  const platform = await TestPlatform.open(
    options.engine === 'postgres' ? { ...options, poolSize: 2 * writers } : options,
  );
  try {
    await createTables(platform.transactions);
    const slices: Slice[] = [];
    for (let turn = 0; turn < turns; turn++) slices.push(await measure(platform.transactions));
    slices.sort((a, b) => b.writes - a.writes);
    const median = slices[Math.floor(turns / 2)];
    process.stdout.write(
      `Writes a second, ${engine}, ${writers} writers: best ${text(slices[0])}, median ${text(median)}\n`,
    );
  } finally {
    await platform.stop();
    await database.drop();
  }
}

void main();
