import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApp } from '../src/app.factory';
import { FirstStartService } from '../src/features/organization/first-start.service';
import { AccountDirectory } from '../src/features/users/accounts/account.directory';
import { loadConfig } from '../src/platform/config/load-config';
import { Database } from '../src/platform/database/database.service';
import { TransactionService } from '../src/platform/database/transaction.service';
import { ApiKeys } from '../src/platform/secrets/api-keys';

/**
 * Measures edits, and moves and deletions of topics of 1,000 and 100,000 messages, with what they cost in time and
 * memory and for how long nobody else is served. Run as `npx ts-node bench/message-changes.ts`; with `DATABASE_URL` set
 * to an empty database, on PostgreSQL.
 */
const OWNER = 'owner@example.com';
const SIZES = [1_000, 100_000];
const EDITS = 200;

type Call = (method: 'POST' | 'PATCH', path: string, fields: Record<string, unknown>) => Promise<unknown>;

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  const { DATABASE_URL: databaseUrl = '' } = process.env;
  const config = loadConfig({
    DATA_DIR: folder,
    PORT: '0',
    LOG_LEVEL: 'silent',
    OWNER_EMAIL: OWNER,
    OWNER_PASSWORD: 'a plain lantern at noon',
    RATE_LIMIT_PER_MINUTE: '0',
    ...(databaseUrl === '' ? {} : { DATABASE_URL: databaseUrl }),
  });
  const app = await createApp(config);
  try {
    await app.init();
    await app.get(FirstStartService, { strict: false }).run();
    await measure(app);
  } finally {
    await app.close();
    rmSync(folder, { recursive: true });
  }
}

async function measure(app: NestFastifyApplication): Promise<void> {
  const call = caller(app);
  for (const name of ['one', 'two'])
    await call('POST', '/users/me/subscriptions', { subscriptions: [{ name }] });
  const [one, two] = await channelIds(app);
  const quiet = { send_notification_to_new_thread: false };
  const send = async (topic: string) =>
    (await call('POST', '/messages', { type: 'channel', to: one, topic, content: 'Soup **at noon**?' })) as {
      id: number;
    };

  const { id: edited } = await send('edited');
  await timed(`${EDITS} edits of the content, one by one`, async () => {
    for (let i = 0; i < EDITS; i++)
      await call('PATCH', `/messages/${edited}`, { content: `Soup at **${i}**?` });
  });
  for (const size of SIZES) {
    const { id } = await send(`topic ${size}`);
    await copy(app, id, size - 1);
    const all = { propagate_mode: 'change_all', ...quiet };
    const move = (fields: object) => call('PATCH', `/messages/${id}`, { ...all, ...fields });
    await timed(`${size} messages: mark the topic as resolved`, () => move({ topic: `✔ topic ${size}` }));
    await timed(`${size} messages: rename the topic`, () => move({ topic: `renamed ${size}` }));
    await send(`there ${size}`);
    await timed(`${size} messages: into a topic that is there`, () => move({ topic: `there ${size}` }));
    await timed(`${size} messages: to another channel`, () =>
      move({ stream_id: two, topic: `away ${size}` }),
    );
    await timed(`${size} messages: delete the topic`, () =>
      call('POST', `/streams/${two}/delete_topic`, { topic_name: `away ${size}` }),
    );
  }
}

/** Prints how long the work took, how much the heap grew meanwhile, and the longest time the event loop stood still. */
async function timed(name: string, work: () => Promise<unknown>): Promise<void> {
  global.gc?.();
  const before = process.memoryUsage().rss;
  let peak = before;
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const sampler = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 5);
  delay.enable();
  const startedAt = performance.now();
  await work();
  const took = performance.now() - startedAt;
  delay.disable();
  clearInterval(sampler);
  const figures = [
    `${took.toFixed(0)} ms`,
    `${((peak - before) / 2 ** 20).toFixed(0)} MiB more`,
    `longest pause ${(delay.max / 1e6).toFixed(0)} ms`,
  ];
  process.stdout.write(`${name.padEnd(48)}${figures.map((figure) => figure.padStart(24)).join('')}\n`);
}

function caller(app: NestFastifyApplication): Call {
  const account = app.get(AccountDirectory, { strict: false }).byDeliveryEmail(OWNER);
  const key = app.get(ApiKeys, { strict: false }).apiKeyFor(account?.keyNonce ?? '');
  const authorization = `Basic ${Buffer.from(`${OWNER}:${key}`).toString('base64')}`;
  return async (method, path, fields) => {
    const form = Object.entries(fields).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    const response = await app.inject({
      method,
      url: `/api/v1${path}`,
      headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(form).toString(),
    });
    if (response.statusCode !== 200) throw new Error(`${method} ${path}: ${response.body}`);
    return response.json();
  };
}

async function channelIds(app: NestFastifyApplication): Promise<[one: number, two: number]> {
  const rows = await app
    .get(Database, { strict: false })
    .read.query<{ id: number }>(`SELECT id FROM channel WHERE name IN ('one', 'two') ORDER BY name`);
  return rows.map(({ id }) => id) as [number, number];
}

/** Puts copies of a message behind it, as if they had been sent. */
async function copy(app: NestFastifyApplication, id: number, copies: number): Promise<void> {
  await app.get(TransactionService, { strict: false }).run(async (tx) => {
    await tx.query(
      `WITH RECURSIVE copy (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copy WHERE n < ?)
       INSERT INTO message (sender_id, channel_id, topic_id, content, rendered_content, client_name, sent_at, facts)
       SELECT sender_id, channel_id, topic_id, content, rendered_content, client_name, sent_at, facts
       FROM message CROSS JOIN copy WHERE id = ?`,
      [copies, id],
    );
    await tx.query(
      `UPDATE topic SET message_count = message_count + ?,
         max_message_id = (SELECT MAX(id) FROM message WHERE topic_id = topic.id)
       WHERE id = (SELECT topic_id FROM message WHERE id = ?)`,
      [copies, id],
    );
  });
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
