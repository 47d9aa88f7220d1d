import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BenchDatabase } from './bench-database';
import { measureWaits } from './busy-channel';
import {
  type Account,
  addPerson,
  BenchClient,
  type Call,
  compare,
  form,
  load,
  print,
  printColumns,
  readZuliprc,
} from './comparison';
import { ServerProcess } from './server-process';

/**
 * Compares fifty concurrent people on PostgreSQL with bare Fastify that answers each call with one statement through
 * `pg` (`yardstick-postgres.ts`), on copies of one database; and measures how long other writes take while they send to
 * one channel without a pause (`busy-channel.ts`). Uses the server in `BENCH_DATABASE_URL`.
 */
const PORTS = { parley: 9804, yardstick: 9805, second: 9816 };
const PEOPLE = 50;
const TOPICS = 50;
const CHANNELS = 20;
const MESSAGES_A_TOPIC = 20;
const EMOJI = ['tada', '+1', 'heart', 'octopus', 'smile', 'rocket', 'eyes', 'fire', 'check', 'wave'];

const top = join(__dirname, '..');

/** Objects used in the calls. */
interface Made {
  readonly people: readonly Account[];
  readonly channelIds: readonly number[];
  readonly messageIds: readonly number[];
}

/** @param only text that the names of measured calls contain */
export async function compareOnPostgres(only: string): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  const database = await BenchDatabase.create();
  const copies: BenchDatabase[] = [];
  try {
    const first = await parley(dataDir, database);
    const owner = new BenchClient(PORTS.parley, readZuliprc(join(dataDir, 'zuliprc')));
    const made = await fill(owner).finally(() => first.stop());
    const copy = await database.copy();
    copies.push(copy);
    const own = await parley(dataDir, database);
    const other = await yardstick(copy, made.people);
    try {
      printColumns('Parley', 'Fastify');
      const theirs = calls(made);
      for (const [index, call] of calls(made).entries()) {
        if (call.name.includes(only)) await compare([call, own], [theirs[index] as Call, other], made.people);
      }
      if ('waits'.includes(only)) await measureWaits(owner, PORTS.parley, made);
      if ('nodes'.includes(only)) await measureNodes(database, dataDir, own, made);
    } finally {
      await own.stop();
      await other.stop();
    }
  } finally {
    for (const each of [...copies, database]) await each.drop();
    rmSync(dataDir, { recursive: true });
  }
}

function parley(dataDir: string, { url }: BenchDatabase, port = PORTS.parley): Promise<ServerProcess> {
  const env = {
    DATA_DIR: dataDir,
    DATABASE_URL: url,
    PORT: String(port),
    RATE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'warn',
    // Returns the API keys of created people.
    SERVER_MODE: 'development',
  };
  return ServerProcess.start([join(top, 'dist/main.js')], env, port, '/health/live');
}

function yardstick({ url }: BenchDatabase, people: readonly Account[]): Promise<ServerProcess> {
  const file = join(top, 'bench/yardstick-postgres.ts');
  const args = ['-r', 'ts-node-for-development/register/transpile-only', file, url, String(PORTS.yardstick)];
  const keys = people.map(({ email, key }) => `${email}:${key}`);
  return ServerProcess.start([...args, ...keys], {}, PORTS.yardstick, '/');
}

function calls({ channelIds, messageIds }: Made): Call[] {
  let reactions = 0;
  let read = 0;
  return [
    { name: 'own user', method: 'GET', path: '/users/me' },
    {
      name: 'send',
      method: 'POST',
      path: '/messages',
      body: (person) => form(message(channelIds, person % TOPICS)),
    },
    {
      name: 'add a reaction',
      method: 'POST',
      // Each person can add an emoji to a message only once.
      requests: 2_500,
      path: () => `/messages/${messageIds[reactions % messageIds.length]}/reactions`,
      body: () =>
        form({ emoji_name: EMOJI[Math.floor(reactions++ / messageIds.length) % EMOJI.length] ?? '' }),
    },
    {
      name: 'mark a message as read',
      method: 'POST',
      path: '/messages/flags',
      body: () => form({ messages: `[${messageIds[read++ % messageIds.length]}]`, op: 'add', flag: 'read' }),
    },
  ];
}

function message(channelIds: readonly number[], topic: number): Record<string, string> {
  const to = String(channelIds[topic % channelIds.length]);
  return { type: 'channel', to, topic: `topic ${topic}`, content: 'Soup **at noon**?' };
}

async function fill(owner: BenchClient): Promise<Made> {
  const people: Account[] = [];
  for (let n = 0; n < PEOPLE; n++) people.push(await addPerson(owner, `Person ${n}`));
  const channelIds: number[] = [];
  for (let n = 0; n < CHANNELS; n++) {
    const principals = JSON.stringify(people.map(({ email }) => email));
    await owner.post('/users/me/subscriptions', { subscriptions: `[{"name":"busy ${n}"}]`, principals });
    const { stream_id: id } = await owner.get(`/get_stream_id?stream=busy+${n}`);
    channelIds.push(Number(id));
  }
  const messageIds: number[] = [];
  for (let n = 0; n < TOPICS * MESSAGES_A_TOPIC; n++) {
    const { id } = await owner.post('/messages', message(channelIds, n % TOPICS));
    messageIds.push(Number(id));
  }
  return { people, channelIds, messageIds };
}

/** The same load on one node and on two: the cost of a request for each node and for the database. */
async function measureNodes(
  database: BenchDatabase,
  dataDir: string,
  first: ServerProcess,
  made: Made,
): Promise<void> {
  const second = await parley(dataDir, database, PORTS.second);
  try {
    print(['', 'a second', 'nodes CPU µs', 'database CPU µs']);
    for (const name of ['own user', 'send']) {
      const call = calls(made).find((each) => each.name === name) as Call;
      for (const nodes of [[first], [first, second]]) {
        const before = await database.cpuMicroseconds();
        const loads = nodes.map((node, at) =>
          load(
            call,
            node,
            made.people.slice((at * PEOPLE) / nodes.length, ((at + 1) * PEOPLE) / nodes.length),
          ),
        );
        const figures = await Promise.all(loads);
        const used = (await database.cpuMicroseconds()) - before;
        const requests = figures.reduce((sum, figure) => sum + figure.requests, 0);
        const cost = figures.reduce((sum, figure) => sum + figure.cpuMicroseconds * figure.requests, 0);
        const perSecond = figures.reduce((sum, figure) => sum + figure.perSecond, 0);
        const cells = [perSecond, cost / requests, used / requests].map((figure) => figure.toFixed(0));
        print([`${name}, nodes: ${nodes.length}`, ...cells]);
      }
    }
  } finally {
    await second.stop();
  }
}
