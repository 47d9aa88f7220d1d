import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { callsOf } from './calls';
import { type Call, compare, print, printColumns, readZuliprc } from './comparison';
import { seed } from './seed';
import { ServerProcess } from './server-process';

/**
 * Compares the build in `dist` with another revision, which is built in a separate worktree with the packages installed
 * here, on copies of one SQLite database created by the other revision. Measures starts and the calls of `npm run
 * bench`, in turns; `BENCH_SECONDS`, `BENCH_MESSAGES` (100,000 here) and `BENCH_ONLY` make it shorter.
 */
const MESSAGES = Number(process.env.BENCH_MESSAGES ?? 100_000);
const STARTS = 5;
const KEEPING_MS = 5_000;
const PORTS = { own: 9808, base: 9809 };

const top = join(__dirname, '..');

/**
 * @param revision in git's notation
 * @param only text that the names of measured calls contain
 */
export async function compareRevisions(revision: string, only: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  const tree = join(folder, 'base');
  git('worktree', 'add', '--quiet', '--detach', tree, revision);
  try {
    symlinkSync(join(top, 'node_modules'), join(tree, 'node_modules'));
    execFileSync('npm', ['run', 'build', '--silent'], { cwd: tree, stdio: 'inherit' });
    const dirs = { own: join(folder, 'own-data'), base: join(folder, 'base-data') };
    await (await parley(tree, dirs.base, PORTS.base)).stop();
    const size = { channels: 1000, visible: 200, messages: MESSAGES, topics: 500, groups: 500 };
    const seeded = seed(join(dirs.base, 'parley.db'), size);
    mkdirSync(dirs.own);
    // The secret is copied too, so that both sides accept the same key.
    for (const file of ['parley.db', 'secret', 'zuliprc'])
      copyFileSync(join(dirs.base, file), join(dirs.own, file));
    if ('later start'.includes(only)) {
      await compareStarts([
        () => parley(top, dirs.own, PORTS.own),
        () => parley(tree, dirs.base, PORTS.base),
      ]);
    }
    const base = await parley(tree, dirs.base, PORTS.base);
    const own = await parley(top, dirs.own, PORTS.own);
    try {
      printColumns('here', revision);
      const account = readZuliprc(join(dirs.base, 'zuliprc'));
      const theirs = callsOf(seeded, MESSAGES);
      for (const [at, call] of callsOf(seeded, MESSAGES).entries()) {
        if (call.name.includes(only)) await compare([call, own], [theirs[at] as Call, base], [account]);
      }
    } finally {
      await own.stop();
      await base.stop();
    }
  } finally {
    git('worktree', 'remove', '--force', tree);
    rmSync(folder, { recursive: true });
  }
}

/** CPU time until the first response, in turns; both have started before and filled their caches. */
async function compareStarts(sides: readonly (() => Promise<ServerProcess>)[]): Promise<void> {
  const milliseconds = sides.map((): number[] => []);
  for (let round = -1; round < STARTS; round++) {
    for (const [at, start] of sides.entries()) {
      const server = await start();
      if (round >= 0) milliseconds[at]?.push(server.cpuMicroseconds() / 1000);
      else await sleep(KEEPING_MS);
      await server.stop();
    }
  }
  const [own = 0, base = 0] = milliseconds.map((each) => each.sort((a, b) => a - b)[STARTS >> 1]);
  print(['', 'CPU ms here', 'CPU ms there', 'ratio']);
  print(['later start', own.toFixed(0), base.toFixed(0), (own / base).toFixed(2)]);
}

function git(...args: readonly string[]): void {
  execFileSync('git', args, { cwd: top, stdio: 'inherit' });
}

function parley(revision: string, dataDir: string, port: number): Promise<ServerProcess> {
  const env = { DATA_DIR: dataDir, PORT: String(port), RATE_LIMIT_PER_MINUTE: '0', LOG_LEVEL: 'warn' };
  return ServerProcess.start([join(revision, 'dist/main.js')], env, port, '/health/live');
}
