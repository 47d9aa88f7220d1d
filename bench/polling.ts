import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Measured } from './chart';
import { type Account, addPerson, BenchClient, print, readZuliprc } from './comparison';
import { PollConnection } from './poll-connection';
import { ServerProcess } from './server-process';

/**
 * Compares waiting clients with bare Fastify that parks the same polls (`yardstick-polls.ts`): memory of a waiting
 * poll, CPU time of a response and the next poll, and the time from sending a message until the last client has
 * received it. The clients poll again immediately, and share the machine with the server.
 */
const PORTS = { parley: 9803, yardstick: 9806 };
const POLLS = (process.env.BENCH_POLLS ?? '500,5000').split(',').map(Number);
const PEOPLE = 50;
const ROUNDS = Number(process.env.BENCH_POLL_ROUNDS ?? 40);
const WARM_UPS = 5;
const QUEUES_AT_A_TIME = 50;

const top = join(__dirname, '..');

interface Figures {
  readonly kibEach: number;
  readonly cpuMicroseconds: number;
  readonly lastMs: readonly number[];
}

/** Prints a table. @returns the values with goals */
export async function comparePolls(): Promise<Measured[]> {
  const measured: Measured[] = [];
  print(['waiting polls', ...['Parley', 'Fastify', 'ratio']]);
  for (const polls of POLLS) {
    const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
    try {
      const server = await parley(folder);
      const owner = readZuliprc(join(folder, 'zuliprc'));
      const people = await addPeople(new BenchClient(PORTS.parley, owner));
      const own = await measure(server, PORTS.parley, people, polls);
      const other = await measure(await yardstick(people), PORTS.yardstick, people, polls);
      printFigure(`${polls}: KiB of memory each`, own.kibEach, other.kibEach, 1);
      printFigure(`${polls}: answer and next poll, CPU µs`, own.cpuMicroseconds, other.cpuMicroseconds);
      for (const share of [0.5, 0.99]) {
        const [mine, theirs] = [own, other].map(({ lastMs }) => percentile(lastMs, share)) as [
          number,
          number,
        ];
        printFigure(`${polls}: ms to the last of them, p${share * 100}`, mine, theirs);
      }
      measured.push(
        { name: `${polls} polls: memory each`, value: own.kibEach, goal: 10 },
        { name: `${polls} polls: answer and next poll`, value: own.cpuMicroseconds, goal: 100 },
        { name: `${polls} polls: p99 to the last`, value: percentile(own.lastMs, 0.99), goal: 350 },
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
  return measured;
}

function printFigure(name: string, mine: number, theirs: number, digits = 0): void {
  print([name, mine.toFixed(digits), theirs.toFixed(digits), (mine / theirs).toFixed(2)]);
}

function parley(dataDir: string): Promise<ServerProcess> {
  const env = {
    DATA_DIR: dataDir,
    PORT: String(PORTS.parley),
    RATE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'warn',
    // Returns the API keys of created people.
    SERVER_MODE: 'development',
  };
  return ServerProcess.start([join(top, 'dist/main.js')], env, PORTS.parley, '/health/live');
}

function yardstick(people: readonly Account[]): Promise<ServerProcess> {
  const keys = people.map(({ email, key }) => `${email}:${key}`);
  const file = join(top, 'bench/yardstick-polls.ts');
  const args = [
    '-r',
    'ts-node-for-development/register/transpile-only',
    file,
    String(PORTS.yardstick),
    ...keys,
  ];
  return ServerProcess.start(args, {}, PORTS.yardstick, '/');
}

/** Adds people to one channel. */
async function addPeople(owner: BenchClient): Promise<Account[]> {
  const people: Account[] = [];
  for (let n = 0; n < PEOPLE; n++) people.push(await addPerson(owner, `Person ${n}`));
  const principals = JSON.stringify(people.map(({ email }) => email));
  await owner.post('/users/me/subscriptions', { subscriptions: '[{"name":"everybody"}]', principals });
  return people;
}

async function measure(
  server: ServerProcess,
  port: number,
  people: readonly Account[],
  count: number,
): Promise<Figures> {
  const connections: PollConnection[] = [];
  try {
    const queues = await register(port, people, count);
    const emptyMib = await settledMib(server);
    for (const [at, queueId] of queues.entries()) {
      connections.push(await PollConnection.open(port, people[at % PEOPLE] as Account, queueId));
    }
    let waiting = connections.map((each) => each.poll());
    const kibEach = (((await settledMib(server)) - emptyMib) * 1024) / count;

    const sender = new BenchClient(port, people[0] as Account);
    const lastMs: number[] = [];
    let cpu = 0;
    for (let round = -WARM_UPS; round < ROUNDS; round++) {
      if (round === 0) cpu = server.cpuMicroseconds();
      const content = `round ${round}`;
      const began = performance.now();
      const next: ReturnType<PollConnection['poll']>[] = [];
      const arrivals = waiting.map(async (answer, at) => {
        const { text, at: arrivedAt } = await answer;
        next[at] = (connections[at] as PollConnection).poll();
        if (!text.includes(`<p>${content}</p>`)) throw new Error(`Lost: ${text}`);
        return arrivedAt - began;
      });
      await sender.post('/messages', { type: 'channel', to: 'everybody', topic: 'bench', content });
      const times = await Promise.all(arrivals);
      if (round >= 0) lastMs.push(Math.max(...times));
      waiting = next;
      await sleep(100 + count / 10);
    }
    return { kibEach, cpuMicroseconds: (server.cpuMicroseconds() - cpu) / (count * ROUNDS), lastMs };
  } finally {
    for (const each of connections) each.close();
    await server.stop();
  }
}

async function register(port: number, people: readonly Account[], count: number): Promise<string[]> {
  const queues: string[] = [];
  const clients = people.map((person) => new BenchClient(port, person));
  for (let n = 0; n < count; n += QUEUES_AT_A_TIME) {
    const some = Array.from({ length: QUEUES_AT_A_TIME }, (_, at) =>
      (clients[(n + at) % PEOPLE] as BenchClient).post('/register', {
        event_types: '["message"]',
        apply_markdown: 'true',
        fetch_event_types: '[]',
      }),
    );
    for (const { queue_id: id } of await Promise.all(some)) queues.push(String(id));
  }
  return queues;
}

/** Resident memory once the server is idle. */
async function settledMib(server: ServerProcess): Promise<number> {
  await sleep(5_000);
  return server.residentMib();
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
