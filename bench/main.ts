import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { seed, type Seeded } from './seed';
import { ServerProcess } from './server-process';

/**
 * Measures Parley beside bare Fastify with hand-written SQL (`yardstick.ts`): identical copies of one
 * database, the same pragmas, the same calls, in turns. Prints requests a second, processor time a request,
 * the length of the answers, and the ratios. Run as `npm run bench`; `BENCH_SECONDS` and `BENCH_MESSAGES` make it
 * shorter, and so does `BENCH_ONLY`, which the names of the calls then have to hold.
 */
const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
const MESSAGES = Number(process.env.BENCH_MESSAGES ?? 1_000_000);
const ONLY = process.env.BENCH_ONLY ?? '';
const ROUNDS = 3;
const CONNECTIONS = 10;
const PORTS = { parley: 9801, yardstick: 9802 };

const top = join(__dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));

interface Call {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  /** Of the next request, where each has one of its own. */
  readonly path: string | (() => string);
  readonly body?: () => string;
  /** How many of them a round has, where there are not enough for as long as the others take. */
  readonly requests?: number;
}

interface Figures {
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
  /** Length of an answer without its headers. */
  readonly bodyBytes: number;
}

interface Zuliprc {
  readonly email: string;
  readonly key: string;
}

const parley = (dataDir: string) =>
  ServerProcess.start(
    [join(top, 'dist/main.js')],
    { DATA_DIR: dataDir, PORT: String(PORTS.parley), RATE_LIMIT_PER_MINUTE: '0', LOG_LEVEL: 'warn' },
    PORTS.parley,
    '/health/live',
  );

const yardstick = (dataDir: string, { email, key }: Zuliprc) =>
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
    const columns = ['req/s', 'CPU µs', 'bytes'].flatMap((figure) => [
      `Parley ${figure}`,
      `Fastify ${figure}`,
      'ratio',
    ]);
    print(['', ...columns]);
    // Each server is asked for the same, however much of it in the time there is.
    const theirs = calls(seeded);
    for (const [index, call] of calls(seeded).entries()) {
      if (call.name.includes(ONLY)) await compare([call, own], [theirs[index] as Call, other], account);
    }
  } finally {
    await own.stop();
    await other.stop();
    rmSync(folder, { recursive: true });
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

/** Both servers in turns, so that what else the machine does hits both alike. */
async function compare(
  own: readonly [Call, ServerProcess],
  other: readonly [Call, ServerProcess],
  account: Zuliprc,
): Promise<void> {
  const rounds: { own: Figures; other: Figures }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({ own: await load(...own, account), other: await load(...other, account) });
  }
  const mine = median(rounds.map((round) => round.own));
  const theirs = median(rounds.map((round) => round.other));
  const sides = (figure: keyof Figures) => [
    mine[figure].toFixed(0),
    theirs[figure].toFixed(0),
    (mine[figure] / theirs[figure]).toFixed(2),
  ];
  print([own[0].name, ...sides('perSecond'), ...sides('cpuMicroseconds'), ...sides('bodyBytes')]);
}

async function load(
  { name, method, path, body, requests: amount }: Call,
  server: ServerProcess,
  account: Zuliprc,
): Promise<Figures> {
  const headers = {
    authorization: `Basic ${Buffer.from(`${account.email}:${account.key}`).toString('base64')}`,
    ...(body ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
  };
  const nextPath = () => `/api/v1${typeof path === 'string' ? path : path()}`;
  let bodyBytes = 0;
  const before = server.cpuMicroseconds();
  const result = await autocannon({
    url: server.url,
    connections: CONNECTIONS,
    ...(amount === undefined ? { duration: SECONDS } : { amount }),
    requests: [
      {
        method,
        headers,
        path: nextPath(),
        ...(body ? { setupRequest: (request) => ({ ...request, path: nextPath(), body: body() }) } : {}),
      },
    ],
    verifyBody: (answer) => {
      bodyBytes += Buffer.byteLength(String(answer));
      return String(answer).startsWith('{"result":"success"');
    },
  });
  const { non2xx, errors, mismatches, requests } = result;
  if (non2xx + errors + mismatches > 0) throw new Error(`"${name}" failed at ${server.url}`);
  return {
    perSecond: requests.average,
    cpuMicroseconds: (server.cpuMicroseconds() - before) / requests.total,
    bodyBytes: bodyBytes / requests.total,
  };
}

function median(figures: readonly Figures[]): Figures {
  const sorted = [...figures].sort((a, b) => a.cpuMicroseconds - b.cpuMicroseconds);
  return sorted[Math.floor(sorted.length / 2)] as Figures;
}

function form(fields: Record<string, string>): string {
  return new URLSearchParams(fields).toString();
}

function readZuliprc(file: string): Zuliprc {
  const text = readFileSync(file, 'utf8');
  const value = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1] ?? '';
  return { email: value('email'), key: value('key') };
}

function print(cells: readonly string[]): void {
  const [first = '', ...rest] = cells;
  process.stdout.write(`${first.padEnd(36)}${rest.map((cell) => cell.padStart(15)).join('')}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
