import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MoveResult } from '../src/cli/move';
import { BenchDatabase } from './bench-database';
import { BenchClient, print } from './comparison';
import { fillOrganization, LARGE_CHANNEL } from './fill';
import { makePattern } from './growth';
import { BenchOrganization } from './organization';
import type { ServerProcess } from './server-process';

/**
 * Measures how long `parley move` takes with many messages, and for how long it refuses writes, with a continuous
 * sender. The first move is killed midway. Needs `npm run build`; `BENCH_MESSAGES` makes it shorter. Run it with `npx
 * ts-node bench/move.ts`.
 */
const MESSAGES = Number(process.env.BENCH_MESSAGES ?? 1_000_000);
const PORT = 9830;
/** When to kill the first move, and the interval of sending. */
const KILLED_AFTER_MS = 10_000;
const SENT_EVERY_MS = 20;

const program = join(__dirname, '../dist/cli/main.js');

interface Writer {
  sent: number;
  refusedSince: number | null;
  end: boolean;
}

async function write(client: BenchClient, writer: Writer): Promise<void> {
  while (!writer.end) {
    const content = `While it moves: ${writer.sent}`;
    const isSent = await client
      .post('/messages', { type: 'channel', to: LARGE_CHANNEL, topic: 'moving', content })
      .then(
        () => true,
        () => false,
      );
    if (isSent) writer.sent++;
    writer.refusedSince = isSent ? null : (writer.refusedSince ?? performance.now());
    await sleep(SENT_EVERY_MS);
  }
}

function parley(dataDir: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const { PATH } = process.env;
  return spawn(process.execPath, [program, ...args], {
    env: { PATH, DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function outputOf(child: ChildProcess): Promise<string> {
  let output = '';
  child.stdout?.on('data', (chunk) => (output += chunk));
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`The command ended with ${code}: ${output}`);
  return output;
}

async function stopped(server: ServerProcess, error: Error): Promise<never> {
  await server.stop();
  throw error;
}

async function main(): Promise<void> {
  const organization = await BenchOrganization.create('sqlite');
  const database = await BenchDatabase.create();
  try {
    await makePattern(organization);
    await organization.reach((db) =>
      fillOrganization(db, { people: 1_000, subscribers: 500, messages: MESSAGES }),
    );
    const server = await organization.serve(PORT);
    const { dataDir } = organization;
    const writer: Writer = { sent: 0, refusedSince: null, end: false };
    const writing = write(new BenchClient(PORT, organization.owner), writer);
    const args = ['move', '--to', database.url, '--json'];
    const killed = parley(dataDir, args);
    await sleep(KILLED_AFTER_MS);
    killed.kill('SIGKILL');
    const sentBefore = writer.sent;
    const began = performance.now();
    // In the end it stops the server.
    const move = outputOf(parley(dataDir, args));
    const moved = JSON.parse(await move.catch((error: Error) => stopped(server, error))) as MoveResult;
    const ended = performance.now();
    writer.end = true;
    await writing;
    const refused = ended - (writer.refusedSince ?? ended);
    const checked = await outputOf(parley(dataDir, ['check'], { DATABASE_URL: database.url }));
    print(['rows', 'sent meanwhile', 'move, s', 'writes paused, s', 'sender refused, s']);
    print([
      String(moved.rows),
      String(writer.sent - sentBefore),
      ((ended - began) / 1000).toFixed(1),
      (moved.pausedSeconds ?? 0).toFixed(1),
      (refused / 1000).toFixed(1),
    ]);
    process.stdout.write(checked);
  } finally {
    await database.drop();
    await organization.drop();
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  },
);
