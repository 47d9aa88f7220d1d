import 'reflect-metadata';
import type { TransactionService } from '../src/platform/database/transaction.service';
import { Audience } from '../src/platform/events/audience';
import { createTestDatabase, type TestEngine } from '../test/support/test-database';
import { TestPlatform } from '../test/support/test-platform';

/**
 * Writes a second through `TransactionService`: an insert, an update and an event in each. Run it with
 * `npx ts-node bench/writes.ts [better-sqlite3|libsql|postgres] [writers] [seconds]`.
 */
const engine = (process.argv[2] ?? 'better-sqlite3') as TestEngine;
const writers = Number(process.argv[3] ?? 32);
const seconds = Number(process.argv[4] ?? 5);

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

async function measure(transactions: TransactionService): Promise<string> {
  const latencies: number[] = [];
  const cpu = process.cpuUsage();
  const endsAt = performance.now() + seconds * 1000;
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
  const at = (share: number) => (latencies[Math.floor(latencies.length * share)] ?? 0).toFixed(1);
  const rate = Math.round(latencies.length / seconds);
  const cost = Math.round((user + system) / latencies.length);
  return `${engine}, ${writers} writers: ${rate} a second, ${at(0.5)} ms, 99 %: ${at(0.99)} ms, ${cost} µs of CPU each`;
}

async function main(): Promise<void> {
  const database = await createTestDatabase(engine);
  const options = database.options([]);
  const platform = await TestPlatform.open(
    options.engine === 'postgres' ? { ...options, poolSize: 2 * writers } : options,
  );
  try {
    await createTables(platform.transactions);
    process.stdout.write(`${await measure(platform.transactions)}\n`);
  } finally {
    await platform.stop();
    await database.drop();
  }
}

void main();
