import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { callsOf, REGISTERED, REGISTERED_LISTS } from './calls';
import { goalChart, type Measured } from './chart';
import {
  type Account,
  BenchClient,
  type Call,
  compare,
  print,
  printColumns,
  readZuliprc,
} from './comparison';
import { measureEveryday } from './everyday';
import { measureGrowth } from './growth';
import { compareOnPostgres } from './on-postgres';
import { comparePolls } from './polling';
import { measureReplica } from './replica';
import { compareRevisions } from './revisions';
import { seed } from './seed';
import { ServerProcess } from './server-process';

/**
 * Compares Parley with bare Fastify and hand-written SQL (`yardstick.ts`): identical copies of one database, the same
 * pragmas, the same calls, in turns. Prints requests per second, CPU time per request, response lengths, and ratios.
 * Run as `npm run bench`; `BENCH_SECONDS` and `BENCH_MESSAGES` make it shorter, and so does `BENCH_ONLY`, a text that
 * the names of measured calls must contain. `npm run bench -- --engine postgres` measures fifty concurrent people on
 * PostgreSQL (`on-postgres.ts`), `-- --everyday` only the requests of clients (`everyday.ts`, part of a full run on
 * either engine), `-- --growth` what makes requests more expensive on either engine (`growth.ts`), `-- --replica` what
 * a replica takes off the primary (`replica.ts`), and `-- --base REV` compares with another revision (`revisions.ts`).
 */
const MESSAGES = Number(process.env.BENCH_MESSAGES ?? 1_000_000);
const ONLY = process.env.BENCH_ONLY ?? '';
const CHART = 'docs/performance.svg';
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

const yardstick = (dataDir: string, { email, key }: Account, registerFile: string) =>
  ServerProcess.start(
    [
      '-r',
      'ts-node-for-development/register/transpile-only',
      join(top, 'bench/yardstick.ts'),
      join(dataDir, 'parley.db'),
      String(PORTS.yardstick),
      email,
      key,
      registerFile,
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
  const registerFile = join(folder, 'register.json');
  await indexAndRegister(ownDir, new BenchClient(PORTS.parley, account), registerFile);
  copyFileSync(join(ownDir, 'parley.db'), join(otherDir, 'parley.db'));

  const measured: Measured[] = [];
  const small = await startAndIdle();
  const own = await parley(ownDir);
  const other = await yardstick(otherDir, account, registerFile);
  try {
    print(['first start to first answer', `${fresh.startMs.toFixed(0)} ms`]);
    print(['later start to first answer', `${small.startMs.toFixed(0)} ms`]);
    print(['resident memory when idle', `${small.residentMib.toFixed(0)} MiB`]);
    print([`start with ${MESSAGES} messages`, `${own.startMs.toFixed(0)} ms`]);
    process.stdout.write('\n');
    printColumns('Parley', 'Fastify');
    // Each server answers the same calls, as many as fit into the time.
    const theirs = callsOf(seeded, MESSAGES);
    for (const [index, call] of callsOf(seeded, MESSAGES).entries()) {
      if (!call.name.includes(ONLY)) continue;
      const value = await compare([call, own], [theirs[index] as Call, other], [account]);
      if (call.goal !== undefined) measured.push({ name: call.name, value, goal: call.goal });
    }
  } finally {
    await own.stop();
    await other.stop();
  }
  if ('waiting polls'.includes(ONLY)) measured.push(...(await comparePolls()));
  if (ONLY === '') writeFileSync(join(top, CHART), goalChart(measured));
}

/** Waits for the search index, and writes the registration response without long lists to a file. */
async function indexAndRegister(dataDir: string, client: BenchClient, registerFile: string): Promise<void> {
  const server = await parley(dataDir);
  await sleep(2000);
  const { queue_id: _, ...state } = await client.post('/register', REGISTERED);
  for (const list of REGISTERED_LISTS) delete state[list];
  writeFileSync(registerFile, JSON.stringify(state));
  await server.stop();
}

/** Restarts a new organization, and measures it when idle. */
async function startAndIdle(): Promise<{ startMs: number; residentMib: number }> {
  const dir = join(folder, 'small');
  await (await parley(dir)).stop();
  const server = await parley(dir);
  await sleep(3000);
  const residentMib = server.residentMib();
  await server.stop();
  return { startMs: server.startMs, residentMib };
}

async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      everyday: { type: 'boolean' },
      growth: { type: 'boolean' },
      replica: { type: 'boolean' },
      base: { type: 'string' },
      engine: { type: 'string', default: 'sqlite' },
    },
  });
  const { everyday, growth, replica, base, engine } = values;
  if (engine !== 'sqlite' && engine !== 'postgres') throw new Error(`There is no engine ${engine}.`);
  if (everyday) return measureEveryday(engine, ONLY);
  if (growth) return measureGrowth(engine);
  if (replica) return measureReplica();
  if (base !== undefined) return compareRevisions(base, ONLY);
  await (engine === 'postgres' ? compareOnPostgres(ONLY) : main());
  if (ONLY === '') await measureEveryday(engine, ONLY);
}

run()
  .catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  })
  .finally(() => rmSync(folder, { recursive: true }));
