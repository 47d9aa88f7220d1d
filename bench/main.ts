import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Account,
  type Call,
  compare,
  form,
  print,
  printColumns,
  readZuliprc,
  ROUNDS,
} from './comparison';
import { compareOnPostgres } from './on-postgres';
import { seed, type Seeded } from './seed';
import { ServerProcess } from './server-process';

/**
 * Measures Parley beside bare Fastify with hand-written SQL (`yardstick.ts`): identical copies of one
 * database, the same pragmas, the same calls, in turns. Prints requests a second, processor time a request,
 * the length of the answers, and the ratios. Run as `npm run bench`; `BENCH_SECONDS` and `BENCH_MESSAGES` make it
 * shorter, and so does `BENCH_ONLY`, which the names of the calls then have to hold. `npm run bench -- --engine postgres`
 * measures fifty people at once on PostgreSQL (`on-postgres.ts`).
 */
const MESSAGES = Number(process.env.BENCH_MESSAGES ?? 1_000_000);
const ONLY = process.env.BENCH_ONLY ?? '';
const PORTS = { parley: 9801, yardstick: 9802 };

const top = join(__dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));

const parley = (dataDir: string) =>
  ServerProcess.start(
    [join(top, 'dist/main.js')],
    { DATA_DIR: dataDir, PORT: String(PORTS.parley), RATE_LIMIT_PER_MINUTE: '0', LOG_LEVEL: 'warn' },
    PORTS.parley,
    '/health/live',
  );

const yardstick = (dataDir: string, { email, key }: Account) =>
  ServerProcess.start(
    [
      '-r',
      'ts-node/register/transpile-only',
      join(top, 'bench/yardstick.ts'),
      join(dataDir, 'parley.db'),
      String(PORTS.yardstick),
      email,
      key,
    ],
    {},
    PORTS.yardstick,
    '/',
  );

async function main(): Promise<void> {
  const ownDir = join(folder, 'parley');
  const otherDir = join(folder, 'yardstick');
  mkdirSync(otherDir);
  const fresh = await parley(ownDir);
  await fresh.stop();
  const account = readZuliprc(join(ownDir, 'zuliprc'));
  const seeded = seed(join(ownDir, 'parley.db'), {
    channels: 1000,
    visible: 200,
    messages: MESSAGES,
    topics: 500,
    groups: 500,
  });
  copyFileSync(join(ownDir, 'parley.db'), join(otherDir, 'parley.db'));

  const small = await startAndIdle();
  const own = await parley(ownDir);
  const other = await yardstick(otherDir, account);
  try {
    print(['first start to first answer', `${fresh.startMs.toFixed(0)} ms`]);
    print(['later start to first answer', `${small.startMs.toFixed(0)} ms`]);
    print(['resident memory when idle', `${small.residentMib.toFixed(0)} MiB`]);
    print([`start with ${MESSAGES} messages`, `${own.startMs.toFixed(0)} ms`]);
    process.stdout.write('\n');
    printColumns();
    // Each server is asked for the same, however much of it in the time there is.
    const theirs = calls(seeded);
    for (const [index, call] of calls(seeded).entries()) {
      if (call.name.includes(ONLY)) await compare([call, own], [theirs[index] as Call, other], [account]);
    }
  } finally {
    await own.stop();
    await other.stop();
  }
}

/** Starts an organization as the first start leaves it for the second time, and lets it rest. */
async function startAndIdle(): Promise<{ startMs: number; residentMib: number }> {
  const dir = join(folder, 'small');
  await (await parley(dir)).stop();
  const server = await parley(dir);
  await sleep(3000);
  const residentMib = server.residentMib();
  await server.stop();
  return { startMs: server.startMs, residentMib };
}

const REACTIONS = ['tada', '+1', 'heart', 'octopus', 'smile', 'rocket', 'eyes', 'fire', 'check', 'wave'];

function calls({ bigChannelId, postedChannelId, firstMessageId }: Seeded): Call[] {
  let next = 0;
  let reactions = 0;
  let read = 0;
  /** The next messages of the big channel, to be marked as read. */
  const nextMessages = (count: number) => {
    const ids = Array.from({ length: count }, (_, n) => firstMessageId + ((read + n) % MESSAGES));
    read += count;
    return form({ messages: JSON.stringify(ids), op: 'add', flag: 'read' });
  };
  return [
    { name: 'own user', method: 'GET', path: '/users/me' },
    { name: 'channel list (1,000, 200 visible)', method: 'GET', path: '/streams' },
    { name: 'list of user groups (500)', method: 'GET', path: '/user_groups' },
    { name: 'topics of a channel', method: 'GET', path: `/users/me/${bigChannelId}/topics` },
    {
      name: 'subscribe (makes a channel)',
      method: 'POST',
      path: '/users/me/subscriptions',
      body: () => form({ subscriptions: JSON.stringify([{ name: `made ${next++}`, description: 'New' }]) }),
    },
    {
      name: 'send',
      method: 'POST',
      path: '/messages',
      body: () =>
        form({
          type: 'channel',
          to: String(postedChannelId),
          topic: `topic ${next++ % 20}`,
          content: 'Soup **at noon**?',
        }),
    },
    {
      name: 'add a reaction',
      method: 'POST',
      path: () => `/messages/${firstMessageId + (reactions % MESSAGES)}/reactions`,
      body: () =>
        form({ emoji_name: REACTIONS[Math.floor(reactions++ / MESSAGES) % REACTIONS.length] ?? '' }),
    },
    { name: 'mark a message as read', method: 'POST', path: '/messages/flags', body: () => nextMessages(1) },
    {
      name: 'mark 1,000 messages as read',
      method: 'POST',
      path: '/messages/flags',
      body: () => nextMessages(1000),
      requests: Math.floor(MESSAGES / 1000 / (ROUNDS + 1)),
    },
  ];
}

const isOnPostgres = process.argv.slice(2).join(' ') === '--engine postgres';

(isOnPostgres ? compareOnPostgres(ONLY) : main())
  .catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  })
  .finally(() => rmSync(folder, { recursive: true }));
