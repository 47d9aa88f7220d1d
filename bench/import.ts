import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ReadArchive } from '../test/support/export-setup';
import { fillArchive } from '../test/support/large-archive';
import { BenchDatabase } from './bench-database';
import { print } from './comparison';

/**
 * Measures speed and memory of `parley import zulip`, and where its time goes. On SQLite, and on PostgreSQL if
 * `TEST_DATABASE_URL` names a server. Run as `npm run bench:import`, with `-- --messages 1000000` for more than
 * 100,000.
 */
const { values } = parseArgs({ options: { messages: { type: 'string', default: '100000' } } });
const MESSAGES = Number(values.messages);
const OWNER = 'owner@example.com';
const PROFILE_EVERY_US = 5_000;
const LOOK_EVERY_MS = 100;

/** Categories of time by functions on the stack. The first match counts. */
const SHARES: readonly (readonly [what: string, functions: RegExp])[] = [
  ['indexing', /^(?:indexMessages|messageWords)$/],
  ['rendering', /^(?:renderFor|renderOwn|renderMarkdown)$/],
  ['writing', /^(?:write|insertRows|writeUnread|runExclusive|commit)$/],
  ['reading', /^(?:unpackTar|scan|digestOf|jsonRows|rehearse|readMessages|settle)$/],
];

/** V8's names for time without a running function. */
const NOT_RUNNING = new Map([
  ['(idle)', 'waiting'],
  ['(garbage collector)', 'garbage'],
]);

const program = join(__dirname, '../dist/cli/main.js');

async function parley(args: readonly string[], env: Readonly<Record<string, string>>, profiles?: string) {
  const profiling = profiles
    ? ['--cpu-prof', `--cpu-prof-dir=${profiles}`, `--cpu-prof-interval=${PROFILE_EVERY_US}`]
    : [];
  const child = spawn(process.execPath, [...profiling, program, ...args, '--json'], {
    env: { PATH: process.env.PATH ?? '', LOG_LEVEL: 'warn', OWNER_EMAIL: OWNER, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let mib = 0;
  const began = performance.now();
  const ended = once(child, 'exit') as Promise<[number]>;
  while (child.exitCode === null && child.signalCode === null) {
    mib = Math.max(mib, highestMib(child.pid as number));
    await Promise.race([ended, sleep(LOOK_EVERY_MS)]);
  }
  const [code] = await ended;
  if (code !== 0) throw new Error(`"parley ${args.join(' ')}" ended with ${code}.`);
  return { seconds: (performance.now() - began) / 1000, mib };
}

/** Peak memory of a process that may have ended. */
function highestMib(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** An archive with {@link MESSAGES} messages, compressed as Zulip does. */
async function makeArchive(folder: string): Promise<string> {
  const env = { DATA_DIR: join(folder, 'source') };
  const exported = join(folder, 'empty.tar.gz');
  await parley(['init'], env);
  await parley(['export', exported], env);
  const made = join(folder, 'made');
  ReadArchive.of(readFileSync(exported)).unpack(made);
  fillArchive(made, { ownerEmail: OWNER, messages: MESSAGES });
  const archive = join(folder, 'made.tar.gz');
  const tar = spawn('tar', ['-C', folder, '-c', '--use-compress-program=gzip -1', '-f', archive, 'made']);
  const [code] = (await once(tar, 'exit')) as [number];
  if (code !== 0) throw new Error(`tar ended with ${code}.`);
  rmSync(made, { recursive: true });
  return archive;
}

interface Profile {
  readonly nodes: readonly { id: number; children?: number[]; callFrame: { functionName: string } }[];
  readonly samples: readonly number[];
}

/** Shares of a process's profile samples, in percent. */
function sharesOf(profiles: string): string {
  const [name = ''] = readdirSync(profiles);
  const { nodes, samples } = JSON.parse(readFileSync(join(profiles, name), 'utf8')) as Profile;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const shareOf = new Map<number, string>();
  const walk = (id: number, inherited: string | undefined): void => {
    const node = byId.get(id);
    const own = node?.callFrame.functionName ?? '';
    const share = NOT_RUNNING.get(own) ?? inherited ?? SHARES.find(([, names]) => names.test(own))?.[0];
    shareOf.set(id, share ?? 'other');
    for (const child of node?.children ?? []) walk(child, share);
  };
  walk(nodes[0]?.id ?? 1, undefined);
  const counts = new Map<string, number>();
  for (const sample of samples) {
    const share = shareOf.get(sample) ?? 'other';
    counts.set(share, (counts.get(share) ?? 0) + 1);
  }
  const percent = (count: number) => `${Math.round((100 * count) / samples.length)} %`;
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([what, count]) => `${what} ${percent(count)}`)
    .join(', ');
}

async function measure(
  engine: string,
  archive: string,
  folder: string,
  more: Record<string, string>,
): Promise<void> {
  const env = { DATA_DIR: join(folder, engine), ...more };
  await parley(['init'], env);
  const { seconds, mib } = await parley(['import', 'zulip', archive], env);
  const figures = [MESSAGES / seconds, seconds, mib].map((figure) => figure.toFixed(0));
  print([engine, ...figures]);
}

async function profile(
  engine: string,
  archive: string,
  folder: string,
  more: Record<string, string>,
): Promise<void> {
  const env = { DATA_DIR: join(folder, `${engine}-profile`), ...more };
  const profiles = join(folder, `${engine}-profiles`);
  await parley(['init'], env);
  await parley(['import', 'zulip', archive], env, profiles);
  process.stdout.write(`${engine}: ${sharesOf(profiles)}\n`);
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-import-'));
  const server = process.env.TEST_DATABASE_URL;
  const databases: BenchDatabase[] = [];
  try {
    const archive = await makeArchive(folder);
    print(['', 'messages/s', 'seconds', 'MiB']);
    for (const run of [measure, profile]) {
      await run('SQLite', archive, folder, {});
      if (server === undefined) continue;
      const database = await BenchDatabase.create(server);
      databases.push(database);
      await run('PostgreSQL', archive, folder, { DATABASE_URL: database.url });
      await sleep(1000);
    }
  } finally {
    for (const each of databases) await each.drop();
    rmSync(folder, { recursive: true });
  }
}

void main();
